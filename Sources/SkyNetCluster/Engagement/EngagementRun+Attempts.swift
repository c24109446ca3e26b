import SkyNetCore

/// Attempts: their beginning, their start on a system, and their outputs.
extension EngagementRun {
  /// Adds a child that carries the attempt out on the slot that was granted for it.
  @inline(__always)
  func begin(_ attempt: Attempt, in group: inout Group) async throws {
    guard let system = granted.removeValue(forKey: attempt.slot) else {
      throw illegal("\(attempt.task) begins on a slot that is not granted")
    }
    let now = clock.now
    await report(.handedOut(.init(attempt, on: name(of: attempt.slot))), at: now)
    journal?.record(.began(attempt, isLocal: isLocal(attempt)))
    attempts[attempt.id] = FlyingAttempt()
    // It is this actor's from its first step, as a child of `addTask` would not be. What a job that is not light sends
    // and receives is coded on Swift's pool.
    group.addImmediateTask(executorPreference: isLight ? executor : executor.pool) { [source] in
      guard let spans = actorSystem.spans else {
        return .attemptEnded(attempt, try await carryOut(attempt, on: system, source))
      }
      return .attemptEnded(
        attempt,
        try await spans.attempt(attempt) { try await carryOut(attempt, on: system, source) })
    }
  }

  /// Has the journal know of sectors that the job has just added, before any attempt at them.
  private func recordExtension(since known: Int) {
    guard ledger.tally.total > known else { return }
    journal?.record(.extended(sectors: ledger.tally.total, end: ledger.sectorsEnd))
  }

  func isLocal(_ attempt: Attempt) -> Bool { attempt.slot.system == systems.local?.id }

  // MARK: The start of its scan

  func awaitStart(of attempt: Attempt, in group: inout Group) {
    guard let start = attempts[attempt.id]?.awaitedStart() else { return }
    group.addTask {
      (try? await start.value()).map { .attemptStarted(attempt.id, $0) } ?? .nothing
    }
  }

  // MARK: Its output

  /// Gives the job the output of the attempt that ended last, and reports the sector's result.
  @inline(__always)
  func accept(
    _ attempt: Attempt, _ attempts: Int, _ seconds: Double
  ) async throws -> [EngagementAction] {
    guard let output = lastOutput else {
      throw illegal("\(attempt.task) is accepted without an output")
    }
    lastOutput = nil
    let begin = clock.now
    let task = attempt.task
    let received = try await changing { try $0.receive(output, for: task) }
    try check(received, for: task)
    journal?.record(
      .accepted(
        attempt, output: received.recorded ?? output, attempts: attempts, seconds: seconds,
        endsSector: received.result != nil))
    let system = name(of: attempt.slot)
    let event: EngagementEvent =
      if let result = received.result {
        .completed(
          SectorResult(
            sector: task.sector, of: part(of: task.sector), pass: task.pass, result: result,
            system: system, attempts: attempts, seconds: seconds))
      } else {
        .passCompleted(task, system: system, seconds: seconds)
      }
    await report(event, at: begin)
    let known = ledger.tally.total
    await endOfTask(task, adding: received.added)
    if !received.added.isEmpty {
      // Only tasks that the job has just added can depend on this output, so only they need the job as it is now.
      source = job
      recordExtension(since: known)
    }
    return engagement.received(received.added, at: clock.now)
  }

  /// - Throws: `EngagementError` if the sector has a result already, or a task is added that cannot be.
  @inline(__always)
  func check(_ received: ReceivedResult, for task: TaskID) throws(EngagementError) {
    if received.result != nil, ledger.hasEnded(task.sector) {
      throw .impossibleTask(
        task, reason: "it has its result, or has failed, and the job gives it another")
    }
    if !received.added.isEmpty { try added.add(received.added) }
  }

  private func illegal(_ event: String) -> IllegalEvent {
    IllegalEvent(event: event, state: "\(attempts.count) attempts are in flight", story: [])
  }
}

/// An attempt that its run waits for, as the run's actor keeps it.
final class FlyingAttempt {
  struct Start: Sendable {
    let at: Instant
    /// How long the kind of scan lets it run; see `ScanTask.timeLimit`.
    let limit: Duration?
  }

  /// The child of the run's group that carries the attempt out. Its handle is safe while the child lives: it is kept
  /// and used on the run's actor alone, and removed there before the child ends (``landed()``).
  var child: UnsafeCurrentTask?
  /// How long the kind of scan lets the scan run, as soon as the sector is made.
  var limit: Duration?
  /// Its scan's start, or that it has ended without one; `nil` until either is known.
  private var start: Result<Start, any Error>?
  private var waiter: OneShot<Start>?

  /// The scan has started. Only the first start counts.
  func started(at instant: Instant) { settle(.success(Start(at: instant, limit: limit))) }

  func landed() {
    child = nil
    settle(.failure(CancellationError()))
  }

  /// Brings the start, or fails if the attempt ends without one. Few attempts are asked for it.
  func awaitedStart() -> OneShot<Start> {
    let waiter = OneShot<Start>()
    if let start { waiter.complete(start) }
    self.waiter = waiter
    return waiter
  }

  /// Cancels the child. A group can only cancel all of its children.
  func cancel() {
    child?.cancel()
    settle(.failure(CancellationError()))
  }

  private func settle(_ result: Result<Start, any Error>) {
    guard start == nil else { return }
    start = result
    waiter.take()?.complete(result)
  }
}
