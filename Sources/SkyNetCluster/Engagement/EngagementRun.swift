import Foundation
import SkyNetCore

/// The actor that runs one job: it performs what its `Engagement` decides, as children of one task group.
///
/// This file has the loop from event to event. `+Events` takes each event to the `Engagement`, `+Actions`
/// performs the actions that the `Engagement` answers with, `+Slots` asks for slots, `+Attempts` begins
/// attempts and takes their outputs, `+CarryingOut` has a system scan an attempt's sector, `+Growth` adds the parts of
/// a growing job, `+Restoring` reads the journal, and `+Reports` tells of all this.
///
/// Each call of an async function, and each return, is two looks at which executor the task prefers, at some 50 ns each.
/// So small functions on an attempt's way are inlined.
package actor EngagementRun: EngineActor {
  typealias Group = ThrowingTaskGroup<Event, any Error>

  /// What a child of the group returns. It stays inside the run; an ``EngagementEvent`` is what the run reports.
  enum Event: Sendable {
    case slotsGranted([Systems.Commitment], for: Wish, SlotRequest.ID)
    case attemptStarted(Attempt.ID, FlyingAttempt.Start)
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
  let kind: ScanKind
  let name: String
  let passNames: [String]
  /// `nil` only while ``changing(_:)`` has the job changed on Swift's pool.
  var presentJob: (any AnyJob)?
  /// The job as it was when it last got tasks. It makes the tasks of attempts that begin now.
  var source: any AnyJob
  /// See ``Job/isLight``. It is asked once, as each call of the job's code depends on it.
  let isLight: Bool
  var ledger: RunLedger
  var metrics: EngagementMetrics?
  var engagement: Engagement
  let settings: EngagementSettings
  let systems: Systems
  let actorSystem: ClusterActorSystem
  /// This process's name, for its own system.
  let clientName: String
  package nonisolated let executor: any EngineExecutor
  package nonisolated let unownedExecutor: UnownedSerialExecutor
  let clock: any ClusterClock
  let journal: (any JournalStore)?
  let reportUpdate: Coordinator.Report
  /// The wall clock's time at the origin of `clock`.
  let origin: Date
  /// Granted slots that no attempt uses yet, with the systems that they are on.
  var granted: [Slot: ScanSystem] = [:]
  /// The attempts that the run waits for.
  var attempts: [Attempt.ID: FlyingAttempt] = [:]
  /// The requests for slots that wait.
  var requests: [Wish: SlotRequest.ID] = [:]
  /// The output of the attempt that ended last. The job takes it before the next event, or never.
  var lastOutput: AnyOutput?
  /// Whether the job adds parts. It is asked once, as each event depends on it.
  let isGrowing: Bool
  var openParts = OpenParts()
  /// The numbers of the parts that earlier processes recorded.
  var pastParts: Set<Int> = []

  init(
    _ job: any AnyJob, id: RunID, settings: EngagementSettings, systems: Systems,
    actorSystem: ClusterActorSystem, clock: any ClusterClock, journal: (any JournalStore)?,
    report: @escaping Coordinator.Report
  ) {
    self.id = id
    presentJob = job
    kind = job.kind
    name = job.name
    passNames = job.passes.map(\.name)
    source = job
    isLight = job.isLight
    isGrowing = job.isGrowing
    self.settings = settings
    self.systems = systems
    self.actorSystem = actorSystem
    clientName = actorSystem.hello.name
    executor = actorSystem.executor
    unownedExecutor = executor.asUnownedSerialExecutor()
    self.clock = clock
    self.journal = journal
    reportUpdate = report
    let now = clock.now
    origin = Date.now.addingTimeInterval(-now.sinceOrigin.inSeconds)
    ledger = RunLedger(
      sectors: job.sectorCount, weights: job.passes.map(\.weight), at: now)
    metrics = EngagementMetrics(job.kind)
    engagement = Engagement(settings: settings)
  }

  /// Engages the systems until the job is done, and then cancels the children that are left in the group.
  func engage(until shutdown: ShutdownTrigger) async throws {
    let changes = await systems.changes()
    await actorSystem.peers.began(self)
    defer { actorSystem.peers.here { $0.ended(self) } }
    try await withTaskExecutorPreference(executor) {
      try await withThrowingTaskGroup(of: Event.self) { group in
        try await engage(in: &group, changes: changes, shutdown: shutdown)
      }
    }
  }

  private func engage(
    in group: inout Group, changes: AsyncStream<Systems.Change>, shutdown: ShutdownTrigger
  ) async throws {
    let result: Result<Void, any Error>
    do {
      try await processEvents(in: &group, changes: changes, shutdown: shutdown)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    group.cancelAll()
    // However this engagement ended, other engagements may need the slots that it was granted last.
    var illegal = releaseUnused(Array(granted.keys))
    while let last = await group.nextResult() {
      guard case .success(.slotsGranted(let unused, _, _)) = last else { continue }
      illegal = releaseUnused(unused.map(\.slot)) ?? illegal
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
  private func processEvents(
    in group: inout Group, changes: AsyncStream<Systems.Change>, shutdown: ShutdownTrigger
  ) async throws {
    try await beginEngagement(in: &group, changes: changes, shutdown: shutdown)
    while !engagement.isFinished {
      guard let event = try await group.next() else { throw CancellationError() }
      try await perform(try await actions(after: event), in: &group)
      if case .systemsChanged = event { awaitChange(in: &group, changes) }
      if let journal, journal.isBehind { try await journal.commit() }
    }
  }

  /// Restores the work of earlier processes, and tells the `Engagement` which tasks are left.
  private func beginEngagement(
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
    let counts = await systems.counts(for: job.kind)
    let ownSystem = actorSystem.incarnation
    let ownSlots = await systems.roster.member(ownSystem)?.slots
    if let ownSlots {
      journal?.record(
        .changed(
          SystemChange(
            ownSystem, "local",
            .connected(address: "", slots: ownSlots, version: SkyNetVersion.software))))
    }
    for system in await systems.connected where system.name == system.fullName {
      engagement.systemRenamed(system.incarnation, to: system.name)
    }
    let actions = engagement.began(
      restored.left, stories: restored.stories, losses: try await journal?.losses() ?? Losses(),
      systems: counts.serving, drained: counts.drained,
      ownSystem: ownSlots == nil ? nil : ownSystem, grows: isGrowing,
      keepsData: job.keepsData, at: clock.now)
    try await perform(actions, in: &group)
  }

  /// Adds a child that waits for the next change of the systems.
  private func awaitChange(in group: inout Group, _ changes: AsyncStream<Systems.Change>) {
    group.addTask { [systems, kind = job.kind] in
      for await change in changes {
        let counts = await systems.counts(for: kind)
        return .systemsChanged(change, count: counts.serving, drained: counts.drained)
      }
      return .nothing
    }
  }
}
