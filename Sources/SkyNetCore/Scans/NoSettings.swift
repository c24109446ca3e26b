// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

/// The settings of a scan without settings.
public struct NoSettings: Codable, Hashable, Sendable {
  public init() {}
}
