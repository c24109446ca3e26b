/// A request for slots.
package struct SlotRequest: Hashable, Sendable, Identifiable {
  /// Which requests are served first.
  package enum Priority: Int, Comparable, Sendable {
    /// Slots that no other request wants, and that are idle: none beyond what a system scans at a time,
    /// and none on a system to avoid.
    case idle
    case normal
    case urgent

    package static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
  }

  /// What is done so that a task that may kill its system does least harm.
  package enum Caution: Int, Comparable, Sendable {
    case none
    /// The local system is taken only if no other is here, as this process dies with it. One
    /// whose circuit breaker is open is waited for.
    case sparesLocal
    /// The same, on a system that runs nothing else, and is given nothing else meanwhile.
    case quarantine
    /// The same, and never the local system.
    case remoteQuarantine

    package static func < (a: Caution, b: Caution) -> Bool { a.rawValue < b.rawValue }

    var isQuarantine: Bool { self >= .quarantine }
  }

  package let id: UInt64
  package let kind: ScanKind
  /// The most slots that are of use; the fewest is one.
  package let count: Int
  /// Systems on which the task failed, the last one last: another is chosen if there is one, and at
  /// another place.
  package let avoiding: [Incarnation]
  package let priority: Priority
  package let caution: Caution

  package init(
    id: UInt64, kind: ScanKind, count: Int = 1, avoiding: [Incarnation] = [],
    priority: Priority = .normal, caution: Caution = .none
  ) {
    self.id = id
    self.kind = kind
    self.count = count
    self.avoiding = avoiding
    self.priority = priority
    self.caution = caution
  }
}
