/// How much of a job a journal has recorded as done.
package struct JournalProgress: Hashable, Sendable {
  /// All sectors of the job.
  package var sectors: Int
  /// Sectors that have their result.
  package var done: Int
  /// Sectors that were given up.
  package var failed: Int
  /// Whether an earlier process began the job.
  package var isResumed: Bool

  /// Whether nothing is left to do.
  package var isComplete: Bool { done + failed >= sectors }
}
