/// One try at a task on one system.
package struct Attempt: Hashable, Sendable, Identifiable {
  package let id: UInt64
  package let task: TaskID
  package let slot: Slot
  /// Its number among the task's attempts, from 1.
  package let ordinal: Int
  /// Whether this is a second attempt beside one that is still in flight. Systems serve hedges
  /// last.
  package let isHedge: Bool
  /// How often in a row the engagement has called the task back from a queue, up to this attempt; at
  /// most ``Stragglers/mostDoublings``.
  var recalls: UInt8 = 0
  /// The number of the task's attempts that had failed through their scan when this one began. It
  /// is an `Int32` because the table of attempts in flight has four bytes to spare.
  var failuresBefore: Int32 = 0

  /// The number and kind of this attempt, as its scan gets them.
  package var scanAttempt: ScanAttempt {
    ScanAttempt(number: Int(failuresBefore) + 1, isHedge: isHedge)
  }
}
