/// How much of a job is done.
public struct JournalProgress: Hashable, Sendable {
  public var sectors: Int
  /// Sectors with an output of the last pass that there is any of.
  public var done: Int
  /// Sectors that were given up.
  public var failed: Int
  /// Whether an earlier process began the job.
  public var isResumed: Bool

  /// Whether nothing is left to do.
  public var isComplete: Bool { done + failed >= sectors }
}
