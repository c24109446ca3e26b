import SkyNetCore

/// The job's own code: it makes sectors, checks outputs and receives them.
///
/// While it takes little time it runs on the engine, where each call saves a switch of threads. A job whose code takes
/// its time would hold up every connection there, so its code runs on Swift's pool.
extension EngagementRun {
  var job: any AnyJob {
    guard let presentJob else { preconditionFailure("the job is being changed elsewhere") }
    return presentJob
  }

  /// Whether the job's code has been brief enough lately to run on the engine.
  var isLight: Bool { jobCode.isAtMostHalfFull }

  /// Runs code that does not change the job, and counts its time.
  @inline(__always)
  func asking<Success: Sendable>(
    _ code: @Sendable () async throws -> Success
  ) async throws -> Success {
    if isLight {
      let begin = clock.now
      defer { jobCode.add(begin.duration(to: clock.now)) }
      return try await code()
    }
    let (result, duration) = await withTaskExecutorPreference(executor.pool) {
      await Self.perform(code, clock)
    }
    jobCode.add(duration)
    return try result.get()
  }

  /// Runs code that changes the job, and counts its time.
  @inline(__always)
  func changing<Success: Sendable>(
    _ code: @Sendable (inout any AnyJob) throws -> Success
  ) async throws -> Success {
    // The job leaves the actor meanwhile: a second reference to it would have it copied.
    var leaving = presentJob.take()
    if isLight {
      let begin = clock.now
      defer {
        presentJob = leaving
        jobCode.add(begin.duration(to: clock.now))
      }
      return try Self.change(&leaving, code)
    }
    let (result, changed, duration) =
      await withTaskExecutorPreference(executor.pool) {
        await Self.perform(code, on: leaving.take(), clock)
      }
    presentJob = changed
    jobCode.add(duration)
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
  @concurrent private static func perform<Success: Sendable>(
    _ code: @Sendable () async throws -> Success, _ clock: any ClusterClock
  ) async -> (result: Result<Success, any Error>, duration: Duration) {
    let begin = clock.now
    let result: Result<Success, any Error>
    do { result = .success(try await code()) } catch { result = .failure(error) }
    return (result, begin.duration(to: clock.now))
  }

  @concurrent private static func perform<Success: Sendable>(
    _ code: @Sendable (inout any AnyJob) throws -> Success, on job: consuming (any AnyJob)?,
    _ clock: any ClusterClock
  ) async -> (result: Result<Success, any Error>, job: (any AnyJob)?, duration: Duration) {
    let begin = clock.now
    var job = job
    let result = Result { try change(&job, code) }
    return (result, job, begin.duration(to: clock.now))
  }
}
