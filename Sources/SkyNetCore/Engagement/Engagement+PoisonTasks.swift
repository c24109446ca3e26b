import DequeModule

/// How tasks are tried again: what may kill a system, so that it does least harm.
extension Engagement {
  /// A task that ran on this many systems when they died may be a poison task: it is kept for last.
  private static let suspectDeaths = 2

  func mayBePoison(_ story: TaskStory) -> Bool {
    story.deaths >= Self.suspectDeaths
  }

  mutating func handOutAgain(_ task: TaskID, _ story: TaskStory) -> [EngagementAction] {
    if mayBePoison(story) {
      poisonSuspects.append(task)
      return []
    }
    return [ask(for: task, story, story.deaths > 0 ? .sparesLocal : .none)]
  }

  private mutating func ask(
    for task: TaskID, _ story: TaskStory, _ caution: SlotRequest.Caution
  ) -> EngagementAction {
    let wish = Wish(avoiding: systemsToAvoid(story), caution: caution)
    retries[task] = wish
    awaited.insert(task)
    log.add(Transition(task, .asked))
    return .requestSlot(for: task, avoiding: wish.avoiding, caution: caution)
  }

  /// Where its attempts failed; and of what may have killed a system the own one last, as with it
  /// dies the engagement.
  private func systemsToAvoid(_ story: TaskStory) -> [Incarnation] {
    guard let ownSystem, story.deaths > 0 else { return story.systems }
    return story.systems.filter { $0 != ownSystem } + [ownSystem]
  }

  /// A task that may kill the system that scans it waits until all others are handed out, and then has a
  /// system for itself: it can do the least harm there, and no other is taken for it. Other systems
  /// go on meanwhile. For the own one it waits until nothing else is left at all, and goes by itself:
  /// the engagement may end there.
  mutating func tryPoisonSuspects() -> [EngagementAction] {
    guard phase == .running, !poisonSuspects.isEmpty || !quarantined.isEmpty else { return [] }
    guard fresh.isEmpty else { return [] }
    var last: TaskID?
    if accepted == 0, flights.isEmpty, retries.count == quarantined.count,
      !retries.values.contains(where: { $0.caution == .quarantine })
    {
      last = quarantined.min() ?? poisonSuspects.first
    }
    var actions: [EngagementAction] = []
    if let last, quarantined.contains(last) {
      actions.append(ask(for: last, stories[last] ?? TaskStory(), .quarantine))
    }
    while let task = poisonSuspects.popFirst() {
      quarantined.insert(task)
      let caution: SlotRequest.Caution = task == last ? .quarantine : .remoteQuarantine
      actions.append(ask(for: task, stories[task] ?? TaskStory(), caution))
    }
    return actions
  }

  /// These systems were lost, and no task has killed them.
  ///
  /// What waits for a slot because of their deaths is asked for anew.
  mutating func forgive(_ systems: [Incarnation]) -> [EngagementAction] {
    var actions: [EngagementAction] = []
    for system in systems { losses.returned(system) }
    for task in stories.filter({ $0.value.deaths > 0 }).keys.sorted() {
      var isForgiven = false
      for system in systems where stories[task]?.returned(system) == true {
        log.add(Transition(task, .forgiven))
        actions.append(.forgive(task, system))
        isForgiven = true
      }
      if isForgiven, let story = stories[task] { actions += reconsider(task, story) }
    }
    return actions
  }

  /// A task has fewer deaths than before.
  private mutating func reconsider(_ task: TaskID, _ story: TaskStory) -> [EngagementAction] {
    guard phase == .running, !mayBePoison(story) else { return [] }
    if let place = poisonSuspects.firstIndex(of: task) {
      poisonSuspects.remove(at: place)
      return handOutAgain(task, story)
    }
    guard let wish = retries[task] else { return [] }
    quarantined.remove(task)
    let request = ask(for: task, story, story.deaths > 0 ? .sparesLocal : .none)
    return retries[task] == wish ? [] : [request]
  }

  /// Whether an attempt that only waits may be moved to this system. Where its task has been before
  /// it would wait again, and so go round for ever. A task that may be poison may not move: its system may be dead
  /// already, and cancelling would hide what died of it.
  func maySteal(_ attempt: Attempt, to system: Incarnation) -> Bool {
    guard let story = stories[attempt.task] else { return true }
    return !story.systems.contains(system) && !mayBePoison(story)
      && !(system == ownSystem && story.deaths > 0)
  }
}
