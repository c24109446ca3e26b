/// A request for slots.
package struct SlotRequest: Hashable, Sendable, Identifiable {
  /// The order in which requests are served.
  package enum Priority: Int, Comparable, Sendable {
    /// A request for idle slots that no other request wants: within the scans that a system runs at
    /// a time, and on no system to avoid.
    case idle
    case normal
    case urgent

    package static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
  }

  /// How a task that may kill its system is kept from doing harm.
  package enum Caution: Comparable, Sendable {
    case none
    /// The local system is used only if no other is here, because this process dies with it. A
    /// system with an open circuit breaker is waited for.
    case sparesLocal
    /// As `sparesLocal`, on a system that runs nothing else and gets nothing else meanwhile.
    case quarantine
    /// As `quarantine`, and never on the local system.
    case remoteQuarantine

    var isQuarantine: Bool { self >= .quarantine }
  }

  package let id: UInt64
  package let kind: ScanKind
  /// The run that the slots are for, as far as systems may be unsuited for it (``Roster/foundUnsuited(_:for:)``).
  package let run: RunID?
  /// The most slots that can be used. The least is one.
  package let count: Int
  /// The systems on which the task failed, the last one last. If there is another system, at
  /// another place, the request gets that one.
  package let avoiding: [Incarnation]
  package let priority: Priority
  package let caution: Caution

  package init(
    id: UInt64, kind: ScanKind, run: RunID? = nil, count: Int = 1, avoiding: [Incarnation] = [],
    priority: Priority = .normal, caution: Caution = .none
  ) {
    self.id = id
    self.kind = kind
    self.run = run
    self.count = count
    self.avoiding = avoiding
    self.priority = priority
    self.caution = caution
  }
}
