/// How failed tasks are handed out again.
extension Engagement {
  /// A scan that was lost with its system, and of which nobody knows when it ends.
  struct LostScan: Sendable {
    let system: Incarnation
    /// When it has ended, if its system is only out of reach.
    let end: Instant
    /// Whether the system has come back, so that the task has waited for what it has cancelled then.
    var isBack = false
  }

  /// Has a task tried again after an attempt that brought no output: at once, or after the waits of its job.
  mutating func retry(
    _ attempt: Attempt, _ story: TaskStory, after outcome: AttemptOutcome, wasCancelled: Bool,
    at now: Instant
  ) -> [EngagementAction] {
    let (task, waits) = (attempt.task, settings.retryWaits)
    var wait = Duration.zero
    switch outcome {
    case .failed, .refused:
      wait = waits.wait(afterFailures: story.thrown)
      if wasCancelled {
        wait = max(wait, cancelled(attempt))
      } else if outcome == .cancelled {
        wait = max(wait, waits.scanEnd ?? .zero)
      }
    case .lost(_, let seconds, _):
      // A slot is requested at once: on its own system, the scan goes on if that comes back soon enough.
      if let scanEnd = waits.scanEnd, seconds > 0 {
        let end = now + .seconds(seconds) + scanEnd
        lostScans[task] = LostScan(system: attempt.slot.system, end: end)
      }
    case .succeeded, .withdrawn: break
    }
    guard wait > .zero else { return retry(task, story) }
    waiting.add(task, until: now + wait)
    return []
  }

  /// This engagement has told a scan to end. Returns how long its task has to wait: if the system turns out to be out of
  /// reach meanwhile, it has not been told (``systemLost(_:cancelledWithin:at:)``).
  mutating func cancelled(_ attempt: Attempt) -> Duration {
    guard let scanEnd = settings.retryWaits.scanEnd else { return .zero }
    guard attempt.slot.system != ownSystem else { return scanEnd }
    cancelledScans[attempt.task] = attempt.slot.system
    return scanEnd + settings.longestSilence
  }

  /// Requests slots for the tasks whose waits are over.
  mutating func retryWaiting(at now: Instant) -> [EngagementAction] {
    var actions: [EngagementAction] = []
    while let task = waiting.removeFirst(at: now) {
      if !cancelledScans.isEmpty { cancelledScans[task] = nil }
      actions += retry(task, stories[task] ?? TaskStory())
    }
    return actions
  }

  /// Has a task wait on, for which a slot was granted, while a scan of it may run on a system that was lost.
  ///
  /// - Returns: whether it waits.
  mutating func waitsForLostScan(of task: TaskID, on system: Incarnation, at now: Instant) -> Bool {
    guard !lostScans.isEmpty, let lost = lostScans[task] else { return false }
    // A system that comes back has cancelled the scan, which takes a moment to end, or goes on with it for this task.
    guard now < lost.end, !(lost.isBack && system == lost.system) else {
      lostScans[task] = nil
      return false
    }
    var end = lost.end
    if system == lost.system {
      lostScans[task]?.isBack = true
      end = min(end, now + (settings.retryWaits.scanEnd ?? .zero))
    }
    quarantined.remove(task)
    waiting.add(task, until: end)
    return true
  }

  /// Requests a slot for a task that failed. It gets one before new tasks do, and on another system if
  /// there is one. A suspect waits.
  mutating func retry(_ task: TaskID, _ story: TaskStory) -> [EngagementAction] {
    if mayBePoison(story) {
      poisonSuspects.append(task)
      return []
    }
    return [requestSlot(for: task, story, story.deaths > 0 ? .sparesLocal : .none)]
  }

  mutating func requestSlot(
    for task: TaskID, _ story: TaskStory, _ caution: SlotRequest.Caution
  ) -> EngagementAction {
    var avoided = story.systems
    if let ownSystem, story.deaths > 0 {
      // If the task kills this process's own system, the engagement dies with it.
      avoided = avoided.filter { $0 != ownSystem } + [ownSystem]
    }
    let request = RetryRequest(avoiding: avoided, caution: caution)
    retries[task] = request
    tasksAwaitingSlots.insert(task)
    log.add(task, .asked)
    return .requestSlot(for: task, avoiding: request.avoiding, caution: caution)
  }
}
