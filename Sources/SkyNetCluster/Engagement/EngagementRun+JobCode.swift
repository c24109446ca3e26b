import SkyNetCore

/// The job's own code: it makes sectors, checks outputs and receives them.
///
/// A light job's code runs on the engine, where each call saves a switch of threads. Other code would hold up every
/// connection there, so it runs on Swift's pool.
extension EngagementRun {
  var job: any AnyJob {
    guard let presentJob else { preconditionFailure("the job is being changed elsewhere") }
    return presentJob
  }

  /// Runs code that does not change the job.
  @inline(__always)
  func asking<Success: Sendable>(
    _ code: @Sendable () async throws -> Success
  ) async throws -> Success {
    if isLight { return try await code() }
    return try await withTaskExecutorPreference(executor.pool) { try await Self.perform(code) }
  }

  /// Runs code that changes the job.
  @inline(__always)
  func changing<Success: Sendable>(
    _ code: @Sendable (inout any AnyJob) throws -> Success
  ) async throws -> Success {
    if isLight { return try Self.change(&presentJob, code) }
    // The job leaves the actor meanwhile: a second reference to it would have it copied.
    var leaving = presentJob.take()
    let (result, changed) = await withTaskExecutorPreference(executor.pool) {
      await Self.perform(code, on: leaving.take())
    }
    presentJob = changed
    return try result.get()
  }

  /// Tells the job of something that it only notes.
  func telling(_ note: (inout any AnyJob) -> Void) {
    Self.change(&presentJob, note)
  }

  private static func change<Success>(
    _ job: inout (any AnyJob)?, _ code: (inout any AnyJob) throws -> Success
  ) rethrows -> Success {
    guard var present = job.take() else { preconditionFailure("two changes at a time") }
    defer { job = present }
    return try code(&present)
  }

  /// Runs where its task prefers to, and not on this actor.
  @concurrent static func perform<Success: Sendable, Failure>(
    _ code: @Sendable () async throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    try await code()
  }

  @concurrent private static func perform<Success: Sendable>(
    _ code: @Sendable (inout any AnyJob) throws -> Success, on job: consuming (any AnyJob)?
  ) async -> (result: Result<Success, any Error>, job: (any AnyJob)?) {
    var job = job
    let result = Result { try change(&job, code) }
    return (result, job)
  }
}
