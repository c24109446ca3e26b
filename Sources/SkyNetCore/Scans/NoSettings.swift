/// The settings of a scan without settings.
public struct NoSettings: Codable, Hashable, Sendable {
  public init() {}
}
