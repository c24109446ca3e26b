/// Room for one attempt, committed on a system until it is released.
package struct Slot: Hashable, Sendable {
  let number: UInt64
  package let system: Incarnation
  /// The system's name, for people.
  package let name: String

  /// No two slots of a roster have the same number.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }
}

/// What an attempt took, in seconds.
package struct AttemptTiming: Hashable, Sendable {
  /// The scan itself.
  package let scan: Double
  /// From its arrival at the system until its scan began.
  package let queued: Double
  /// From hand-out to answer.
  package let turnaround: Double
  /// Whether others had work at the system meanwhile.
  package let isShared: Bool
  /// Whether this process stood still meanwhile, so that the turnaround is longer than it took.
  package let isDisturbed: Bool

  package init(
    scan: Double, queued: Double, turnaround: Double, isShared: Bool = false,
    isDisturbed: Bool = false
  ) {
    self.scan = scan
    self.queued = queued
    self.turnaround = turnaround
    self.isShared = isShared
    self.isDisturbed = isDisturbed
  }
}

/// What the end of an attempt tells of the system it was on.
package enum SlotReturn: Hashable, Sendable {
  /// Nothing: it was never begun, cancelled, or lost.
  case unused
  case succeeded(AttemptTiming)
  /// The scan threw, or could not be done.
  case failed
}
