import DequeModule

/// How failed tasks are handed out again, and how a possible poison task is kept from doing more
/// harm.
extension Engagement {
  /// A task that ran on this many systems when they died is a suspect. It is kept for last.
  private static let suspectDeaths = 2

  func mayBePoison(_ story: TaskStory) -> Bool {
    story.deaths >= Self.suspectDeaths
  }

  mutating func retry(_ task: TaskID, _ story: TaskStory) -> [EngagementAction] {
    if mayBePoison(story) {
      poisonSuspects.append(task)
      return []
    }
    return [requestSlot(for: task, story, story.deaths > 0 ? .sparesLocal : .none)]
  }

  private mutating func requestSlot(
    for task: TaskID, _ story: TaskStory, _ caution: SlotRequest.Caution
  ) -> EngagementAction {
    let request = RetryRequest(avoiding: systemsToAvoid(story), caution: caution)
    retries[task] = request
    tasksAwaitingSlots.insert(task)
    log.add(task, .asked)
    return .requestSlot(for: task, avoiding: request.avoiding, caution: caution)
  }

  /// The systems on which the task failed, the last one last. If the task may have killed a system,
  /// this process's own system comes last of all, because the engagement would die with it.
  private func systemsToAvoid(_ story: TaskStory) -> [Incarnation] {
    guard let ownSystem, story.deaths > 0 else { return story.systems }
    return story.systems.filter { $0 != ownSystem } + [ownSystem]
  }

  /// Requests slots for the suspects once every other task is handed out.
  ///
  /// Each suspect gets a system to itself. There it does the least harm, and if the system dies,
  /// no other task is blamed. Other systems go on meanwhile. A suspect may use this process's own
  /// system only when nothing else is left to do, and then one suspect at a time, because the
  /// engagement may end there.
  mutating func requestQuarantine() -> [EngagementAction] {
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
      actions.append(requestSlot(for: last, stories[last] ?? TaskStory(), .quarantine))
    }
    while let task = poisonSuspects.popFirst() {
      quarantined.insert(task)
      let caution: SlotRequest.Caution = task == last ? .quarantine : .remoteQuarantine
      actions.append(requestSlot(for: task, stories[task] ?? TaskStory(), caution))
    }
    return actions
  }

  /// Clears all tasks of the loss of these systems: no task killed them.
  ///
  /// A task that waits for a slot under a caution that no longer applies is requested anew. A task
  /// that was spared only for the sake of these losses is given up.
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
  /// Only such systems made bad luck likely, and each of them has proved to be alive since, or was
  /// killed by its place.
  private mutating func giveUpIfAlone(_ task: TaskID, _ story: TaskStory) -> [EngagementAction] {
    guard phase == .running, story.deaths >= settings.deaths,
      losses.innocents(atDeaths: story.deaths, on: story.dead) == 0
    else { return [] }
    if let place = poisonSuspects.firstIndex(of: task) {
      poisonSuspects.remove(at: place)
    } else if retries.removeValue(forKey: task) == nil {
      // The task is in flight, and is judged when its attempt ends.
      return []
    }
    quarantined.remove(task)
    stories[task] = nil
    log.add(task, .gaveUp)
    return [.giveUp(task, story)]
  }

  /// Requests a slot under less caution for a task that now has fewer deaths.
  private mutating func reconsider(_ task: TaskID, _ story: TaskStory) -> [EngagementAction] {
    guard phase == .running, !mayBePoison(story) else { return [] }
    if let place = poisonSuspects.firstIndex(of: task) {
      poisonSuspects.remove(at: place)
      return retry(task, story)
    }
    guard let former = retries[task] else { return [] }
    quarantined.remove(task)
    let request = requestSlot(for: task, story, story.deaths > 0 ? .sparesLocal : .none)
    return retries[task] == former ? [] : [request]
  }

  /// Whether a waiting attempt may move to this system. It may not move to a system where its task
  /// has been: it could wait there again, and so go round for ever. A suspect may not move at all.
  /// The system that it waits on may be dead already, and cancelling the attempt would hide that
  /// the suspect killed it.
  func maySteal(_ attempt: Attempt, to system: Incarnation) -> Bool {
    guard let story = stories[attempt.task] else { return true }
    return !story.systems.contains(system) && !mayBePoison(story)
      && !(system == ownSystem && story.deaths > 0)
  }
}
