/// The system that a sector is made for.
public struct SectorRecipient: Hashable, Sendable {
  /// The system's id. A system that was restarted has another one.
  public let incarnation: Incarnation
  /// The system's name, for people.
  public let name: String
  /// Whether the system is this process's own.
  public let isLocal: Bool

  public init(incarnation: Incarnation, name: String, isLocal: Bool) {
    self.incarnation = incarnation
    self.name = name
    self.isLocal = isLocal
  }
}
