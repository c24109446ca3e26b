public import SkyNetCore
package import SkyNetMetrics

/// One run of a workload: its job, and what becomes of the job's results. ``JobRun`` is the simplest.
public protocol WorkloadRun: Sendable {
  /// The type of the run's job.
  associatedtype J: Job

  /// The job that the run engages the cluster for.
  var job: J { get }
  /// What the workload needs beside the job's settings to make the job again. By default nothing (`nil`).
  var record: (any Encodable & Sendable)? { get }
  /// The files that all results depend on, as they were when the run opened them; asked once. A run during which one
  /// of them changes fails, and its journal forgets what was recorded. What they hold belongs into the job's
  /// `identity()`: a later run of the same job goes on from the journal, whatever they hold then. By default there are
  /// none.
  var inputs: [RunInput] { get }
  /// Hear of the run's events, besides the observers of every run. By default there are none.
  var observers: [any RunObserver] { get }
  /// How long the run may go on after a first signal. By default it ends with its scans (`nil`).
  var stopLimit: Duration? { get }

  /// Whether anything is left to do, so that it pays to wait for systems. Asked before tasks are handed out. By
  /// default there is.
  func hasWork() async throws -> Bool

  /// Begins the engagement, and makes the run's outputs of the results.
  ///
  /// - Throws: an error with the reason. Before the engagement it refuses the run: nothing of an earlier run is
  ///   replaced.
  func complete(_ engagement: JobEngagement<J>) async throws -> RunOutcome
}

extension WorkloadRun {
  public var record: (any Encodable & Sendable)? { nil }
  public var inputs: [RunInput] { [] }
  public var observers: [any RunObserver] { [] }
  public var stopLimit: Duration? { nil }

  public func hasWork() async throws -> Bool { true }
}

/// A run that shows more of itself than every run does.
package protocol ShownRun: WorkloadRun {
  /// The run's page; `nil` if the options ask for none. By default it shows the sectors as a numbered field.
  ///
  /// - Parameter words: those of the workload.
  func page(_ options: RunOptions, words: RunWords) -> RunPage?
  /// The files that the run may write, with the options that name them, for its page to hand out. By default there
  /// are none.
  var outputs: [FileOption] { get }
  /// Figures for Prometheus besides those of every run. By default there are none.
  ///
  /// - Parameter summaries: those of this process's engagements.
  func figures(of summaries: [EngagementSummary]) -> [MetricFamily]
}

extension ShownRun {
  package func page(_ options: RunOptions, words: RunWords) -> RunPage? {
    RunPage(options, of: job, words: words)
  }
  package var outputs: [FileOption] { [] }
  package func figures(of summaries: [EngagementSummary]) -> [MetricFamily] { [] }
}

/// What a run has come to, and what it says at its end.
public struct RunOutcome: Sendable {
  /// The counts of the run's engagement.
  public let tally: Tally
  /// Lines about what was read and written. A quiet run leaves them out.
  public var written: [String] = []
  /// Lines about what was found, what failed, and how much was done; also in a quiet run.
  public var summary: [String] = []
  /// Whether something other than a sector failed, such as a file that was changed while it was read. The exit
  /// status is that of failed sectors.
  public var hasFailed = false
  /// Whether ``summary`` says what failed, why, and what is left. Otherwise lines about sectors do.
  package var isDetailed = false

  /// Makes an outcome, by default one with nothing to say, in which nothing but sectors may have failed.
  public init(
    tally: Tally, written: [String] = [], summary: [String] = [], hasFailed: Bool = false
  ) {
    (self.tally, self.written) = (tally, written)
    (self.summary, self.hasFailed) = (summary, hasFailed)
  }
}
