/// The system that a sector is made for.
package struct SectorRecipient: Hashable, Sendable {
  /// The system's id. A system that was restarted has another one.
  package let incarnation: Incarnation
  /// The system's name, for people.
  package let name: String
  /// Whether the system is this process's own.
  package let isLocal: Bool

  package init(incarnation: Incarnation, name: String, isLocal: Bool) {
    self.incarnation = incarnation
    self.name = name
    self.isLocal = isLocal
  }
}
