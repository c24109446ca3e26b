import DequeModule

/// What is done with idle slots when nothing is left to hand out, so that an engagement does not
/// wait for its slowest system.
extension Engagement {
  /// A scan is not tried twice before it ran for this long, however short its like are.
  private static let leastPatience = Duration.milliseconds(100)

  mutating func wishForIdleSlot(at now: Instant) -> [EngagementAction] {
    guard hasNothingFresh else { return dropIdleWish() }
    let entry = stragglers == nil ? watchStragglers(at: now) : []
    let patience = hedgePatience
    stragglers?.advance(to: now, patience: patience)
    guard stragglers?.hasCandidates == true, let useless = stragglers?.useless else {
      return entry + dropIdleWish()
    }
    guard useless != idleWish else { return entry }
    idleWish = useless
    return entry + [.requestIdleSlot(excluding: useless)]
  }

  mutating func dropIdleWish() -> [EngagementAction] {
    guard idleWish != nil else { return [] }
    idleWish = nil
    return [.withdrawIdleSlot]
  }

  /// What an idle slot is good for; `nil` if for nothing.
  mutating func use(idle slot: Slot, at now: Instant) -> [EngagementAction]? {
    switch takeCandidate(for: slot.system) {
    case .steal(let attempt):
      _ = land(attempt.id, at: now)
      log.add(Transition(attempt, .stolen))
      _ = tell(attempt, .stolen)
      var actions: [EngagementAction] = [.cancel(attempt), .ended(attempt, .stolen)]
      begin(attempt.task, on: slot, at: now, adding: &actions)
      return actions
    case .hedge(let attempt):
      stories[attempt.task] = story(of: attempt)
      var actions: [EngagementAction] = []
      let rival = begin(attempt.task, on: slot, rival: attempt.id, at: now, adding: &actions)
      flights[attempt.id]?.rival = rival
      flights[attempt.id]?.hasStory = true
      return actions
    case nil: return nil
    }
  }

  private mutating func takeCandidate(for system: Incarnation) -> Stragglers.Candidate? {
    guard hasNothingFresh, var stragglers else { return nil }
    // Changed in place: a copy would take as long as there are attempts in flight.
    self.stragglers = nil
    defer { self.stragglers = stragglers }
    return stragglers.take(for: system) { maySteal($0, to: system) }
  }

  /// Whether a second attempt may be made at what this one is at: also where an earlier one failed,
  /// as a slow system is no better. Not at what may kill systems, or has no failures left.
  func mayStraggle(_ flight: Flight) -> Bool {
    guard settings.hedgeFactor != nil else { return false }
    guard flight.hasStory, let story = stories[flight.attempt.task] else { return true }
    return story.deaths == 0 && !isHopeless(story)
  }

  var nextOfStragglers: Instant? {
    hasNothingFresh ? stragglers?.next(patience: hedgePatience) : nil
  }

  /// More tasks than are in flight end the watch for stragglers; fewer, and it is kept, as making it takes as long
  /// as there are attempts in flight.
  mutating func add(_ tasks: [TaskRange]) {
    fresh.append(contentsOf: tasks.filter { !$0.sectors.isEmpty })
    if tasks.reduce(0, { $0 + $1.sectors.count }) > flights.count { stragglers = nil }
  }

  /// A task that waits to be tried again is no reason to let others wait: it is served before them,
  /// so that what is idle all the same is on a system that it avoids.
  private var hasNothingFresh: Bool { phase == .running && fresh.isEmpty }

  private mutating func watchStragglers(at now: Instant) -> [EngagementAction] {
    var stragglers = Stragglers()
    var actions: [EngagementAction] = []
    for id in flights.numbers {
      guard let flight = flights[id], flight.rival == nil else { continue }
      stragglers.began(flight.attempt, at: now)
      if let start = flight.start {
        stragglers.started(flight.attempt.id, at: start, mayStraggle: mayStraggle(flight))
      } else if !flight.isWatched {
        flights[flight.attempt.id]?.isWatched = true
        actions.append(.reportStart(flight.attempt))
      }
    }
    self.stragglers = stragglers
    return actions
  }

  /// How long the scans of a pass may run before they straggle, if any has ended.
  private var hedgePatience: (_ pass: Int) -> Duration? {
    let (times, factor) = (times, settings.hedgeFactor)
    return { pass in
      guard let factor, let median = times[pass]?.median else { return nil }
      return max(median * factor, Self.leastPatience)
    }
  }
}
