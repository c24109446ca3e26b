/// Room for one attempt, committed on a system until it is released.
package struct Slot: Hashable, Sendable {
  let number: UInt64
  package let system: Incarnation
  package let name: String

  /// The number alone is hashed, since no two slots of a roster have the same.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }
}

/// The times of one attempt, in seconds.
package struct AttemptTiming: Hashable, Sendable {
  package let scan: Double
  /// From the attempt's arrival at the system until its scan began.
  package let queued: Double
  /// From the hand-out to the answer.
  package let turnaround: Double
  /// Whether other coordinators had work at the system meanwhile.
  package let isShared: Bool
  /// Whether this process stood still meanwhile, so that the turnaround says nothing.
  package let isDisturbed: Bool

  /// The turnaround without the scan and the wait for its slot.
  package var handover: Double { turnaround - scan - queued }

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

/// The report on its system that an attempt's end gives.
package enum SlotReturn: Hashable, Sendable {
  /// The attempt never began, or was cancelled, or lost.
  case unused
  case succeeded(AttemptTiming)
  /// The scan threw, or could not be done.
  case failed
  /// The system had no room for the scan.
  case full
}
