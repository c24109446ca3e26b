import DequeModule

/// How idle slots are used once nothing is left to hand out, so that an engagement does not wait
/// for its slowest system.
extension Engagement {
  /// No scan is hedged before it has run for this long, however short the other scans of its pass
  /// are.
  private static let leastPatience = Duration.milliseconds(100)

  /// Requests an idle slot if one would help an attempt; withdraws the request if none would.
  mutating func updateIdleSlotRequest(at now: Instant) -> [EngagementAction] {
    guard hasNoFreshTasks else { return withdrawIdleSlotRequest() }
    let watchActions = stragglers == nil ? watchStragglers(at: now) : []
    let patience = hedgePatience
    stragglers?.advance(to: now, patience: patience)
    guard let excluded = stragglers?.unhelpfulSystems else {
      return watchActions + withdrawIdleSlotRequest()
    }
    guard excluded != idleSlotExclusions else { return watchActions }
    idleSlotExclusions = excluded
    return watchActions + [.requestIdleSlot(excluding: excluded)]
  }

  mutating func withdrawIdleSlotRequest() -> [EngagementAction] {
    guard idleSlotExclusions != nil else { return [] }
    idleSlotExclusions = nil
    return [.withdrawIdleSlot]
  }

  /// Uses an idle slot for the attempt that gains most from it. Returns `nil` if it helps none.
  mutating func use(idle slot: Slot, at now: Instant) -> [EngagementAction]? {
    switch takeCandidate(for: slot.system) {
    case .steal(let attempt):
      _ = removeFlight(attempt.id, at: now)
      log.add(attempt, .stolen)
      _ = recordEnd(of: attempt, .stolen)
      var actions: [EngagementAction] = [.cancel(attempt), .ended(attempt, .stolen)]
      if settings.retryWaits.scanEnd != nil {
        // The scan may have started a moment ago.
        waiting.add(attempt.task, until: now + cancelled(attempt))
        return actions + [.release(slot)]
      }
      let recalls = min(attempt.recalls + 1, Stragglers.mostDoublings)
      begin(attempt.task, on: slot, recalls: recalls, at: now, adding: &actions)
      return actions
    case .hedge(let attempt):
      stories[attempt.task] = story(of: attempt)
      var actions: [EngagementAction] = []
      let rival = begin(attempt.task, on: slot, rival: attempt.id, at: now, adding: &actions)
      flights[attempt.id]?.rival = rival
      return actions
    case nil: return nil
    }
  }

  private mutating func takeCandidate(for system: Incarnation) -> Stragglers.Candidate? {
    guard hasNoFreshTasks, var stragglers else { return nil }
    // Taken out while it changes: a copy would take time in proportion to the attempts in flight.
    self.stragglers = nil
    defer { self.stragglers = stragglers }
    return stragglers.take(for: system) { maySteal($0, to: system) }
  }

  /// A task that may kill systems, or that has no failures left, is not hedged.
  func mayHedge(_ flight: Flight) -> Bool {
    guard settings.hedgeFactor != nil else { return false }
    guard let story = stories[flight.attempt.task] else { return true }
    return story.deaths == 0 && !isHopeless(story)
  }

  var nextStragglerLook: Instant? {
    hasNoFreshTasks ? stragglers?.next(patience: hedgePatience) : nil
  }

  /// Adds tasks to hand out. If they outnumber the attempts in flight, the watch for stragglers
  /// ends. Otherwise it is kept, because setting it up takes a while for each attempt in flight.
  mutating func add(_ tasks: [TaskRange], first: Bool = false) {
    let added = tasks.filter { !$0.sectors.isEmpty }
    if first {
      fresh.prepend(contentsOf: added)
    } else {
      fresh.append(contentsOf: added)
    }
    if tasks.reduce(0, { $0 + $1.sectors.count }) > flights.count { stragglers = nil }
  }

  /// Tasks that wait to be retried do not count: they are served first, so a slot that is idle all the
  /// same is on a system that they avoid.
  private var hasNoFreshTasks: Bool { phase == .running && fresh.isEmpty }

  private mutating func watchStragglers(at now: Instant) -> [EngagementAction] {
    // Where a move costs a wait, an attempt is moved only when it has waited as long.
    let wait = settings.retryWaits.scanEnd.map { $0 + settings.longestSilence }
    var stragglers = Stragglers(transit: wait ?? .milliseconds(50))
    var actions: [EngagementAction] = []
    for id in flights.keys {
      guard let flight = flights[id], flight.rival == nil else { continue }
      stragglers.began(flight.attempt, at: now)
      if let start = flight.scanStart {
        stragglers.started(flight.attempt.id, at: start, mayHedge: mayHedge(flight))
      } else if !flight.isWatched {
        flights[flight.attempt.id]?.isWatched = true
        actions.append(.reportStart(flight.attempt))
      }
    }
    self.stragglers = stragglers
    return actions
  }

  /// How long a scan of this pass may run before it straggles. `nil` until a scan of the pass has
  /// ended.
  private var hedgePatience: (_ pass: Int) -> Duration? {
    let (times, factor) = (times, settings.hedgeFactor)
    return { pass in
      guard let factor, let median = times[pass]?.median else { return nil }
      return max(median * factor, Self.leastPatience)
    }
  }
}
