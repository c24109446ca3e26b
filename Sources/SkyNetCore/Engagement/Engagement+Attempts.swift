import DequeModule

/// How attempts begin and end.
extension Engagement {
  /// A task is taken for a poison task only if fewer innocent tasks than this are to be
  /// expected to have met with as many.
  private static let tolerableInnocents = 0.05

  /// - Parameters:
  ///   - rival: the attempt at the same task that this one is to overtake.
  ///   - hasStory: whether the task may have one.
  /// - Returns: the attempt.
  @discardableResult mutating func begin(
    _ task: TaskID, on slot: Slot, rival: Attempt.ID? = nil, hasStory: Bool = true,
    at now: Instant, adding actions: inout [EngagementAction]
  ) -> Attempt.ID {
    losses.attempts += 1
    if hasStory { stories[task]?.began() }
    let story = hasStory ? stories[task] : nil
    let ordinal = story?.attempts ?? 1
    let attempt = Attempt(
      id: attemptNumbers.next(), task: task, slot: slot, ordinal: ordinal, isHedge: rival != nil,
      failuresBefore: story?.thrown ?? 0)
    stalls.began(isFirst: flights.isEmpty, at: now)
    // What is tried again may run for long already: it goes on where its connection broke.
    let isWatched = settings.scanTimeout != nil || stragglers != nil || story != nil
    flights[attempt.id] = Flight(
      attempt: attempt, rival: rival, begun: now, isWatched: isWatched, hasStory: story != nil)
    log.add(Transition(attempt, rival == nil ? .began : .hedged))
    // One that has a rival is tried twice already.
    if rival == nil { stragglers?.began(attempt, at: now) }
    actions.append(.begin(attempt))
    if isWatched { actions.append(.reportStart(attempt)) }
    return attempt.id
  }

  /// An attempt is no longer in flight.
  mutating func land(_ id: Attempt.ID, at now: Instant) -> Flight? {
    guard let flight = flights.removeValue(forKey: id) else { return nil }
    stalls.left(isLast: flights.isEmpty, at: now)
    limits.ended(id)
    attemptNumbers.free(id)
    stragglers?.ended(id)
    return flight
  }

  mutating func succeeded(
    _ flight: Flight, in seconds: Double, at now: Instant
  ) -> [EngagementAction] {
    let attempt = flight.attempt
    let story = flight.hasStory ? stories.removeValue(forKey: attempt.task) : nil
    let attempts = story?.attempts ?? attempt.ordinal
    times[attempt.task.pass, default: ScanTimes()].add(seconds)
    accepted += 1
    log.add(Transition(attempt, .accepted))
    if !quarantined.isEmpty { quarantined.remove(attempt.task) }
    var actions = [EngagementAction.accept(attempt, attempts: attempts, seconds: seconds)]
    if let rival = flight.rival, let beaten = land(rival, at: now)?.attempt {
      log.add(Transition(beaten, .outpaced))
      actions += [.cancel(beaten), .ended(beaten, .outpaced)]
    }
    return actions
  }

  mutating func failed(
    _ flight: Flight, _ outcome: AttemptOutcome, at now: Instant
  ) -> [EngagementAction] {
    let attempt = flight.attempt
    log.add(Transition(attempt, outcome.step))
    let story = tell(attempt, outcome)
    var actions = [EngagementAction.ended(attempt, outcome)]
    if let rival = flight.rival, flights[rival] != nil {
      goesOnAlone(rival, at: now)
      return actions
    }
    quarantined.remove(attempt.task)
    if isHopeless(story) {
      stories[attempt.task] = nil
      log.add(Transition(attempt.task, .gaveUp))
      actions.append(.giveUp(attempt.task, story))
    } else if phase == .running {
      // Which systems come and go is told anyway; of dozens of tasks that waited there, none failed.
      if outcome.isFailure, let last = story.failures.last {
        actions.append(.rerun(attempt.task, last))
      }
      actions += handOutAgain(attempt.task, story)
    }
    return actions + finishIfDone()
  }

  /// Adds an attempt's end to its task's story.
  mutating func tell(_ attempt: Attempt, _ outcome: AttemptOutcome) -> TaskStory {
    if case .lost(_, hadStarted: true) = outcome { losses.lost(on: attempt.slot.system) }
    var story = story(of: attempt)
    story.ended(outcome, on: attempt.slot.system, named: attempt.slot.name)
    stories[attempt.task] = story
    return story
  }

  /// The story of an attempt's task. One that begins here begins with this attempt.
  func story(of attempt: Attempt) -> TaskStory {
    if let story = stories[attempt.task] { return story }
    var story = TaskStory()
    story.began()
    return story
  }

  /// The other attempt at its task failed.
  private mutating func goesOnAlone(_ id: Attempt.ID, at now: Instant) {
    flights[id]?.rival = nil
    guard let flight = flights[id] else { return }
    stragglers?.began(flight.attempt, at: now)
    guard let start = flight.start else { return }
    let mayStraggle = mayStraggle(flight)
    stragglers?.started(id, at: start, mayStraggle: mayStraggle)
  }

  func isHopeless(_ story: TaskStory) -> Bool {
    story.thrown >= settings.attempts || isPoison(story)
  }

  private func isPoison(_ story: TaskStory) -> Bool {
    guard story.deaths >= settings.deaths else { return false }
    return story.deaths >= 2 * settings.deaths
      || losses.innocents(atDeaths: story.deaths, on: story.dead) < Self.tolerableInnocents
  }

  // MARK: Going on from an earlier process

  mutating func resume(
    _ tasks: [TaskRange], _ stories: [TaskID: TaskStory]
  ) -> [EngagementAction] {
    var actions: [EngagementAction] = []
    var apart: [TaskID] = []
    // Those that ran at fewer deaths go first: a process that is killed from outside, again and
    // again, is then not each time at the same one.
    let byDeaths = stories.sorted { ($0.value.deaths, $0.key) < ($1.value.deaths, $1.key) }
    for (task, story) in byDeaths {
      if isHopeless(story) {
        log.add(Transition(task, .gaveUp))
        actions.append(.giveUp(task, story))
        apart.append(task)
        continue
      }
      self.stories[task] = story
      guard story.deaths > 0 else {
        freshHaveStories = true
        continue
      }
      apart.append(task)
      actions += handOutAgain(task, story)
    }
    add(tasks.subtracting(apart.sorted()))
    return actions
  }
}
