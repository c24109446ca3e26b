import BitCollections
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
        pending.append(contentsOf: requestSlots(upTo: count, in: &group))
      case .requestPart: requestPart(in: &group)
      case .requestSlot(let task, let avoiding, let caution):
        requestSlot(for: task, avoiding, caution, in: &group)
      case .requestIdleSlot(let excluded): requestIdleSlot(excluding: excluded, in: &group)
      case .withdrawIdleSlot: withdrawIdleSlotRequest()
      case .release(let slot):
        granted[slot] = nil
        try systems.here { try $0.release(slot) }
      case .begin(let attempt): try await begin(attempt, in: &group)
      case .reportStart(let attempt): awaitStart(of: attempt, in: &group)
      case .cancel(let attempt):
        stopWaiting(for: attempt)?.cancel()
      case .ended(let attempt, let outcome):
        journal?.record(.ended(attempt, outcome))
        if isGrowing { estimate.cameBack(attempt.task) }
        let ending = EngagementEvent.Ending(outcome)
        metrics?.ended(ending)
        await report(
          .attemptEnded(
            .init(attempt, on: name(of: attempt.slot)), ending,
            reason: outcome.reason ?? ""))
      case .forgive(let task, let system): journal?.record(.forgave(task, system))
      case .accept(let attempt, let attempts, let seconds):
        pending.append(contentsOf: try await accept(attempt, attempts, seconds))
      case .rerun(let task, let failure):
        tally.retriedOne()
        metrics?.retried()
        await report(.retried(task, failure))
      case .giveUp(let task, let story):
        journal?.record(.gaveUp(task, story))
        await reportFailure(of: task, story)
        await endOfTask(task)
      case .abandon(let task, let story):
        // Its part does not end: a later run may have a system for it.
        await reportFailure(of: task, story)
      case .wake(let instant): wake(at: instant, in: &group)
      case .stalled(let attempts, let count, let silence):
        let named = attempts.map { stalled in
          EngagementEvent.StalledAttempt(stalled, on: name(of: stalled.attempt.slot))
        }
        await report(.stalled(named, of: count, silence: silence))
      case .waitForSystem(let instant):
        await report(
          .waitingForSystem(
            instant.map { clock.now.duration(to: $0) }, leaving: membership.drainingNames,
            unsuited: membership.unsuited.map(\.name)))
      case .noSystem: throw membership.error(waited: settings.firstSystemTimeout)
      case .finish:
        if !isShuttingDown { await reportSectorsNeverMade() }
        await report(.finished(reason: isShuttingDown ? "interrupted" : nil))
        isFinished = true
      case .refuse(let illegal): throw illegal
      }
    }
  }

  private func wake(at instant: Instant, in group: inout Group) {
    group.addTask { [clock] in
      try await clock.sleep(until: instant)
      return .woke
    }
  }

  // MARK: Failures

  /// Reports as failed each sector that has neither a result nor failed when no task is left. Such a
  /// sector's task of a later pass was never made, as that needs a sector of an earlier pass, and this
  /// one failed.
  private func reportSectorsNeverMade() async {
    for sector in sectors.joined() where !endedSectors.contains(sector) {
      await reportFailure(of: TaskID(sector: sector), TaskStory.neverMade)
    }
  }

  func reportFailure(of task: TaskID, _ story: TaskStory) async {
    endedSectors.insert(task.sector)
    tally.failed(at: clock.now)
    estimate.failed(task.sector)
    telling { $0.gaveUp(task, reason: story.failures.last?.reason ?? "") }
    await report(.failed(SectorFailure(task, of: part(of: task.sector), story)))
  }
}
