import DequeModule

/// The decisions of one engagement: which task is handed out next, and what to do when it fails.
///
/// The engagement is the one owner of tasks. Each task is in one place: it is not tried yet
/// (`fresh`), waits for a time (`waiting`) or for a slot (`retries`) to be retried, is kept for last because it may kill systems
/// (`poisonSuspects`), is in flight (`flights`), or has ended. Only tasks that did not succeed at once
/// have a story.
///
/// An event that cannot happen returns ``EngagementAction/refuse(_:)`` alone, and changes nothing.
/// The following events are *legal races*. They change nothing either, except that a slot on a system
/// that was taken for dead is itself the news that the system is back:
///
/// | event | crossed |
/// |---|---|
/// | an attempt's end, or its start | an earlier end of the same attempt: a hedge was faster, its task was moved to an idle system, its time was over, or its system was lost |
/// | slots, for any tasks or for one that is retried | the end of the engagement, an interruption, or the decision to give a task up, as no system is left for it, or as bad luck no longer explains its failures |
/// | a slot on a system that was taken for dead | the news that the system is back |
/// | a wake | the end of the engagement, or the event that the wake was requested for |
/// | an interruption | another one, or the end of the engagement |
/// | systems that come and go | the end of the engagement |
/// | a part of the job, or the news that no part is left | an interruption, the abandoning of tasks for which no system is left, or the end of the engagement |
package struct Engagement: Sendable {
  enum Phase {
    /// ``began(_:stories:losses:systems:ownSystem:at:)`` has not been called yet.
    case new
    case running
    /// No task is handed out any more; the attempts in flight may finish.
    case interrupted
    case finished
    /// It has ended after an interruption.
    case stopped
  }

  struct Flight {
    let attempt: Attempt
    /// The other attempt at the same task, while both are in flight.
    var rival: Attempt.ID?
    /// When the attempt's scan started, as far as its system has told.
    var scanStart: Instant?
    let handOutTime: Instant
    /// Whether this engagement has asked for the start of the scan
    /// (``EngagementAction/reportStart(_:)``).
    var isWatched: Bool
  }

  /// The slot request under which a task waits to be retried.
  struct RetryRequest: Hashable {
    let avoiding: [Incarnation]
    let caution: SlotRequest.Caution
  }

  /// Whether the job may add parts, and whether it has been asked for the next one.
  enum Growth { case ended, open, requested }

  /// The most slots in one request.
  private static let slotBatch = 64

  let settings: EngagementSettings
  var phase = Phase.new
  var growth = Growth.ended
  /// Whether the job adds parts. The tasks that follow from an output then come before those of later parts.
  private(set) var isGrowing = false
  /// As ranges, so that a million tasks cost no more than ten.
  var fresh: Deque<TaskRange> = []
  var locality: DataLocality?
  /// The number of slots in the open request for fresh tasks; 0 if none is open.
  private var requestedSlots = 0
  var retries: [TaskID: RetryRequest] = [:]
  /// The tasks of ``retries``, and those that were abandoned or given up since their request.
  var tasksAwaitingSlots: Set<TaskID> = []
  /// The tasks whose time to be retried has not come.
  var waiting = WaitingTasks()
  /// The scans of tasks to be retried that may still run on a system which was lost.
  var lostScans: [TaskID: LostScan] = [:]
  /// The tasks of ``waiting`` of which this engagement has cancelled a scan, with its system.
  var cancelledScans: [TaskID: Incarnation] = [:]
  var poisonSuspects: Deque<TaskID> = []
  /// Suspects for which a quarantine was requested, or that run in one.
  var quarantined: Set<TaskID> = []
  var flights = SlotMap<Flight>()
  /// The number of accepted attempts for which the job has not yet said what follows from their
  /// output.
  var accepted = 0
  var stories: [TaskID: TaskStory] = [:]
  var attemptKeys = SlotMapKeys()
  var losses = Losses()
  /// The names of the systems whose slots have another one.
  private var names: [Incarnation: String] = [:]
  /// The system in this process. A task that kills it also kills the engagement.
  var ownSystem: Incarnation?
  /// When the last system went; `nil` while there is one, or ``waitsForDrained``.
  var noSystemSince: Instant?
  /// Whether no system takes tasks, and one that was asked to drain may take them again.
  var waitsForDrained = false
  var hadSystem = false
  /// Whether any attempt has ended with an output, or with a failure of its own.
  private var hasScanned = false
  /// The attempts whose scans have started and have a time limit.
  var limits = ScanLimits()
  var stalls = StallWatch()
  /// The instants to wake at that were requested and have not come; the earliest is last.
  private var wakes: [Instant] = []
  var times: [Int: ScanTimes] = [:]
  /// Set once nothing is left to hand out.
  var stragglers: Stragglers?
  /// The systems that the open request for an idle slot excludes; `nil` if no request is open.
  var idleSlotExclusions: [Incarnation]?
  var log = TransitionLog<TaskID, Step>()

  package init(settings: EngagementSettings) {
    self.settings = settings
  }

  package var isFinished: Bool { phase == .finished || phase == .stopped }

  package var isInterrupted: Bool { phase == .interrupted || phase == .stopped }

  package var attemptsInFlight: Int { flights.count }

  // MARK: Events

  /// The engagement begins with these tasks, and the stories and losses of earlier processes.
  ///
  /// - Parameters:
  ///   - systems: how many systems take these tasks.
  ///   - drained: how many more are connected, and were asked to drain.
  ///   - grows: whether the job will be asked for further parts.
  ///   - keepsData: whether systems may keep a sector's data for its later tasks.
  package mutating func began(
    _ tasks: [TaskRange], stories: [TaskID: TaskStory] = [:], losses: Losses = Losses(),
    systems: Int, drained: Int = 0, ownSystem: Incarnation? = nil, grows: Bool = false,
    keepsData: Bool = false, at now: Instant
  ) -> [EngagementAction] {
    guard phase == .new else { return refuse("the engagement begins again") }
    phase = .running
    if keepsData { locality = DataLocality() }
    isGrowing = grows
    growth = grows ? .open : .ended
    self.ownSystem = ownSystem
    self.losses = losses
    let actions = resume(tasks, stories, at: now)
    setSystemCount(systems, drained: drained, at: now)
    return actions + finishIfDone() + next(at: now)
  }

  /// The number of systems that take this engagement's tasks has changed, or of those that are
  /// connected and were asked to drain. While there is one of either, no task is abandoned.
  package mutating func systemsChanged(
    to count: Int, drained: Int = 0, at now: Instant
  ) -> [EngagementAction] {
    guard phase != .new else { return refuse("the number of systems changes") }
    let (hadNoSystem, waitedForDrained) = (noSystemSince != nil, waitsForDrained)
    setSystemCount(count, drained: drained, at: now)
    if count > 0 { stalls.watch(at: now) }
    if waitsForDrained {
      let isNews = !waitedForDrained && phase == .running
      return (isNews ? [.waitForSystem(until: nil)] : []) + next(at: now)
    }
    guard !hadNoSystem, hadSystem, let systemDeadline else { return next(at: now) }
    return [.waitForSystem(until: systemDeadline)] + next(at: now)
  }

  /// A scan has found that its system can run none of the engagement's, so that only so many take its tasks. If none
  /// does, and no scan has ended on any, it is as if none had come yet.
  package mutating func systemUnsuited(
    leaving count: Int, drained: Int = 0, at now: Instant
  ) -> [EngagementAction] {
    // Slots that had been granted on it may have begun attempts since that was found for the first time.
    if count == 0, !hasScanned, hadSystem { (hadSystem, noSystemSince) = (false, nil) }
    return systemsChanged(to: count, drained: drained, at: now)
  }

  /// A system connected. If it had been lost, no task killed it, nor the incarnations before it that
  /// their place killed.
  package mutating func systemJoined(
    _ id: Incarnation, afterPlaceKilled killed: [Incarnation] = []
  ) -> [EngagementAction] {
    guard phase != .new else { return refuse("a system joins") }
    return forgive([id] + killed) + finishIfDone()
  }

  /// A system is gone. What it was told lately may not have arrived, and so it may go on for this long with what it was
  /// to cancel.
  ///
  /// - Returns: how long tasks wait at most for what may still run there; `nil` if none does.
  package mutating func systemLost(
    _ id: Incarnation, cancelledWithin time: Duration, at now: Instant
  ) -> Duration? {
    guard let scanEnd = settings.retryWaits.scanEnd else { return nil }
    let wait = time + scanEnd
    for (task, system) in cancelledScans where system == id && waiting.remove(task) {
      waiting.add(task, until: now + wait)
    }
    let hasScans =
      flights.keys.contains { flights[$0]?.attempt.slot.system == id }
      || lostScans.values.contains { $0.system == id } || cancelledScans.values.contains(id)
    return hasScans ? wait : nil
  }

  /// A system has another name for people from now on than its slots have.
  package mutating func systemRenamed(_ id: Incarnation, to name: String) { names[id] = name }

  package func name(of slot: Slot) -> String {
    names.isEmpty ? slot.name : names[slot.system] ?? slot.name
  }

  /// Slots were granted for fresh tasks.
  package mutating func slotsGranted(_ slots: [Slot], at now: Instant) -> [EngagementAction] {
    guard 1...max(requestedSlots, 1) ~= slots.count, requestedSlots > 0 else {
      return refuse("\(slots.count) slots are granted, but \(requestedSlots) were requested")
    }
    requestedSlots = 0
    var actions: [EngagementAction] = []
    actions.reserveCapacity(slots.count + 1)
    for slot in slots {
      if phase == .running, let task = takeFreshTask(for: slot.system) {
        begin(task, on: slot, at: now, adding: &actions)
      } else {
        actions.append(.release(slot))
      }
    }
    addNext(to: &actions, at: now)
    return actions
  }

  /// A slot was granted for a task that failed before.
  package mutating func slotGranted(
    _ slot: Slot, for task: TaskID, at now: Instant
  ) -> [EngagementAction] {
    guard tasksAwaitingSlots.remove(task) != nil else {
      return refuse("a slot is granted for \(task), but none was requested", of: task)
    }
    guard phase == .running, let request = retries[task] else { return [.release(slot)] }
    var actions: [EngagementAction] = []
    if stories[task]?.dead.contains(slot.system) == true {
      // The system is alive, and its grant arrived before the news of its coming.
      actions = forgive([slot.system])
      // Forgiving the death may have requested another slot for the task, or given the task up.
      guard retries[task] == request else {
        return [.release(slot)] + actions + finishIfDone()
      }
    }
    retries[task] = nil
    if waitsForLostScan(of: task, on: slot.system, at: now) {
      return [.release(slot)] + actions + next(at: now)
    }
    begin(task, on: slot, at: now, adding: &actions)
    addNext(to: &actions, at: now)
    return actions
  }

  package mutating func idleSlotGranted(_ slot: Slot, at now: Instant) -> [EngagementAction] {
    guard idleSlotExclusions != nil else {
      return refuse("an idle slot is granted, but none was requested")
    }
    idleSlotExclusions = nil
    return (use(idle: slot, at: now) ?? [.release(slot)]) + next(at: now)
  }

  /// An attempt's scan has started on its system.
  ///
  /// - Parameters:
  ///   - start: when the scan started. It may have been for an earlier attempt, long ago.
  ///   - limit: the time limit that the kind of scan sets. The engagement's scan timeout replaces it.
  package mutating func attemptStarted(
    _ id: Attempt.ID, start: Instant, limit: Duration? = nil, at now: Instant
  ) -> [EngagementAction] {
    guard let flight = flights[id] else { return late(id, "starts") }
    guard flight.scanStart == nil else {
      let task = flight.attempt.task
      return refuse("attempt \(SlotMapKeys.ordinal(of: id)) at \(task) starts twice", of: task)
    }
    flights[id]?.scanStart = start
    log.add(flight.attempt, .started)
    if let limit = settings.scanTimeout ?? limit { limits.started(id, at: start, limit: limit) }
    let mayHedge = mayHedge(flight)
    stragglers?.started(id, at: start, mayHedge: mayHedge)
    return next(at: now)
  }

  package mutating func attemptEnded(
    _ id: Attempt.ID, _ outcome: AttemptOutcome, at now: Instant
  ) -> [EngagementAction] {
    guard let flight = removeFlight(id, at: now) else { return late(id, "ends") }
    if outcome.isEndOfScan {
      stalls.ended(at: now)
      if outcome.hasRunScan { hasScanned = true }
    }
    guard case .succeeded(let seconds) = outcome else {
      return failed(flight, outcome, at: now) + next(at: now)
    }
    var actions = succeeded(flight, in: seconds, at: now)
    addNext(to: &actions, at: now)
    return actions
  }

  /// An event of an attempt that is not in flight crossed the attempt's end, if it ever began.
  private func late(_ id: Attempt.ID, _ event: String) -> [EngagementAction] {
    attemptKeys.wasGivenOut(id)
      ? [] : refuse("attempt \(SlotMapKeys.ordinal(of: id)) \(event), but never began")
  }

  /// The job has taken the output of an accepted attempt. These tasks follow from it.
  package mutating func received(_ added: [TaskRange], at now: Instant) -> [EngagementAction] {
    guard accepted > 0 else { return refuse("an output was taken, but no attempt was accepted") }
    accepted -= 1
    add(added, first: isGrowing)
    return finishIfDone() + next(at: now)
  }

  /// The job has added a part with these tasks, some of which an earlier process may have tried.
  package mutating func grew(
    by tasks: [TaskRange], stories: [TaskID: TaskStory] = [:], at now: Instant
  ) -> [EngagementAction] {
    guard takesParts else { return isPastGrowth ? [] : refuse("a part comes unasked") }
    let wasInNeed = isInNeed
    growth = .open
    var actions = resume(tasks, stories, at: now)
    if !wasInNeed, isInNeed, noSystemSince != nil {
      // The wait for a system counts from when one is needed, and is told then.
      noSystemSince = now
      actions += systemDeadline.map { [.waitForSystem(until: $0)] } ?? []
    }
    return actions + next(at: now)
  }

  /// No task of these sectors is left, nor will any come.
  package mutating func ended(_ sectors: Range<Int>) { locality?.ended(sectors) }

  package mutating func growthEnded(at now: Instant) -> [EngagementAction] {
    guard takesParts else { return isPastGrowth ? [] : refuse("the growth ends unasked") }
    growth = .ended
    return finishIfDone() + next(at: now)
  }

  /// Whether a part that the job has been asked for is still wanted.
  package var takesParts: Bool { phase == .running && growth == .requested }

  /// Whether no part is wanted any more, so that one may still be on its way.
  private var isPastGrowth: Bool {
    isGrowing && (phase != .running || growth == .ended)
  }

  /// An instant has come at which the engagement wanted to be woken. The news of a system that has
  /// just come may still be on its way, so the caller says how many are there.
  package mutating func woke(
    systems count: Int, drained: Int = 0, at now: Instant
  ) -> [EngagementAction] {
    guard phase != .new else { return refuse("the engagement wakes") }
    return systemsChanged(to: count, drained: drained, at: now) + woke(at: now)
  }

  /// An instant has come, and the systems are those that the engagement knows of.
  mutating func woke(at now: Instant) -> [EngagementAction] {
    guard phase != .new else { return refuse("the engagement wakes") }
    guard !isFinished else { return [] }
    while let wake = wakes.last, wake <= now { wakes.removeLast() }
    var actions = endOverdue(at: now) + lookForStalls(at: now)
    if let systemDeadline, systemDeadline <= now { actions += giveUpOnSystems(at: now) }
    actions += retryWaiting(at: now)
    return actions + next(at: now)
  }

  /// No more tasks are to be handed out; running scans may finish.
  package mutating func interrupted() -> [EngagementAction] {
    guard phase != .new else { return refuse("the engagement is interrupted") }
    guard phase == .running else { return [] }
    phase = .interrupted
    waiting = WaitingTasks()
    return withdrawIdleSlotRequest() + finishIfDone()
  }

  // MARK: After each event

  /// The actions that follow from any event.
  private mutating func next(at now: Instant) -> [EngagementAction] {
    var actions: [EngagementAction] = []
    addNext(to: &actions, at: now)
    return actions
  }

  private mutating func addNext(to actions: inout [EngagementAction], at now: Instant) {
    if phase == .running, requestedSlots == 0, !fresh.isEmpty, remainingInFlight > 0 {
      requestedSlots = freshCount(upTo: min(remainingInFlight, Self.slotBatch))
      actions.append(.requestSlots(upTo: requestedSlots))
    }
    if phase == .running, growth == .open, isRunningLow {
      growth = .requested
      actions.append(.requestPart)
    }
    // While fresh tasks are left, as nearly always, no quarantine and no idle slot is needed.
    if fresh.isEmpty || idleSlotExclusions != nil {
      actions += requestQuarantine()
      actions += updateIdleSlotRequest(at: now)
    }
    // A wake after one that was requested already is not requested, so many limits cost one wake.
    guard let wake = nextWake, wakes.last.map({ wake < $0 }) ?? true else { return }
    wakes.append(wake)
    actions.append(.wake(at: wake))
  }

  /// The number of fresh tasks, or `limit` if that is less.
  private func freshCount(upTo limit: Int) -> Int {
    var count = 0
    for range in fresh {
      count += range.sectors.count
      // The loop ends early, as there may be as many ranges as tasks.
      if count >= limit { return limit }
    }
    return count
  }

  /// Whether fewer tasks wait than are in flight, so that systems could soon be without one while the
  /// job makes its next part.
  private var isRunningLow: Bool {
    let wanted = flights.count + 2
    return freshCount(upTo: wanted) < wanted
  }

  /// How many more fresh tasks may be in flight. Retries have precedence.
  private var remainingInFlight: Int {
    settings.inFlight.map { max(1, $0) - flights.count - retries.count } ?? .max
  }

  private mutating func takeFreshTask(for system: Incarnation) -> TaskID? {
    guard let range = fresh.first else { return nil }
    let first = TaskID(pass: range.pass, sector: range.sectors.lowerBound)
    let task = locality?.choice(of: fresh, for: system) ?? first
    fresh.remove(task)
    return task
  }

  private var nextWake: Instant? {
    var next = systemDeadline
    if let limit = limits.next { next = min(next ?? limit, limit) }
    if !waiting.isEmpty, let end = waiting.next { next = min(next ?? end, end) }
    if let look = stalls.next { next = min(next ?? look, look) }
    if let look = nextStragglerLook { next = min(next ?? look, look) }
    return next
  }

  mutating func finishIfDone() -> [EngagementAction] {
    guard !isFinished, flights.isEmpty, accepted == 0 else { return [] }
    guard phase == .interrupted || isEmpty && growth == .ended else { return [] }
    phase = phase == .interrupted ? .stopped : .finished
    return withdrawIdleSlotRequest() + [.finish]
  }

  /// Whether no task is left to hand out, now or later.
  var isEmpty: Bool {
    fresh.isEmpty && retries.isEmpty && poisonSuspects.isEmpty && waiting.isEmpty
  }
}
