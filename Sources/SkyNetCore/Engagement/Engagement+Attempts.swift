import DequeModule

/// How attempts begin and end.
extension Engagement {
  /// A task counts as poison only if fewer innocent tasks than this are expected to have met as
  /// many deaths.
  private static let tolerableInnocents = 0.05

  /// - Parameter rival: the attempt in flight that the new one hedges.
  @discardableResult mutating func begin(
    _ task: TaskID, on slot: Slot, rival: Attempt.ID? = nil, recalls: UInt8 = 0,
    at now: Instant, adding actions: inout [EngagementAction]
  ) -> Attempt.ID {
    losses.attempts += 1
    // A system may come, be given a task and go before the engagement is told that it came.
    hadSystem = true
    if noSystemSince != nil { noSystemSince = now }
    var story: TaskStory?
    // Nearly no task has a story, and as a rule there is none to look up.
    if !stories.isEmpty {
      stories[task]?.began()
      story = stories[task]
    }
    let ordinal = story?.attempts ?? 1
    let attempt = Attempt(
      id: attemptKeys.makeKey(), task: task, slot: slot, ordinal: ordinal, isHedge: rival != nil,
      recalls: recalls, failuresBefore: Int32(clamping: story?.thrown ?? 0))
    stalls.began(isFirst: flights.isEmpty, at: now)
    // The scan of a repeated task may have run for long already: a node goes on with it when its
    // coordinator reconnects.
    let isWatched = settings.scanTimeout != nil || stragglers != nil || story != nil
    flights[attempt.id] = Flight(
      attempt: attempt, rival: rival, handOutTime: now, isWatched: isWatched)
    log.add(attempt, rival == nil ? .began : .hedged)
    // A task with two attempts in flight is not hedged again.
    if rival == nil { stragglers?.began(attempt, at: now) }
    actions.append(.begin(attempt))
    if isWatched { actions.append(.reportStart(attempt)) }
    return attempt.id
  }

  mutating func removeFlight(_ id: Attempt.ID, at now: Instant) -> Flight? {
    guard let flight = flights.removeValue(forKey: id) else { return nil }
    stalls.left(isLast: flights.isEmpty, at: now)
    limits.ended(id)
    attemptKeys.free(id)
    stragglers?.ended(id)
    return flight
  }

  mutating func succeeded(
    _ flight: Flight, in seconds: Double, at now: Instant
  ) -> [EngagementAction] {
    let attempt = flight.attempt
    let story = stories.isEmpty ? nil : stories.removeValue(forKey: attempt.task)
    let attempts = story?.attempts ?? attempt.ordinal
    times[attempt.task.pass, default: ScanTimes()].add(seconds)
    accepted += 1
    locality?.scanned(attempt.task.sector, by: attempt.slot.system)
    log.add(attempt, .accepted)
    if !quarantined.isEmpty { quarantined.remove(attempt.task) }
    var actions = [EngagementAction.accept(attempt, attempts: attempts, seconds: seconds)]
    if let rival = flight.rival, let beaten = removeFlight(rival, at: now)?.attempt {
      log.add(beaten, .outpaced)
      actions += [.cancel(beaten), .ended(beaten, .outpaced)]
    }
    return actions
  }

