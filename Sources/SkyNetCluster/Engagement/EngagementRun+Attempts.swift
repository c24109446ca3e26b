import BitCollections
import SkyNetCore

/// Attempts: their beginning, their start on a system, and their outputs.
extension EngagementRun {
  /// Adds a child that carries the attempt out on the slot that was granted for it.
  mutating func begin(_ attempt: Attempt, in group: inout Group) async throws {
    guard let system = granted.removeValue(forKey: attempt.slot) else {
      throw illegal("\(attempt.task) begins on a slot that is not granted")
    }
    let now = clock.now
    tally.handedOut(to: engagement.name(of: attempt.slot), at: now)
    if let part = part(of: attempt.task.sector) {
      progress.handedOut(attempt.task, of: part, at: now)
    }
    await report(.handedOut(.init(attempt, on: engagement.name(of: attempt.slot))), at: now)
    journal?.record(.began(attempt, isLocal: runner.isLocal(attempt)))
    let (child, start) = (CancellableChild(), AttemptStart(clock: clock))
    attempts[attempt.id] = (child, start)
    group.addTask { [runner, isLight = runner.jobCode.isLight] in
      try await child.perform {
        guard let spans = runner.spans else {
          return .attemptEnded(
            attempt,
            try await runner.carryOut(attempt, on: system, start: start, isLight: isLight))
        }
        return .attemptEnded(
          attempt,
          try await spans.attempt(attempt) {
            try await runner.carryOut(attempt, on: system, start: start, isLight: isLight)
          })
      }
    }
  }

  /// Adds a child that waits for the start of the attempt's scan.
  func awaitStart(of attempt: Attempt, in group: inout Group) {
    guard let start = attempts[attempt.id]?.start else { return }
    group.addTask {
      await start.value().map { .attemptStarted(attempt.id, $0) } ?? .nothing
    }
  }

  /// Removes an attempt that has ended, or that the run has cancelled.
  mutating func stopWaiting(for attempt: Attempt) {
    guard attempts.removeValue(forKey: attempt.id) != nil else { return }
    tally.cameBack(from: engagement.name(of: attempt.slot))
  }

  /// Gives the job the output of the attempt that ended last, and reports the sector's result.
  mutating func accept(
    _ attempt: Attempt, _ attempts: Int, _ seconds: Double
  ) async throws -> [EngagementAction] {
    guard let output = lastOutput else {
      throw illegal("\(attempt.task) is accepted without an output")
    }
    lastOutput = nil
    let begin = clock.now
    let received = try job.receive(output, for: attempt.task)
    journal?.record(
      .accepted(
        attempt, output: output, attempts: attempts, seconds: seconds,
        endsSector: received.result != nil))
    metrics?.accepted(from: engagement.name(of: attempt.slot))
    progress.change { progress in
      progress.done(
        attempt.task, seconds: seconds, endsSector: received.result != nil, at: begin)
    }
    if let result = received.result {
      endedSectors.insert(attempt.task.sector)
      tally.completed(by: engagement.name(of: attempt.slot), at: begin)
      await report(
        .completed(
          SectorResult(
            sector: attempt.task.sector, of: part(of: attempt.task.sector), pass: attempt.task.pass,
            result: result,
            system: engagement.name(of: attempt.slot), attempts: attempts, seconds: seconds)),
        at: begin)
    } else {
      await report(
        .passCompleted(attempt.task, system: engagement.name(of: attempt.slot), seconds: seconds),
        at: begin)
    }
    if !received.added.isEmpty { await reportAdded(received.added) }
    await endOfTask(attempt.task, adding: received.added)
    let end = clock.now
    runner.jobCode.add(begin.duration(to: end))
    // Only tasks that the job has just added can depend on this output, so only they need the job as it is now.
    if !received.added.isEmpty { runner = runner.replacingSource(with: job.source) }
    return engagement.received(received.added, at: end)
  }

  private func illegal(_ event: String) -> IllegalEvent {
    IllegalEvent(event: event, state: "\(attempts.count) attempts are in flight", story: [])
  }
}
