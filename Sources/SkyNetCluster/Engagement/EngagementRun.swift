import BitCollections
import DequeModule
import SkyNetCore

/// One run of a job: performs what its `Engagement` decides, as children of one task group.
struct EngagementRun {
  typealias Group = ThrowingTaskGroup<Event, any Error>

  /// What a child of the group came back with.
  enum Event: Sendable {
    case slots([Systems.Commitment])
    case slot(Systems.Commitment, for: TaskID, CancellableChild)
    case idleSlot(Systems.Commitment, for: CancellableChild)
    case started(Attempt.ID, AttemptStart.Start)
    case ended(Attempt, FinishedAttempt)
    case change(Systems.Change, systems: Int)
    case shutdown
    case woke
    /// What the child waited for did not come, or the child was cancelled.
    case nothing
  }

  var job: any AnyJob
  var tally: Tally
  private var engagement: Engagement
  private let settings: EngagementSettings
  private let slots: SlotPool
  private let actorSystem: ClusterActorSystem
  var runner: AttemptRunner
  private let clock: any ClusterClock
  private let journal: (any JournalStore)?
  let report: Coordinator.Report
  /// Where answers arrive, once it was of use: kept until the end, also when that connection has ended,
  /// as children that began there still refer to it.
  private var arrivals: (any TaskExecutor)?
  /// Slots that were granted, with the systems that they are on, until they are used.
  private var granted: [Slot: ScanSystem] = [:]
  private var membership: MembershipView
  /// Attempts that are waited for.
  private var attempts: [Attempt.ID: (child: CancellableChild, start: AttemptStart)] = [:]
  /// The children that wait for a slot for a task that is tried again.
  private var waits: [TaskID: CancellableChild] = [:]
  /// The child that waits for an idle slot.
  private var wish: CancellableChild?
  private var isFinished = false
  private var isShuttingDown = false
  /// Sectors that have their result, or failed.
  private var ended = BitSet()

  init(
    _ job: any AnyJob, settings: EngagementSettings, slots: SlotPool,
    actorSystem: ClusterActorSystem,
    runner: AttemptRunner, clock: any ClusterClock, journal: (any JournalStore)?,
    report: @escaping Coordinator.Report
  ) {
    self.job = job
    self.settings = settings
    self.slots = slots
    self.actorSystem = actorSystem
    self.runner = runner
    self.clock = clock
    self.journal = journal
    self.report = report
    tally = Tally(total: job.sectorCount)
    membership = MembershipView(for: job.kind)
    engagement = Engagement(settings: settings)
  }