  /// - Parameter wasCancelled: whether this engagement has told the scan to end, so that it may still run.
  mutating func failed(
    _ flight: Flight, _ outcome: AttemptOutcome, wasCancelled: Bool = false, at now: Instant
  ) -> [EngagementAction] {
    let attempt = flight.attempt
    log.add(attempt, outcome.step)
    if case .lost = outcome { locality?.lost(attempt.slot.system) }
    let story = recordEnd(of: attempt, outcome)
    var actions = [EngagementAction.ended(attempt, outcome)]
    if let rival = flight.rival, let remaining = flights[rival] {
      if outcome.isUnmendable {
        _ = removeFlight(rival, at: now)
        log.add(remaining.attempt, .withdrawn)
        actions += [.cancel(remaining.attempt), .ended(remaining.attempt, .futile)]
        quarantined.remove(attempt.task)
        actions.append(giveUp(attempt.task, story))
        return actions + finishIfDone()
      }
      // The rival goes on alone, and may be hedged again.
      flights[rival]?.rival = nil
      stragglers?.began(remaining.attempt, at: now)
      if let start = remaining.scanStart {
        let mayHedge = mayHedge(remaining)
        stragglers?.started(rival, at: start, mayHedge: mayHedge)
      }
      return actions
    }
    quarantined.remove(attempt.task)
    if isHopeless(story) || outcome.isUnmendable {
      actions.append(giveUp(attempt.task, story))
    } else if phase == .running {
      // The loss of a system is reported once. None of the dozens of tasks that merely waited there
      // has failed.
      if outcome.isFailure, let last = story.failures.last {
        actions.append(.rerun(attempt.task, last))
      }
      actions += retry(attempt, story, after: outcome, wasCancelled: wasCancelled, at: now)
    }
    return actions + finishIfDone()
  }

  mutating func recordEnd(of attempt: Attempt, _ outcome: AttemptOutcome) -> TaskStory {
    if case .lost(_, _, hadStarted: true) = outcome { losses.lost(on: attempt.slot.system) }
    var story = story(of: attempt)
    story.ended(outcome, on: attempt.slot.system, named: name(of: attempt.slot))
    stories[attempt.task] = story
    return story
  }

  /// The story of an attempt's task, which may begin with this attempt.
  func story(of attempt: Attempt) -> TaskStory {
    if let story = stories[attempt.task] { return story }
    var story = TaskStory()
    story.began()
    return story
  }

  mutating func giveUp(_ task: TaskID, _ story: TaskStory) -> EngagementAction {
    var story = story
    if story.tries >= settings.ceiling {
      story.add("no task is tried more than \(story.tries) times")
    }
    stories[task] = nil
    if !lostScans.isEmpty { lostScans[task] = nil }
    log.add(task, .gaveUp)
    return .giveUp(task, story)
  }

  func isHopeless(_ story: TaskStory) -> Bool {
    if story.thrown >= settings.attempts || story.tries >= settings.ceiling { return true }
    guard story.deaths >= settings.deaths else { return false }
    return story.deaths >= 2 * settings.deaths
      || losses.innocents(atDeaths: story.deaths, on: story.dead) < Self.tolerableInnocents
  }

  // MARK: Resuming the work of an earlier process

  mutating func resume(
    _ tasks: [TaskRange], _ stories: [TaskID: TaskStory], at now: Instant
  ) -> [EngagementAction] {
    var actions: [EngagementAction] = []
    var excluded: [TaskID] = []
    // Tasks with fewer deaths go first, so that something else that kills the process again and
    // again does not hit the same task each time.
    let byDeaths = stories.sorted { ($0.value.deaths, $0.key) < ($1.value.deaths, $1.key) }
    for (task, story) in byDeaths {
      if isHopeless(story) {
        actions.append(giveUp(task, story))
        excluded.append(task)
        continue
      }
      self.stories[task] = story
      // The earlier process may have ended a moment ago, and what it had run may not.
      let wait =
        story.isLeftElsewhere == true ? settings.waitForEarlierScans : settings.retryWaits.scanEnd
      if let wait {
        excluded.append(task)
        waiting.add(task, until: now + wait)
        continue
      }
      guard story.deaths > 0 else { continue }
      excluded.append(task)
      actions += retry(task, story)
    }
    let left = tasks.subtracting(TaskRuns(excluded.sorted()))
    // The parts in progress go on, as if their outputs had come now.
    add(isGrowing ? left.filter { $0.pass == 0 } : left)
    if isGrowing { add(left.filter { $0.pass > 0 }, first: true) }
    return actions
  }
}
