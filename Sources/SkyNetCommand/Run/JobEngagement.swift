public import SkyNetCluster
public import SkyNetCore
package import SkyNetJournal

/// The engagement of a run's job. The workload begins it.
public struct JobEngagement<J: Job> {
  /// The open journal; `nil` if the run has none.
  package let journal: SQLiteJournal?
  /// Shuts the engagement down gracefully, as a signal does.
  public let shutdown: ShutdownTrigger
  private let engage: () async throws -> (job: J, tally: Tally)

  package init(
    journal: SQLiteJournal?, shutdown: ShutdownTrigger,
    _ engage: @escaping () async throws -> (job: J, tally: Tally)
  ) {
    self.journal = journal
    self.shutdown = shutdown
    self.engage = engage
  }

  /// Runs the job to its end.
  ///
  /// - Returns: the job with its results, and its counts, however many sectors failed.
  /// - Throws: an error if signals or the run's limit ended it at once, or if an input has changed; the engagement's
  ///   errors. Pass it on.
  public func run() async throws -> (job: J, tally: Tally) { try await engage() }

  /// Runs the job, and `work` beside it, which ends by itself after `ended` was called: then the engagement has ended,
  /// and nothing more can be recorded in the journal. If the engagement fails, `work` is cancelled instead, and awaited.
  ///
  /// - Throws: what `work` throws, after the engagement has shut down.
  public func run(
    beside work: @escaping @Sendable () async throws -> Void, ended: () -> Void
  ) async throws -> (job: J, tally: Tally) {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [shutdown] in
        do {
          try await work()
        } catch {
          shutdown.shutDown()
          throw error
        }
      }
      defer { group.cancelAll() }
      let result = try await engage()
      ended()
      try await group.waitForAll()
      return result
    }
  }
}
