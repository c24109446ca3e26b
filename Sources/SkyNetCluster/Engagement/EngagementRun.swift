import BitCollections
import Foundation
import SkyNetCore

/// One run of a job: performs what its `Engagement` decides, as children of one task group.
///
/// This file has the loop from event to event. `+Events` takes each event to the `Engagement`, `+Actions`
/// performs the actions that the `Engagement` answers with, `+Slots` asks for slots, `+Attempts` begins
/// attempts and takes their outputs, `+Growth` adds the parts of a growing job, and `+Restoring` reads the
/// journal.
struct EngagementRun {
  typealias Group = ThrowingTaskGroup<Event, any Error>

  /// What a child of the group returns. It stays inside the run; an ``EngagementEvent`` is what the run reports.
  enum Event: Sendable {
    case slotsGranted([Systems.Commitment])
    case slotGranted(Systems.Commitment, for: TaskID, CancellableChild)
    case idleSlotGranted(Systems.Commitment, for: CancellableChild)
    case attemptStarted(Attempt.ID, AttemptStart.Start)
    case attemptEnded(Attempt, FinishedAttempt)
    case systemsChanged(Systems.Change, count: Int, drained: Int)
    case shutdownBegan
    /// The next part of a growing job; `nil` if none is left.
    case grew(JobPart?)
    case woke
    /// The event that the child waited for did not come, or the child was cancelled.
    case nothing
  }

  let id: RunID
  var job: any AnyJob
  var tally: Tally
  /// The progress, for the heartbeats of this process's connections.
  let progress: RunProgress
  var engagement: Engagement
  let settings: EngagementSettings
  let slots: SlotPool
  private let actorSystem: ClusterActorSystem
  var runner: AttemptRunner
  let clock: any ClusterClock
  let journal: (any JournalStore)?
  private let reportUpdate: Coordinator.Report
  /// The wall clock's time at the origin of `clock`.
  private let origin: Date
  /// The executor where a connection's answers arrive, once the job's code was brief enough to run there.
  /// The run keeps it to the end, even if the connection has ended, as children that began there still
  /// refer to it.
  private var answerExecutor: (any TaskExecutor)?
  /// Granted slots that no attempt uses yet, with the systems that they are on.
  var granted: [Slot: ScanSystem] = [:]
  var membership: MembershipView
  /// The attempts that the run waits for.
  var attempts: [Attempt.ID: (child: CancellableChild, start: AttemptStart)] = [:]
  /// The children that wait for a slot for a task that is tried again.
  var retryRequests: [TaskID: CancellableChild] = [:]
  /// The child that waits for an idle slot.
  var idleSlotRequest: CancellableChild?
  /// The output of the attempt that ended last. The job takes it before the next event, or never.
  var lastOutput: AnyOutput?
  /// The sectors that have their result, or failed.
  var endedSectors = BitSet()
  /// The sectors that the job began with, and those of each part that it has added.
  var sectors: [Range<Int>] = []
  /// Whether the job adds parts. It is asked once, as each event depends on it.
  let isGrowing: Bool
  var openParts = OpenParts()
  /// The numbers of the parts that earlier processes recorded.
  var pastParts: Set<Int> = []
  var isFinished = false
  var isShuttingDown = false
  var metrics: EngagementMetrics?

  init(
    _ job: any AnyJob, id: RunID, settings: EngagementSettings, slots: SlotPool,
    actorSystem: ClusterActorSystem,
    runner: AttemptRunner, clock: any ClusterClock, journal: (any JournalStore)?,
    report: @escaping Coordinator.Report
  ) {
    self.id = id
    self.job = job
    isGrowing = job.isGrowing
    self.settings = settings
    self.slots = slots
    self.actorSystem = actorSystem
    self.runner = runner
    self.clock = clock
    self.journal = journal
    reportUpdate = report
    let now = clock.now
    origin = Date.now.addingTimeInterval(-now.sinceOrigin.inSeconds)
    progress = RunProgress(id, of: job, at: now)
    metrics = EngagementMetrics(job.kind)
    tally = Tally(total: job.sectorCount)
    membership = MembershipView(for: job.kind)
    engagement = Engagement(settings: settings)
  }

