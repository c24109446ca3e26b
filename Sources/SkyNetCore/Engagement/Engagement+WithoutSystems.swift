import DequeModule

/// How an engagement waits for systems while there are none.
extension Engagement {
  mutating func setSystemCount(_ count: Int, drained: Int, at now: Instant) {
    if count > 0 { hadSystem = true }
    // A drained system is kept for later by the person who drained it, however long that takes.
    waitsForDrained = count == 0 && drained > 0 && hadSystem
    if count > 0 || waitsForDrained {
      noSystemSince = nil
    } else if noSystemSince == nil {
      noSystemSince = now
    }
  }

  /// When the engagement no longer waits for a system; `nil` while it does not wait for one, and
  /// after an interruption.
  var systemDeadline: Instant? {
    guard phase == .running, isInNeed, let noSystemSince else { return nil }
    return noSystemSince + (hadSystem ? settings.noSystemTimeout : settings.firstSystemTimeout)
  }

  /// While a growing job waits for its next part and has nothing to scan, systems may come and go as
  /// they like. The first system is needed in any case.
  var isInNeed: Bool { growth == .ended || !isEmpty || !flights.isEmpty || !hadSystem }

  /// Abandons all tasks that wait, because no system came before the deadline. An engagement that
  /// never had a system ends instead.
  mutating func giveUpOnSystems(at now: Instant) -> [EngagementAction] {
    guard hadSystem else {
      guard flights.isEmpty else {
        // All systems that take tasks were unsuited, and one that leaves still scans: the wait begins anew.
        (hadSystem, noSystemSince) = (true, now)
        return systemDeadline.map { [.waitForSystem(until: $0)] } ?? []
      }
      phase = .finished
      return [.noSystem]
    }
    let tried = Set(retries.keys).union(poisonSuspects).union(waiting.tasks)
    retries = [:]
    poisonSuspects = []
    waiting = WaitingTasks()
    (lostScans, cancelledScans) = ([:], [:])
    quarantined.subtract(tried)
    var actions: [EngagementAction] = []
    for task in tried.sorted() + fresh.flatMap(\.tasks) {
      var story = stories.removeValue(forKey: task) ?? TaskStory()
      story.add("no system was left to scan it")
      log.add(task, .abandoned)
      actions.append(.abandon(task, story))
    }
    fresh = []
    // Further parts would find no system either. But where nothing had to be abandoned, they get a
    // wait of their own: without a failure, nobody would hear that they are missing.
    if !actions.isEmpty { growth = .ended }
    // A scan that still runs on a draining system may fail or add tasks. Those end at the next
    // deadline.
    noSystemSince = now
    return actions + finishIfDone()
  }
}
