import DequeModule

/// How a possible poison task is kept from doing more harm.
extension Engagement {
  /// Whether a task is a suspect, as it ran on two systems when they died. It is kept for last.
  func mayBePoison(_ story: TaskStory) -> Bool { story.deaths >= 2 }

  /// Requests slots for the suspects once every other task is handed out.
  ///
  /// Each suspect gets a system to itself, so that no other task is blamed if the system dies. It may
  /// use this process's own system only when nothing else is left to do, and then one suspect at a
  /// time, because the engagement may end there.
  mutating func requestQuarantine() -> [EngagementAction] {
    guard phase == .running, fresh.isEmpty else { return [] }
    guard !poisonSuspects.isEmpty || !quarantined.isEmpty else { return [] }
    var last: TaskID?
    if accepted == 0, flights.isEmpty, waiting.isEmpty, retries.count == quarantined.count,
      !retries.values.contains(where: { $0.caution == .quarantine })
    {
      last = quarantined.min() ?? poisonSuspects.first
    }
    var actions: [EngagementAction] = []
    if let last, quarantined.contains(last) {
      actions.append(requestSlot(for: last, stories[last] ?? TaskStory(), .quarantine))
    }
    while let task = poisonSuspects.popFirst() {
      quarantined.insert(task)
      let caution: SlotRequest.Caution = task == last ? .quarantine : .remoteQuarantine
      actions.append(requestSlot(for: task, stories[task] ?? TaskStory(), caution))
    }
    return actions
  }

  /// Clears all tasks of the loss of these systems: no task killed them. A task that was spared only
  /// for the sake of these losses is given up.
  mutating func forgive(_ systems: [Incarnation]) -> [EngagementAction] {
    var actions: [EngagementAction] = []
    for system in systems { losses.returned(system) }
    for task in stories.filter({ $0.value.deaths > 0 }).keys.sorted() {
      var isForgiven = false
      for system in systems where stories[task]?.returned(system) == true {
        log.add(task, .forgiven)
        actions.append(.forgive(task, system))
        isForgiven = true
      }
      guard let story = stories[task] else { continue }
      if isForgiven { actions += reconsider(task, story) }
      actions += giveUpIfAlone(task, story)
    }
    return actions
  }

  /// Gives up a waiting task that ran at enough deaths, if no system is left that died without it.
  /// Only such systems made bad luck likely.
  private mutating func giveUpIfAlone(_ task: TaskID, _ story: TaskStory) -> [EngagementAction] {
    guard phase == .running, story.deaths >= settings.deaths,
      losses.innocents(atDeaths: story.deaths, on: story.dead) == 0
    else { return [] }
    // A task in flight is judged when its attempt ends.
    return stopWaiting(task) ? [giveUp(task, story)] : []
  }

  /// Requests a slot under less caution for a task that now has fewer deaths.
  private mutating func reconsider(_ task: TaskID, _ story: TaskStory) -> [EngagementAction] {
    // One that waits for its time is judged when that has come.
    guard phase == .running, !mayBePoison(story), !waiting.contains(task) else { return [] }
    let former = retries[task]
    guard stopWaiting(task) else { return [] }
    let request = retry(task, story)
    return retries[task] == former ? [] : request
  }

  /// Takes a task out of where it waits to be retried. Returns whether it waited.
  private mutating func stopWaiting(_ task: TaskID) -> Bool {
    if let place = poisonSuspects.firstIndex(of: task) {
      poisonSuspects.remove(at: place)
    } else if retries.removeValue(forKey: task) == nil, !waiting.remove(task) {
      return false
    }
    quarantined.remove(task)
    return true
  }

  /// Whether a waiting attempt may move to this system. Where its task has been it could wait again,
  /// and so go round for ever; it may come home, though, once from each place. A suspect may not move
  /// at all: the system that it waits on may be dead already, and cancelling the attempt would hide
  /// that the suspect killed it.
  func maySteal(_ attempt: Attempt, to system: Incarnation) -> Bool {
    guard let story = stories[attempt.task] else { return true }
    if mayBePoison(story) { return false }
    return system == ownSystem ? story.deaths == 0 : !story.systems.contains(system)
  }
}
