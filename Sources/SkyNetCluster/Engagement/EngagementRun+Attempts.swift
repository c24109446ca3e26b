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
      .attemptEnded(attempt, try await carryOut(attempt, on: system, source))
    }
  }

  func isLocal(_ attempt: Attempt) -> Bool { attempt.slot.system == actorSystem.incarnation }

  // MARK: The start of its scan

  /// Adds a child that waits for the start of the attempt's scan.
  func awaitStart(of attempt: Attempt, in group: inout Group) {
    guard attempts[attempt.id] != nil else { return }
    group.addTask {
      await self.start(of: attempt.id).map { .attemptStarted(attempt.id, $0) } ?? .nothing
    }
  }

  private func start(of attempt: Attempt.ID) async -> FlyingAttempt.Start? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if attempts[attempt]?.awaitStart(waiter) == nil { waiter.resume(returning: nil) }
      }
    } onCancel: {
      tell { $0.attempts[attempt]?.stopWaiting() }
    }
  }

  /// What the attempt's system calls when the scan starts, with how long an earlier attempt has run it already.
  func noteStart(of attempt: Attempt) -> @Sendable (_ ran: Duration) -> Void {
    { [id = attempt.id] ran in
      self.tell { $0.attempts[id]?.started(at: $0.clock.now.advanced(by: .zero - ran)) }
    }
  }

  // MARK: Its end

  /// Removes an attempt that has ended, or that the run cancels.
  @discardableResult
  func stopWaiting(for attempt: Attempt) -> FlyingAttempt? {
    attempts.removeValue(forKey: attempt.id)
  }

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
    let isEnd = received.result != nil
    journal?.record(
      .accepted(
        attempt, output: output, attempts: attempts, seconds: seconds, endsSector: isEnd))
    if let result = received.result {
      await report(
        .completed(
          SectorResult(
            sector: task.sector, of: part(of: task.sector), pass: task.pass, result: result,
            system: name(of: attempt.slot), attempts: attempts, seconds: seconds)),
        at: begin)
    } else {
      await report(
        .passCompleted(task, system: name(of: attempt.slot), seconds: seconds),
        at: begin)
    }
    if !received.added.isEmpty { await reportAdded(received.added) }
    await endOfTask(task, adding: received.added)
    // Only tasks that the job has just added can depend on this output, so only they need the job as it is now.
    if !received.added.isEmpty { source = job }
    return engagement.received(received.added, at: clock.now)
  }

  private func illegal(_ event: String) -> IllegalEvent {
    IllegalEvent(event: event, state: "\(attempts.count) attempts are in flight", story: [])
  }
}
