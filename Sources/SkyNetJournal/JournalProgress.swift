/// How much of a job a journal has recorded as done.
public struct JournalProgress: Hashable, Sendable {
  /// All sectors of the job.
  public var sectors: Int
  /// Sectors that have their result.
  public var done: Int
  /// Sectors that were given up.
  public var failed: Int
  /// Whether an earlier process began the job.
  public var isResumed: Bool

  /// Whether nothing is left to do.
  public var isComplete: Bool { done + failed >= sectors }
}
