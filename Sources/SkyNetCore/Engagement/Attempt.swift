/// A task on a system.
package struct Attempt: Hashable, Sendable, Identifiable {
  package let id: UInt64
  package let task: TaskID
  package let slot: Slot
  /// Which of the task's attempts it is, from 1.
  package let ordinal: Int
  /// Whether it is a second try of what another attempt has not ended: systems serve it last.
  package let isHedge: Bool
  /// How many attempts at the task had failed by its scan when this one began; a hedge and its rival
  /// have the same. In four bytes, which the table of attempts in flight has to spare.
  let failuresBefore: Int32

  init(
    id: UInt64, task: TaskID, slot: Slot, ordinal: Int, isHedge: Bool, failuresBefore: Int = 0
  ) {
    self.id = id
    self.task = task
    self.slot = slot
    self.ordinal = ordinal
    self.isHedge = isHedge
    self.failuresBefore = Int32(clamping: failuresBefore)
  }

  /// What its scan is told of it.
  package var scanAttempt: ScanAttempt {
    ScanAttempt(number: Int(failuresBefore) + 1, isHedge: isHedge)
  }
}
