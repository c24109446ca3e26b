/// Room for one attempt, committed on a system until it is released.
public struct Slot: Hashable, Sendable {
  let number: UInt64
  public let system: Incarnation
  /// The system's name, for people.
  public let name: String

  /// No two slots of a roster have the same number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }
}

/// A wish for slots.
public struct SlotRequest: Hashable, Sendable, Identifiable {
  public let id: UInt64
  public let kind: ScanKind
  /// The most slots that are of use; the fewest is one.
  public let count: Int
  /// Systems on which the task failed, the last one last: another is chosen if there is one.
  public let avoiding: [Incarnation]
  /// Whether it goes before the requests that are not.
  public let isUrgent: Bool

  public init(
    id: UInt64, kind: ScanKind, count: Int = 1, avoiding: [Incarnation] = [],
    isUrgent: Bool = false
  ) {
    self.id = id
    self.kind = kind
    self.count = count
    self.avoiding = avoiding
    self.isUrgent = isUrgent
  }
}

/// What an attempt took, in seconds.
public struct AttemptTiming: Hashable, Sendable {
  /// The scan itself.
  public let scan: Double
  /// From its arrival at the system until its scan began.
  public let queued: Double
  /// From hand-out to answer.
  public let turnaround: Double

  public init(scan: Double, queued: Double, turnaround: Double) {
    self.scan = scan
    self.queued = queued
    self.turnaround = turnaround
  }
}
