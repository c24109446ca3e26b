import DequeModule

/// What is done with idle slots when nothing is left to hand out, so that an engagement does not
/// wait for its slowest system.
extension Engagement {
  /// A wish for an idle slot that was told.
  struct IdleWish: Hashable, Sendable {
    let excluded: Incarnation?
  }

  /// A scan is not tried twice before it ran for this long, however short its like are.
  private static let leastPatience = Duration.milliseconds(100)

  mutating func wishForIdleSlot(at now: Instant) -> [EngagementAction] {
    guard isInTail else { return dropIdleWish() }
    let entry = tail == nil ? enterTail(at: now) : []
    let patience = hedgePatience
    tail?.advance(to: now, patience: patience.limit)
    guard let tail, tail.hasCandidates else { return entry + dropIdleWish() }
    let wish = IdleWish(excluded: tail.onlyHolder)
    guard wish != idleWish else { return entry }
    idleWish = wish
    return entry + [.requestIdleSlot(excluding: wish.excluded)]
  }

  mutating func dropIdleWish() -> [EngagementAction] {
    guard idleWish != nil else { return [] }
    idleWish = nil
    return [.withdrawIdleSlot]
  }

  /// What an idle slot is good for; `nil` if for nothing.
  mutating func use(idle slot: Slot, at now: Instant) -> [EngagementAction]? {
    guard isInTail, var tail else { return nil }
    // Out of the way, so that it is changed in place.
    self.tail = nil
    // Where it has been before it would only wait again, and go round for ever.
    let candidate = tail.take(for: slot.system) { attempt in
      !(stories[attempt.task]?.systems.contains(slot.system) ?? false)
    }
    self.tail = tail
    switch candidate {
    case .recall(let attempt):
      _ = land(attempt.id)
      let ending = AttemptEnding.withdrawn(reason: "called back")
      _ = tell(attempt, ending, nil)
      return [.cancel(attempt), .ended(attempt, ending, seconds: nil)]
        + begin(attempt.task, on: slot, at: now)
    case .hedge(let attempt):
      var story = stories[attempt.task] ?? TaskStory()
      if story.attempts == 0 { story.began() }
      stories[attempt.task] = story
      let actions = begin(attempt.task, on: slot, rival: attempt.id, at: now)
      flights[attempt.id]?.rival = nextAttempt
      return actions
    case nil: return nil
    }
  }

  /// Whether a second attempt may be made at what this one is at. Not at what may kill systems, nor
  /// at what has no attempts left.
  func mayStraggle(_ flight: Flight) -> Bool {
    guard settings.hedgeFactor != nil else { return false }
    return stories[flight.attempt.task].map { $0.deaths == 0 && !isHopeless($0) } ?? true
  }

  var nextOfTail: Instant? {
    isInTail ? tail?.next(patience: hedgePatience.limit) : nil
  }

  /// More tasks than are in flight end the tail; fewer, and it is kept, as making it takes as long
  /// as there are attempts in flight.
  mutating func add(_ tasks: [TaskRange]) {
    fresh.append(contentsOf: tasks.filter { !$0.sectors.isEmpty })
    if tasks.reduce(0, { $0 + $1.sectors.count }) > flights.count { tail = nil }
  }

  private var isInTail: Bool { phase == .running && fresh.isEmpty && retries.isEmpty }

  private mutating func enterTail(at now: Instant) -> [EngagementAction] {
    var tail = Tail()
    var actions: [EngagementAction] = []
    for flight in flights.values.sorted(by: { $0.attempt.id < $1.attempt.id }) {
      guard flight.rival == nil else { continue }
      tail.began(flight.attempt, at: now)
      if let start = flight.start {
        tail.started(flight.attempt.id, at: start, mayStraggle: mayStraggle(flight))
      } else if settings.scanTimeout == nil {
        actions.append(.reportStart(flight.attempt))
      }
    }
    self.tail = tail
    return actions
  }

  private var hedgePatience: HedgePatience {
    guard let factor = settings.hedgeFactor else { return HedgePatience(limits: [:]) }
    return HedgePatience(
      limits: times.compactMapValues { $0.median.map { max($0 * factor, Self.leastPatience) } })
  }
}

/// How long the scans of each pass may run before they straggle.
private struct HedgePatience {
  let limits: [Int: Duration]

  func limit(_ attempt: Attempt) -> Duration? { limits[attempt.task.pass] }
}
