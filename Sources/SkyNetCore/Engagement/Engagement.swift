import DequeModule

/// The decisions of one engagement: which task is handed out next, and what to do when it fails.
///
/// The one owner of tasks. Each is in one place: not tried yet (`fresh`, as ranges, so that a
/// million cost no more than ten), waiting for a slot to be tried again (`retries`), kept for
/// last as it may be a poison task, which kills systems (`poisonSuspects`), in flight, or ended. Only tasks that did not
/// succeed at once have a story. Each event returns actions; nothing here waits.
///
/// An event that cannot happen returns ``EngagementAction/refuse(_:)`` alone, and changes nothing. These
/// are no such events, but *legal races*, and change nothing either:
///
/// | event | crossed |
/// |---|---|
/// | an attempt's end, or its start | the attempt's own end: a hedge was faster, its task was moved to an idle system, its time was over, or its system was lost |
/// | slots, for any tasks or for one that is tried again | the end of the engagement, an interruption, or the giving up of tasks that no system is left for |
/// | a slot on a system that was taken for dead | the news that the system is back |
/// | a wake | the end of the engagement, or whatever the wake was asked for |
/// | an interruption | another one, or the end of the engagement |
/// | systems that come and go | the end of the engagement |
package struct Engagement: Sendable {
  enum Phase {
    /// ``began(_:stories:losses:systems:ownSystem:at:)`` is still to come.
    case new
    case running
    /// Nothing new is handed out; what is in flight is waited for.
    case interrupted
    case finished
  }

  struct Flight {
    let attempt: Attempt
    /// The other attempt at the same task, while both are in flight.
    var rival: Attempt.ID?
    var start: Instant?
    let begun: Instant
    /// Whether its start was asked for.
    var isWatched: Bool
    /// Whether its task has a story, so that none is looked for where there is none: nearly always.
    var hasStory: Bool
  }

  /// What was asked for so that a task is tried again.
  struct Wish: Hashable {
    let avoiding: [Incarnation]
    let caution: SlotRequest.Caution
  }

  /// How many slots to ask for at a time.
  private static let batch = 64

  let settings: EngagementSettings
  var phase = Phase.new
  var fresh: Deque<TaskRange> = []
  /// How many slots were asked for, and not granted yet; 0 if none were.
  private var awaitedSlots = 0
  var retries: [TaskID: Wish] = [:]
  /// Tasks for which a slot was asked for, and not granted yet: those of ``retries``, and those that were
  /// abandoned meanwhile.
  var awaited: Set<TaskID> = []
  var poisonSuspects: Deque<TaskID> = []
  /// Suspects that are asked for, or tried, without neighbours: a death tells which of them did it.
  var quarantined: Set<TaskID> = []
  var flights = SlotMap<Flight>()
  /// Accepted, with what follows from its output still unknown.
  var accepted = 0
  var stories: [TaskID: TaskStory] = [:]
  /// Whether tasks not tried yet in this process may have a story from an earlier one.
  var freshHaveStories = false
  var attemptNumbers = SlotMapKeys()
  var losses = Losses()
  /// The system in this process. A task that kills it takes the engagement along.
  var ownSystem: Incarnation?
  /// Since when there is no system at all; `nil` while there is one.
  var aloneSince: Instant?
  var hadSystem = false
  /// Attempts whose scans have started and are limited in time.
  var limits = ScanLimits()
  var stalls = StallWatch()
  /// The wakes that were asked for and have not come, the earliest last.
  private var wakes: [Instant] = []
  /// How long scans took, by pass.
  var times: [Int: ScanTimes] = [:]
  /// Kept since nothing is left to hand out.
  var stragglers: Stragglers?
  /// The wish for an idle slot that was told: the systems where none is of use.
  var idleWish: [Incarnation]?
  var log = TransitionLog<Transition>()

  package init(settings: EngagementSettings) {
    self.settings = settings
  }

  /// Attempts handed out and not answered.
  package var attemptsInFlight: Int { flights.count }

  // MARK: Events

  /// The engagement begins with these tasks, and this many systems that can scan them.
  ///
  /// - Parameters:
  ///   - stories: what some of them met with in an earlier process.
  ///   - losses: what earlier processes lost.
  ///   - ownSystem: the system in this process, if it has one.
  package mutating func began(
    _ tasks: [TaskRange], stories: [TaskID: TaskStory] = [:], losses: Losses = Losses(),
    systems: Int, ownSystem: Incarnation? = nil, at now: Instant
  ) -> [EngagementAction] {
    guard phase == .new else { return refuse("it begins again") }
    phase = .running
    self.ownSystem = ownSystem
    self.losses = losses
    let actions = resume(tasks, stories)
    note(systems: systems, at: now)
    return actions + finishIfDone() + next(at: now)
  }

  /// How many systems can scan this engagement's tasks has changed.
  package mutating func systemsChanged(to count: Int, at now: Instant) -> [EngagementAction] {
    guard phase != .new else { return refuse("systems come or go") }
    let wasAlone = aloneSince != nil
    note(systems: count, at: now)
    if count > 0 { stalls.watch(at: now) }
    guard !wasAlone, hadSystem, let patienceEnd else { return next(at: now) }
    return [.waitForSystem(until: patienceEnd)] + next(at: now)
  }

  /// A system connected. If it was lost before, no task has killed it.
  ///
  /// - Parameter killed: earlier incarnations that its place has killed, and no task.
  package mutating func systemJoined(
    _ id: Incarnation, afterPlaceKilled killed: [Incarnation] = []
  ) -> [EngagementAction] {
    guard phase != .new else { return refuse("a system comes") }
    return forgive([id] + killed)
  }

  /// Slots for tasks not tried yet.
  package mutating func slotsGranted(_ slots: [Slot], at now: Instant) -> [EngagementAction] {
    guard 1...max(awaitedSlots, 1) ~= slots.count, awaitedSlots > 0 else {
      return refuse("\(slots.count) slots are granted, and \(awaitedSlots) were asked for")
    }
    awaitedSlots = 0
    var actions: [EngagementAction] = []
    actions.reserveCapacity(slots.count + 1)
    for slot in slots {
      if phase == .running, let task = nextFresh() {
        begin(task, on: slot, hasStory: freshHaveStories, at: now, adding: &actions)
      } else {
        actions.append(.release(slot))
      }
    }
    addNext(to: &actions, at: now)
    return actions
  }

  /// A slot for a task that failed before.
  package mutating func slotGranted(
    _ slot: Slot, for task: TaskID, at now: Instant
  ) -> [EngagementAction] {
    guard awaited.remove(task) != nil else {
      return refuse("a slot is granted for \(task), and none was asked for", of: task)
    }
    guard phase == .running, let wish = retries[task] else { return [.release(slot)] }
    var actions: [EngagementAction] = []
    if stories[task]?.dead.contains(slot.system) == true {
      // It is alive, and this is heard before its coming is.
      actions = forgive([slot.system])
      // Then it has been asked for again.
      guard retries[task] == wish else { return [.release(slot)] + actions }
    }
    retries[task] = nil
    begin(task, on: slot, at: now, adding: &actions)
    addNext(to: &actions, at: now)
    return actions
  }

  /// A slot that would else be idle.
  package mutating func idleSlotGranted(_ slot: Slot, at now: Instant) -> [EngagementAction] {
    guard idleWish != nil else { return refuse("an idle slot is granted, and none was asked for") }
    idleWish = nil
    return (use(idle: slot, at: now) ?? [.release(slot)]) + next(at: now)
  }

  /// An attempt's scan has started on its system.
  ///
  /// - Parameters:
  ///   - start: when the scan itself started, which may have been for an earlier attempt.
  ///   - limit: how long the scan may run by its own kind.
  package mutating func attemptStarted(
    _ id: Attempt.ID, start: Instant, limit: Duration? = nil, at now: Instant
  ) -> [EngagementAction] {
    guard let flight = flights[id] else {
      return attemptNumbers.wasGiven(id)
        ? [] : refuse("attempt \(SlotMapKeys.ordinal(of: id)) starts, and never began")
    }
    guard flight.start == nil else {
      return refuse("\(flight.attempt.inWords) starts twice", of: flight.attempt.task)
    }
    flights[id]?.start = start
    log.add(Transition(flight.attempt, .started))
    if let limit = settings.scanTimeout ?? limit { limits.started(id, at: start, limit: limit) }
    let mayStraggle = mayStraggle(flight)
    stragglers?.started(id, at: start, mayStraggle: mayStraggle)
    return next(at: now)
  }

  /// An attempt ended.
  package mutating func attemptEnded(
    _ id: Attempt.ID, _ outcome: AttemptOutcome, at now: Instant
  ) -> [EngagementAction] {
    guard let flight = land(id, at: now) else {
      return attemptNumbers.wasGiven(id)
        ? [] : refuse("attempt \(SlotMapKeys.ordinal(of: id)) ends, and never began")
    }
    if outcome.isEndOfScan { stalls.ended(at: now) }
    guard case .succeeded(let seconds) = outcome else {
      return failed(flight, outcome, at: now) + next(at: now)
    }
    var actions = succeeded(flight, in: seconds, at: now)
    addNext(to: &actions, at: now)
    return actions
  }

  /// The output of an accepted attempt was taken, and these tasks follow from it.
  package mutating func received(_ added: [TaskRange], at now: Instant) -> [EngagementAction] {
    guard accepted > 0 else { return refuse("an output was taken, and no attempt was accepted") }
    accepted -= 1
    add(added)
    return finishIfDone() + next(at: now)
  }

  /// An instant that was asked for has come.
  package mutating func woke(at now: Instant) -> [EngagementAction] {
    guard phase != .new else { return refuse("it wakes") }
    guard phase != .finished else { return [] }
    while let wake = wakes.last, wake <= now { wakes.removeLast() }
    var actions = endOverdue(at: now) + lookForStalls(at: now)
    // After an interruption no task is left to give up.
    if phase == .running, let aloneSince, aloneSince + patience <= now {
      actions += withoutSystems(at: now)
    }
    return actions + next(at: now)
  }

  /// Nothing new is wanted; what runs may finish.
  package mutating func interrupted() -> [EngagementAction] {
    guard phase != .new else { return refuse("it is interrupted") }
    guard phase == .running else { return [] }
    phase = .interrupted
    return dropIdleWish() + finishIfDone()
  }

  // MARK: What follows from any event

  private mutating func next(at now: Instant) -> [EngagementAction] {
    var actions: [EngagementAction] = []
    addNext(to: &actions, at: now)
    return actions
  }

  /// Asks for slots for what can be handed out, for idle ones if nothing can, and to be woken.
  private mutating func addNext(to actions: inout [EngagementAction], at now: Instant) {
    if phase == .running, awaitedSlots == 0, !fresh.isEmpty, allowance > 0 {
      actions.append(handOut())
    }
    // While there is something to hand out, that is all: nearly always.
    if fresh.isEmpty || idleWish != nil {
      actions += tryPoisonSuspects()
      actions += wishForIdleSlot(at: now)
    }
    // However many attempts have a limit, only a wake that comes before all others is asked for.
    guard let wake = nextWake, wakes.last.map({ wake < $0 }) ?? true else { return }
    wakes.append(wake)
    actions.append(.wake(at: wake))
  }

  private mutating func handOut() -> EngagementAction {
    let limit = min(allowance, Self.batch)
    var count = 0
    for range in fresh {
      count += range.sectors.count
      // There may be as many ranges as tasks.
      if count >= limit { break }
    }
    awaitedSlots = min(count, limit)
    return .requestSlots(upTo: awaitedSlots)
  }

  /// How many more attempts may be in flight. Those that are to be tried again go first.
  private var allowance: Int {
    settings.inFlight.map { max(1, $0) - flights.count - retries.count } ?? .max
  }

  private mutating func nextFresh() -> TaskID? {
    guard let range = fresh.first else { return nil }
    let rest = range.sectors.dropFirst()
    if rest.isEmpty {
      fresh.removeFirst()
    } else {
      fresh[0] = TaskRange(pass: range.pass, sectors: rest)
    }
    return TaskID(pass: range.pass, sector: range.sectors.lowerBound)
  }

  private var nextWake: Instant? {
    var next = patienceEnd
    if let limit = limits.next { next = min(next ?? limit, limit) }
    if let look = stalls.next { next = min(next ?? look, look) }
    if let look = nextOfStragglers { next = min(next ?? look, look) }
    return next
  }

  mutating func finishIfDone() -> [EngagementAction] {
    guard phase != .finished, flights.isEmpty, accepted == 0 else { return [] }
    guard phase == .interrupted || isEmpty else { return [] }
    phase = .finished
    return dropIdleWish() + [.finish]
  }

  /// Whether nothing is left to hand out, now or later.
  var isEmpty: Bool {
    fresh.isEmpty && retries.isEmpty && poisonSuspects.isEmpty
  }
}