  /// Engages the systems until the job is done, and then cancels the children that are left in the group.
  mutating func engage(
    in group: inout Group, changes: AsyncStream<Systems.Change>, shutdown: ShutdownTrigger
  ) async throws {
    actorSystem.engagements.add(progress)
    defer { actorSystem.engagements.remove(progress) }
    let result: Result<Void, any Error>
    do {
      try await processEvents(in: &group, changes: changes, shutdown: shutdown)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    group.cancelAll()
    // However this engagement ended, other engagements may need the slots that it was granted last.
    var illegal = releaseUnused(granted.keys)
    while let last = await group.nextResult() {
      switch last {
      case .success(.slotsGranted(let unused)):
        illegal = releaseUnused(unused.map(\.slot)) ?? illegal
      case .success(.slotGranted(let unused, _, _)), .success(.idleSlotGranted(let unused, _)):
        illegal = releaseUnused([unused.slot]) ?? illegal
      default: break
      }
    }
    if let journal {
      // A cancellation of the engagement does not reach this task, so the journal keeps every answer that came.
      let written = await Task { try await journal.finish() }.result
      if case .success = result { try written.get() }
    }
    try result.get()
    if let illegal { throw illegal }
  }

  /// Takes each event to the `Engagement` and performs its actions, until the job is done.
  private mutating func processEvents(
    in group: inout Group, changes: AsyncStream<Systems.Change>, shutdown: ShutdownTrigger
  ) async throws {
    try await beginEngagement(in: &group, changes: changes, shutdown: shutdown)
    while !isFinished {
      let isLight = runner.jobCode.isLight
      if isLight, answerExecutor == nil {
        answerExecutor = actorSystem.links.lazy.compactMap(\.executor).first
      }
      // Children that are added meanwhile inherit the executor.
      try await withTaskExecutorPreference(isLight ? answerExecutor : nil) {
        while !isFinished, runner.jobCode.isLight == isLight {
          guard let event = try await group.next() else { throw CancellationError() }
          try await perform(try await actions(after: event), in: &group)
          if case .systemsChanged = event { awaitChange(in: &group, changes) }
          if let journal, journal.isBehind { try await journal.commit() }
        }
      }
    }
  }

  /// Restores the work of earlier processes, and tells the `Engagement` which tasks are left.
  private mutating func beginEngagement(
    in group: inout Group, changes: AsyncStream<Systems.Change>, shutdown: ShutdownTrigger
  ) async throws {
    group.addTask {
      try await shutdown.wait()
      return .shutdownBegan
    }
    await report(
      .began(name: job.name, sectors: job.sectorCount, passes: job.passes.map(\.name)))
    let all = 0..<job.sectorCount
    // A job that grows may begin without a sector.
    let first = all.isEmpty ? [] : [TaskRange(sectors: all)]
    sectors = [all]
    await reportAdded(first)
    // What earlier processes did of a growing job's parts is taken over part by part.
    let restored = try await restore(first, of: isGrowing ? all : nil, from: journal)
    if isGrowing {
      for part in try await journal?.parts() ?? [] { pastParts.insert(part.number) }
    }
    if let journal {
      group.addTask {
        try await journal.run()
        return .nothing
      }
    }
    awaitChange(in: &group, changes)
    let counts = slots.counts(for: job.kind)
    let ownSystem = actorSystem.incarnation
    if let ownSlots = slots.slots(of: ownSystem) {
      journal?.record(
        .changed(
          SystemChange(
            ownSystem, "local",
            .connected(address: "", slots: ownSlots, version: SkyNetVersion.software))))
    }
    for system in slots.connected where system.name == system.fullName {
      engagement.systemRenamed(system.incarnation, to: system.name)
    }
    let actions = engagement.began(
      restored.left, stories: restored.stories, losses: try await journal?.losses() ?? Losses(),
      systems: counts.serving, drained: counts.drained,
      ownSystem: slots.contains(ownSystem) ? ownSystem : nil, grows: isGrowing,
      keepsData: job.keepsData, at: clock.now)
    try await perform(actions, in: &group)
  }

  /// Reports an event that happens now.
  func report(_ event: EngagementEvent) async { await report(event, at: clock.now) }

  /// Reports an event, with the counts as they are now.
  func report(_ event: EngagementEvent, at time: Instant) async {
    await reportUpdate(
      EngagementUpdate(
        run: id, at: time, since: origin, event: event, tally: tally,
        part: isGrowing ? event.task.flatMap { part(of: $0.sector) } : nil))
  }

  /// Reports that the job has added tasks.
  func reportAdded(_ tasks: [TaskRange]) async {
    progress.change { progress in
      for range in tasks { progress.added(range.sectors.count, toPass: range.pass) }
    }
    // A job may add thousands of ranges of one pass at a time.
    let counts = tasks.reduce(into: [:]) { $0[$1.pass, default: 0] += $1.sectors.count }
    for (pass, count) in counts.sorted(by: { $0.key < $1.key }) {
      await report(.added(tasks: count, pass: pass))
    }
  }

  /// Adds a child that waits for the next change of the systems.
  private func awaitChange(in group: inout Group, _ changes: AsyncStream<Systems.Change>) {
    group.addTask { [slots, kind = job.kind] in
      for await change in changes {
        let counts = slots.counts(for: kind)
        return .systemsChanged(change, count: counts.serving, drained: counts.drained)
      }
      return .nothing
    }
  }
}
