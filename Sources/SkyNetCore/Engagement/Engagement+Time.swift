import DequeModule

/// What happens because time passes.
extension Engagement {
  mutating func note(systems count: Int, at now: Instant) {
    if count > 0 {
      hadSystem = true
      aloneSince = nil
    } else if aloneSince == nil {
      aloneSince = now
    }
  }

  /// How long to wait for a system while there is none.
  var patience: Duration {
    hadSystem ? settings.noSystemTimeout : settings.firstSystemTimeout
  }

  var patienceEnd: Instant? {
    phase == .running ? aloneSince.map { $0 + patience } : nil
  }

  /// No system was there for as long as one was waited for.
  mutating func withoutSystems(at now: Instant) -> [EngagementAction] {
    guard hadSystem else {
      phase = .finished
      return [.noSystem]
    }
    // No retry's request is wanted any more; those of poison suspects are among them.
    let waiting = Set(retries.keys).union(poisonSuspects)
    retries = [:]
    poisonSuspects = []
    quarantined.subtract(waiting)
    var actions: [EngagementAction] = []
    let none = FailedAttempt(system: "none", reason: "no system was left to scan it")
    for task in waiting.sorted() {
      var story = stories.removeValue(forKey: task) ?? TaskStory()
      story.add(none)
      log.add(Transition(task, .abandoned))
      actions.append(.abandon(task, story))
    }
    for task in fresh.flatMap(\.tasks) {
      var story = stories.removeValue(forKey: task) ?? TaskStory()
      story.add(none)
      log.add(Transition(task, .abandoned))
      actions.append(.abandon(task, story))
    }
    fresh = []
    // What still runs on a system that drains may yet fail, or add tasks: those end next time.
    aloneSince = now
    return actions + finishIfDone()
  }
}
