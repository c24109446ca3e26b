package import Foundation

/// How much of a job a journal has recorded as done.
package struct JournalProgress: Hashable, Sendable {
  /// All sectors of the job that it has by now; of a growing job those of all its parts.
  package var sectors: Int
  /// Sectors that have their result.
  package var done: Int
  /// Sectors that were given up.
  package var failed: Int
  /// Sectors of a growing job's parts that ended although not all of these sectors' tasks were made, as another sector
  /// of the part was given up. Nothing is left to do of them.
  package var neverMade = 0
  /// When the job's first process began, in whole seconds; `nil` if this process is the first.
  package var begun: Date?
  /// Whether an earlier process began the job.
  package var isResumed: Bool
  /// Whether what earlier processes recorded of the tasks was forgotten, because it cannot be relied on.
  package var isForgotten = false
  /// Whether the job adds parts while it runs.
  package var isGrowing = false

  /// Whether nothing is left to do. Of a growing job the journal cannot tell: the job may add parts.
  package var isComplete: Bool { !isGrowing && done + failed >= sectors }
}