  /// Engages the systems until the job is done; what is then left of the group is cancelled.
  mutating func engage(
    in group: inout Group, changes: AsyncStream<Systems.Change>, shutdown: ShutdownTrigger
  ) async throws {
    let result: Result<Void, any Error>
    do {
      try await follow(in: &group, changes: changes, shutdown: shutdown)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    group.cancelAll()
    // Slots that were granted at the last moment are for other engagements now, however this one ended.
    var refused = giveBack(granted.keys)
    while let last = await group.nextResult() {
      switch last {
      case .success(.slots(let unused)): refused = giveBack(unused.map(\.slot)) ?? refused
      case .success(.slot(let unused, _, _)), .success(.idleSlot(let unused, _)):
        refused = giveBack([unused.slot]) ?? refused
      default: break
      }
    }
    if let journal {
      // In a task that outlives a cancellation: what was answered is answered.
      let written = await Task { try await journal.finish() }.result
      if case .success = result { try written.get() }
    }
    try result.get()
    if let refused { throw refused }
  }

  /// Frees slots that nothing was begun on. Returns an error if one of them was free.
  private func giveBack(_ unused: some Sequence<Slot>) -> IllegalEvent? {
    var refused: IllegalEvent?
    for slot in unused {
      do throws(IllegalEvent) { try slots.release(slot) } catch { refused = error }
    }
    return refused
  }

  /// Does what follows from each event, until everything is done.
  private mutating func follow(
    in group: inout Group, changes: AsyncStream<Systems.Change>, shutdown: ShutdownTrigger
  ) async throws {
    group.addTask {
      try await shutdown.wait()
      return .shutdown
    }
    let past = try await restore(from: journal)
    if let journal {
      group.addTask {
        try await journal.run()
        return .nothing
      }
    }
    awaitChange(in: &group, changes)
    let count = slots.count(for: job.kind)
    let own = actorSystem.incarnation
    let actions = engagement.began(
      past.left, stories: past.stories, losses: try await journal?.losses() ?? Losses(),
      systems: count, ownSystem: slots.has(own) ? own : nil, at: clock.now)
    try await perform(actions, in: &group)
    while !isFinished {
      let isLight = runner.jobCode.isLight
      if isLight, arrivals == nil {
        arrivals = actorSystem.links.lazy.compactMap(\.executor).first
      }
      // Its children inherit it.
      try await withTaskExecutorPreference(isLight ? arrivals : nil) {
        while !isFinished, runner.jobCode.isLight == isLight {
          guard let event = try await group.next() else { throw CancellationError() }
          try await perform(await self.actions(after: event), in: &group)
          if case .change = event { awaitChange(in: &group, changes) }
          if let journal, journal.isBehind { try await journal.commit() }
        }
      }
    }
  }

  // MARK: Events

  private mutating func actions(after event: Event) async -> [EngagementAction] {
    let now = clock.now
    switch event {
    case .slots(let commitments): return use(commitments)
    case .slot(let commitment, let task, let child):
      granted[commitment.slot] = commitment.system
      // The task has been asked for anew.
      guard waits[task] === child else { return [.release(commitment.slot)] }
      waits[task] = nil
      return engagement.slotGranted(commitment.slot, for: task, at: now)
    case .idleSlot(let commitment, let wish):
      granted[commitment.slot] = commitment.system
      // One that is no longer wished for comes too late.
      guard wish === self.wish else { return [.release(commitment.slot)] }
      return engagement.idleSlotGranted(commitment.slot, at: now)
    case .started(let attempt, let start):
      return engagement.attemptStarted(attempt, start: start.at, limit: start.limit, at: now)
    case .ended(let attempt, let end):
      isOver(attempt)
      output = end.output
      return engagement.attemptEnded(attempt.id, end.outcome, at: now)
    case .change(let change, let count):
      var forgiven: [EngagementAction] = []
      if case .connected(let system) = change {
        forgiven = engagement.systemJoined(
          system.incarnation, afterPlaceKilled: slots.killed(by: system.place))
      }
      for event in membership.take(change) { await report(event, tally) }
      if case .connected(let system) = change,
        let pause = slots.pause(of: system.incarnation)
      {
        await report(.paused(system, for: pause), tally)
      }
      return forgiven + engagement.systemsChanged(to: count, at: now)
    case .shutdown:
      isShuttingDown = true
      return engagement.interrupted()
    case .woke: return engagement.woke(at: now)
    case .nothing: return []
    }
  }

  private mutating func use(_ commitments: [Systems.Commitment]) -> [EngagementAction] {
    for one in commitments { granted[one.slot] = one.system }
    return engagement.slotsGranted(commitments.map(\.slot), at: clock.now)
  }

  /// The output of the attempt that ended last; it is taken, or not, before the next event.
  private var output: AnyOutput?

  // MARK: Actions

  private mutating func perform(
    _ actions: [EngagementAction], in group: inout Group
  ) async throws {
    var pending = Deque(actions)
    while let action = pending.popFirst() {
      switch action {
      case .requestSlots(let count):
        pending.append(contentsOf: requestSlots(upTo: count, in: &group))
      case .requestSlot(let task, let avoiding, let caution):
        requestSlot(for: task, avoiding, caution, in: &group)
      case .requestIdleSlot(let excluded): requestIdleSlot(excluding: excluded, in: &group)
      case .withdrawIdleSlot: withdrawIdleSlot()
      case .release(let slot):
        granted[slot] = nil
        try slots.release(slot)
      case .begin(let attempt): try await begin(attempt, in: &group)
      case .reportStart(let attempt): reportStart(of: attempt, in: &group)
      case .cancel(let attempt):
        attempts[attempt.id]?.child.cancel()
        isOver(attempt)
      case .ended(let attempt, let outcome): journal?.record(.ended(attempt, outcome))
      case .forgive(let task, let system): journal?.record(.forgave(task, system))
      case .accept(let attempt, let attempts, let seconds):
        pending.append(contentsOf: try await accept(attempt, attempts, seconds))
      case .rerun(let task, let failure):
        tally.retriedOne()
        await report(.rerun(sector: task.sector, failure), tally)
      case .giveUp(let task, let story):
        journal?.record(.gaveUp(task, story))
        await failed(task, story)
      case .abandon(let task, let story): await failed(task, story)
      case .wake(let instant): wake(at: instant, in: &group)
      case .stalled(let attempts, let count, let silence):
        await report(.stalled(attempts, of: count, silence: silence), tally)
      case .waitForSystem(let instant):
        await report(
          .waitingForSystem(
            clock.now.duration(to: instant), leaving: membership.leaving,
            unsuited: membership.unsuited.map(\.name)), tally)
      case .noSystem: throw membership.error(waited: settings.firstSystemTimeout)
      case .finish:
        if !isShuttingDown { await tellOfWaiting() }
        isFinished = true
      case .refuse(let illegal): throw illegal
      }
    }
  }

  /// Mostly there are some, where the last attempt ended; to wait for them takes a child.
  private mutating func requestSlots(
    upTo count: Int, in group: inout Group
  ) -> [EngagementAction] {
    let request = slots.request(upTo: count, for: job.kind)
    if let granted = request.granted { return use(granted) }
    group.addTask { .slots(try await request.value()) }
    return []
  }

  /// Retries go first.
  private mutating func requestSlot(
    for task: TaskID, _ avoiding: [Incarnation], _ caution: SlotRequest.Caution,
    in group: inout Group
  ) {
    let child = CancellableChild()
    waits.updateValue(child, forKey: task)?.cancel()
    group.addTask { [slots, kind = job.kind] in
      let commitments = await child.perform {
        try? await slots.request(
          upTo: 1, for: kind, avoiding: avoiding, priority: .urgent, caution: caution
        ).value()
      }
      return commitments?.first.map { .slot($0, for: task, child) } ?? .nothing
    }
  }

  private mutating func requestIdleSlot(
    excluding excluded: [Incarnation], in group: inout Group
  ) {
    withdrawIdleSlot()
    let child = CancellableChild()
    wish = child
    group.addTask { [slots, kind = job.kind] in
      let commitments = await child.perform {
        try? await slots.request(upTo: 1, for: kind, avoiding: excluded, priority: .idle).value()
      }
      return commitments?.first.map { .idleSlot($0, for: child) } ?? .nothing
    }
  }

  private mutating func withdrawIdleSlot() {
    wish?.cancel()
    wish = nil
  }

  private mutating func begin(_ attempt: Attempt, in group: inout Group) async throws {
    guard let system = granted.removeValue(forKey: attempt.slot) else {
      throw illegal("\(attempt.task) begins on a slot that is not granted")
    }
    tally.handedOut(to: attempt.slot.name, at: clock.now)
    await report(.handedOut(sector: attempt.task.sector, system: attempt.slot.name), tally)
    journal?.record(.began(attempt, isLocal: runner.isLocal(attempt)))
    let (child, start) = (CancellableChild(), AttemptStart(clock: clock))
    attempts[attempt.id] = (child, start)
    group.addTask { [runner, isLight = runner.jobCode.isLight] in
      try await child.perform {
        .ended(
          attempt, try await runner.carryOut(attempt, on: system, start: start, isLight: isLight))
      }
    }
  }

  /// An attempt came back, or is not waited for any more.
  private mutating func isOver(_ attempt: Attempt) {
    guard attempts.removeValue(forKey: attempt.id) != nil else { return }
    tally.cameBack(from: attempt.slot.name)
  }

  private func reportStart(of attempt: Attempt, in group: inout Group) {
    guard let start = attempts[attempt.id]?.start else { return }
    group.addTask {
      await start.start().map { .started(attempt.id, $0) } ?? .nothing
    }
  }

  private mutating func accept(
    _ attempt: Attempt, _ attempts: Int, _ seconds: Double
  ) async throws -> [EngagementAction] {
    guard let output else { throw illegal("\(attempt.task) is accepted without an output") }
    self.output = nil
    let begin = clock.now
    let received = try job.receive(output, for: attempt.task)
    journal?.record(
      .accepted(
        attempt, output: output, attempts: attempts, seconds: seconds,
        endsSector: received.result != nil))
    if let result = received.result {
      end(attempt.task.sector)
      tally.completed(by: attempt.slot.name, at: begin)
      await report(
        .completed(
          SectorResult(
            sector: attempt.task.sector, result: result, system: attempt.slot.name,
            attempts: attempts, seconds: seconds)),
        tally)
    }
    let end = clock.now
    runner.jobCode.add(begin.duration(to: end))
    // Only tasks that were added can need what has been learnt since the job was last looked at.
    if !received.added.isEmpty { runner = runner.with(job.source) }
    return engagement.received(received.added, at: end)
  }

  /// A sector has its result, or failed.
  mutating func end(_ sector: Int) { ended.insert(sector) }

  /// Reports as failed each sector that has neither a result nor failed when nothing is left to do. Its task
  /// of a later pass was never made, as that needs a sector of an earlier pass, and this one failed.
  private mutating func tellOfWaiting() async {
    for sector in 0..<job.sectorCount where !ended.contains(sector) {
      await failed(TaskID(sector: sector), TaskStory.neverMade)
    }
  }

  private mutating func failed(_ task: TaskID, _ story: TaskStory) async {
    end(task.sector)
    tally.failed(at: clock.now)
    await report(
      .failed(
        SectorFailure(
          sector: task.sector, failures: story.failures, attempts: story.attempts,
          seconds: story.seconds)),
      tally)
  }

  private func wake(at instant: Instant, in group: inout Group) {
    group.addTask { [clock] in
      try await clock.sleep(until: instant)
      return .woke
    }
  }

  private func awaitChange(in group: inout Group, _ changes: AsyncStream<Systems.Change>) {
    group.addTask { [slots, kind = job.kind] in
      for await change in changes {
        return .change(change, systems: slots.count(for: kind))
      }
      return .nothing
    }
  }

  private func illegal(_ event: String) -> IllegalEvent {
    IllegalEvent(event: event, state: "\(attempts.count) attempts are in flight", story: [])
  }
}
