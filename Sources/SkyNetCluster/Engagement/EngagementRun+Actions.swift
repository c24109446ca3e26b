import SkyNetCore

/// Performs the actions that the `Engagement` decides on.
extension EngagementRun {
  /// Performs actions in order, and then those that follow from them.
  func perform(_ actions: [EngagementAction], in group: inout Group) async throws {
    var pending = actions
    var next = 0
    while next < pending.count {
      let action = pending[next]
      next += 1
      switch action {
      case .requestSlots(let count):
        pending.append(contentsOf: request(.fresh, upTo: count, in: &group))
      case .requestPart: requestPart(in: &group)
      case .requestSlot(let task, let avoiding, let caution):
        if action.isReplaced(by: pending[next...]) { continue }
        pending.append(
          contentsOf: request(.retry(task), avoiding: avoiding, caution, in: &group))
      case .requestIdleSlot(let excluded):
        if action.isReplaced(by: pending[next...]) { continue }
        pending.append(contentsOf: request(.idle, avoiding: excluded, in: &group))
      case .withdrawIdleSlot: withdraw(.idle)
      case .release(let slot):
        granted[slot] = nil
        try systems.here { try $0.release(slot) }
      case .begin(let attempt): try await begin(attempt, in: &group)
      case .reportStart(let attempt): awaitStart(of: attempt, in: &group)
      case .cancel(let attempt): attempts.removeValue(forKey: attempt.id)?.cancel()
      case .ended(let attempt, let outcome):
        journal?.record(.ended(attempt, outcome))
        await report(
          .attemptEnded(
            .init(attempt, on: name(of: attempt.slot)), .init(outcome),
            reason: outcome.reason ?? ""))
      case .forgive(let task, let system): journal?.record(.forgave(task, system))
      case .accept(let attempt, let attempts, let seconds):
        pending.append(contentsOf: try await accept(attempt, attempts, seconds))
      case .rerun(let task, let failure):
        await report(.retried(task, failure))
      case .giveUp(let task, let story):
        journal?.record(.gaveUp(task, story))
        await reportFailure(of: task, story)
        await endOfTask(task)
      case .abandon(let task, let story):
        // Its part does not end: a later run may have a system for it.
        await reportFailure(of: task, story)
      case .wake(let instant):
        group.addTask { [clock] in
          try await clock.sleep(until: instant)
          return .woke
        }
      case .stalled(let attempts, let count, let silence):
        let named = attempts.map { stalled in
          EngagementEvent.StalledAttempt(stalled, on: name(of: stalled.attempt.slot))
        }
        await report(.stalled(named, of: count, silence: silence))
      case .waitForSystem(let instant):
        let leaving = systems.here { $0.draining }
        await report(
          .waitingForSystem(
            instant.map { clock.now.duration(to: $0) }, leaving: leaving.map(\.text).sorted(),
            unsuited: unsuited.values.map(\.name).sorted()))
      case .noSystem: throw noSystem()
      case .finish:
        // The scans that an interrupted run waits for also end when the run is cancelled. Then it has not finished.
        if engagement.isInterrupted {
          try Task.checkCancellation()
        } else {
          await reportSectorsNeverMade()
        }
        await report(.finished(reason: engagement.isInterrupted ? "interrupted" : nil))
      case .refuse(let illegal): throw illegal
      }
    }
  }

  private func noSystem() -> EngagementError {
    let waited = settings.firstSystemTimeout
    if unsuited.isEmpty { return .noSystem(waited: waited) }
    return .noSuitableSystem(
      reasons: unsuited.values.map { "\($0.name): \($0.reason)" }.sorted(), waited: waited)
  }

  // MARK: Failures

  /// Reports as failed each sector, of one part or of all, that has neither a result nor failed when no task is left.
  /// Its task of a later pass was never made, as that needs a sector of an earlier pass, and this one failed.
  func reportSectorsNeverMade(
    in part: JobPart? = nil, as event: (SectorFailure) -> EngagementEvent = EngagementEvent.failed
  ) async {
    for sector in ledger.openSectors(in: part?.sectors) {
      await reportFailure(of: TaskID(sector: sector), TaskStory.neverMade(), as: event)
    }
  }

  /// - Parameter event: how it is told of; the journal may have it from an earlier process.
  func reportFailure(
    of task: TaskID, _ story: TaskStory,
    as event: (SectorFailure) -> EngagementEvent = EngagementEvent.failed
  ) async {
    job.gaveUp(task, reason: story.failures.last?.reason ?? "")
    await report(event(SectorFailure(task, of: part(of: task.sector), story)))
  }
}
