/// The settings of a scan that has none.
public struct NoSettings: Codable, Hashable, Sendable {
  public init() {}
}
