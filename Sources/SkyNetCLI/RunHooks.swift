import SkyFITS
import SkyNetCluster
import SkyNetCore
import SkyNetJournal

/// What a job says at its end.
struct FinalLines {
  /// What was read and written. A quiet run leaves it out.
  var usual: [String] = []
  /// What failed, and how much was done.
  var summary: [String] = []
}

/// What a kind of job does around its run, besides what every run does.
struct RunHooks<J: Job> {
  /// The files that all results depend on. If one of them changes, no result counts.
  var inputs: [OpenedFile] = []
  /// Gets each event.
  var observe: @Sendable (EngagementUpdate) -> Void = { _ in }
  /// Gets the open journal before the run begins; `nil` if there is none.
  var prepare: (SQLiteJournal?) async throws -> Void = { _ in }
  /// Whether anything is left to do, so that it pays to wait for systems. Called after ``prepare``.
  var hasWork: @Sendable () async throws -> Bool = { true }
  /// How long the run may go on after a first signal; `nil` if it ends with its scans.
  var stopLimit: Duration?
  /// Runs beside the engagement, and ends by itself after ``ended``. If it throws, the engagement stops, and the run
  /// fails with that error.
  var beside: (@Sendable () async throws -> Void)?
  /// The engagement has ended, so nothing more can be recorded in the journal.
  var ended: @Sendable () -> Void = {}
  /// Gets the job and its counts when the job has ended, however many sectors failed.
  var finish: (J, Tally) async throws -> FinalLines = { _, _ in FinalLines() }
  /// Whether something other than a sector failed, such as an image that was changed while it was scanned. The exit
  /// status is that of failed sectors.
  var hasFailed: () -> Bool = { false }
  /// A second signal or ``stopLimit`` stopped the job, or an error ended it.
  var aborted: (_ wasStopped: Bool) async -> Void = { _ in }

  /// Engages, with ``beside`` beside it.
  func engage<Ended: Sendable>(
    shutdown: ShutdownTrigger, _ engage: () async throws -> Ended
  ) async throws -> Ended {
    guard let beside else { return try await engage() }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try await beside()
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
