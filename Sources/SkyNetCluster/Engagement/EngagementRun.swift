import Foundation
import SkyNetCore

/// The actor that runs one job: it performs what its `Engagement` decides, as children of one task group.
///
/// This file has the loop from event to event, and the job's own code. `+Actions` performs the actions that the
/// `Engagement` answers an event with, `+Slots` asks for slots, `+Attempts` begins attempts and takes their outputs,
/// `+CarryingOut` has a system scan an attempt's sector, `+Growth` adds the parts of a growing job, `+Restoring` takes
/// over what the journal holds, and `+Reports` tells of all this.
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
    case systemsChanged(Systems.Change)
    case shutdownBegan
    /// The next part of a growing job; `nil` if none is left.
    case grew(JobPart?)
    case woke
    /// The event that the child waited for did not come, or the child was cancelled.
    case nothing
  }

  let id: RunID
  let kind: ScanKind
  /// While ``changing(_:)`` has the job changed on Swift's pool, its ``source`` stands here.
  var job: any AnyJob
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
  var attempts: [Attempt.ID: FlyingAttempt] = [:]
  /// The requests for slots that wait.
  var requests: [Wish: SlotRequest.ID] = [:]
  /// The output of the attempt that ended last. The job takes it before the next event, or never.
  var lastOutput: AnyOutput?
  /// The open parts of a growing job; `nil` if the job does not grow.
  var openParts: OpenParts?
  /// The connected systems that can run no scan of the run, each with the reason.
  var unsuited: [Incarnation: UnsuitedSystem] = [:]
  /// Whether people were told that sectors wait for what earlier processes began.
  var toldOfEarlierScans = false
  /// When people were told that a system had no room for a scan, or a sector has ended since, and how many had.
  var full: [Incarnation: (at: Instant, ended: Int)] = [:]
  var added = AddedTasks()
  /// The sectors of the parts that earlier processes recorded, and how each ended if the job does not record that itself,
  /// by the parts' numbers.
  var pastParts: [Int: (sectors: Range<Int>, ended: String?)] = [:]

  init(
    _ job: any AnyJob, id: RunID, settings: EngagementSettings, systems: Systems,
    actorSystem: ClusterActorSystem, clock: any ClusterClock, journal: (any JournalStore)?,
    report: @escaping Coordinator.Report
  ) {
    self.id = id
    self.job = job
    kind = job.kind
    source = job
    isLight = job.base.isLight
    openParts = job.growing.map { _ in OpenParts() }
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
      sectors: job.base.sectorCount, weights: job.base.passes.map(\.weight), at: now)
    metrics = EngagementMetrics(job.kind)
    engagement = Engagement(settings: settings)
  }

  /// Takes each event of the group to the `Engagement` and performs its actions, until the job is done. Then cancels the
  /// children that are left.
  func engage(until shutdown: ShutdownTrigger) async throws {
    let changes = await systems.changes()
    var tables = [actorSystem.peers]
    // A system that is lent has peers of its own, who are told of the run too.
    if let lent = systems.local?.actorSystem, lent !== actorSystem { tables.append(lent.peers) }
    for peers in tables { await peers.began(self) }
    defer {
      for peers in tables { peers.here { $0.ended(self) } }
      systems.here { $0.ended(id) }
    }
    try await withTaskExecutorPreference(executor) {
      try await withThrowingTaskGroup(of: Event.self) { group in
        let result: Result<Void, any Error>
        do {
          try await begin(in: &group, changes: changes, shutdown: shutdown)
          while !inPlace(&engagement, { $0.isFinished }) {
            guard let event = try await group.next() else { throw CancellationError() }
            try await perform(try await actions(after: event), in: &group)
            if case .systemsChanged = event { awaitChange(in: &group, changes) }
            if let journal, journal.isBehind { try await journal.commit() }
          }
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
    }
  }

  /// Restores the work of earlier processes, and tells the `Engagement` which tasks are left.
  private func begin(
    in group: inout Group, changes: AsyncStream<Systems.Change>, shutdown: ShutdownTrigger
  ) async throws {
    group.addTask {
      try await shutdown.wait()
      return .shutdownBegan
    }
    let base = job.base
    await report(
      .began(name: base.name, sectors: base.sectorCount, passes: base.passes.map(\.name)))
    let all = 0..<base.sectorCount
    // A job that grows may begin without a sector.
    let first = all.isEmpty ? [] : [TaskRange(sectors: all)]
    try added.add(first)
    await reportAdded(first)
    // What earlier processes did of a growing job's parts is taken over part by part, and what they did of sectors that
    // the job no longer begins with, and did not add, is left alone.
    let restored = try await restore(first, of: all)
    if openParts != nil {
      let parts = try await journal?.parts() ?? []
      pastParts = Dictionary(
        uniqueKeysWithValues: parts.map {
          ($0.number, ($0.sectors, keepsOutcomes ? nil : $0.outcome))
        })
    }
    if let journal {
      group.addTask {
        try await journal.run()
        return .nothing
      }
    }
    awaitChange(in: &group, changes)
    let counts = await systems.counts(for: kind, of: id)
    let ownSystem = systems.local?.id
    if let ownSystem, let slots = await systems.roster.member(ownSystem)?.slots {
      let connected = SystemChange.Kind.connected(
        address: "", slots: slots, version: SkyNetVersion.software)
      journal?.record(.changed(SystemChange(system: ownSystem, name: "local", kind: connected)))
    }
    for system in await systems.connected where system.name == system.fullName {
      engagement.systemRenamed(system.incarnation, to: system.name)
    }
    let actions = engagement.began(
      restored.left, stories: restored.stories, losses: try await journal?.losses() ?? Losses(),
      systems: counts.serving, drained: counts.drained,
      ownSystem: ownSystem, grows: openParts != nil,
      keepsData: job.referring?.keepsData ?? false, at: clock.now)
    try await perform(actions, in: &group)
  }

  // MARK: Events

  /// Adds a child that waits for the next change of the systems.
  private func awaitChange(in group: inout Group, _ changes: AsyncStream<Systems.Change>) {
    group.addTask {
      for await change in changes { return .systemsChanged(change) }
      return .nothing
    }
  }

  /// Tells the `Engagement` of an event, and returns the actions that it answers with.
  ///
  /// - Throws: the errors of the job, and those of the journal, when the job adds a part.
  @inline(__always)
  private func actions(after event: Event) async throws -> [EngagementAction] {
    let now = clock.now
    switch event {
    case .slotsGranted(let commitments, let wish, let request):
      return take(commitments, for: wish, request)
    case .attemptStarted(let attempt, let start):
      return engagement.attemptStarted(attempt, start: start.at, limit: start.limit, at: now)
    case .attemptEnded(let attempt, let end):
      attempts[attempt.id] = nil
      lastOutput = end.output
      switch end.found {
      case .unsuited(let reason):
        return await found(attempt.slot, unsuitedFor: reason, at: now)
          + engagement.attemptEnded(attempt.id, end.outcome, at: now)
      case .full(let reason): await found(attempt.slot, fullFor: reason, at: now)
      case nil: break
      }
      return engagement.attemptEnded(attempt.id, end.outcome, at: now)
    case .systemsChanged(let change):
      let counts = systems.here { $0.counts(for: kind, of: id) }
      let forgiven = await note(change)
      return forgiven
        + engagement.systemsChanged(to: counts.serving, drained: counts.drained, at: now)
    case .shutdownBegan: return engagement.interrupted()
    case .grew(let part): return try await actions(afterGrowthBy: part)
    case .woke:
      let counts = systems.here { $0.counts(for: kind, of: id) }
      return engagement.woke(systems: counts.serving, drained: counts.drained, at: now)
    case .nothing: return []
    }
  }

  /// A scan has found that its system can run none of the run. Returns what follows from there being one system less.
  private func found(
    _ slot: Slot, unsuitedFor reason: String, at now: Instant
  ) async -> [EngagementAction] {
    let (isHere, counts) = systems.here { systems in
      (systems.roster.isUnsuited(slot.system, for: id), systems.counts(for: kind, of: id))
    }
    // Several scans may have been under way there, and slots that were granted meanwhile come back in the same way.
    if isHere, unsuited[slot.system] == nil {
      await note(slot.system, UnsuitedSystem(name: name(of: slot), reason: reason))
    }
    return engagement.systemUnsuited(leaving: counts.serving, drained: counts.drained, at: now)
  }

  /// A system had no room for a scan. People hear of it once, and again whenever no sector has ended for a minute since.
  private func found(_ slot: Slot, fullFor reason: String, at now: Instant) async {
    let ended = ledger.tally.completed + ledger.tally.failed
    if let told = full[slot.system] {
      if told.ended != ended { full[slot.system] = (now, ended) }
      guard told.ended == ended, told.at + .seconds(60) <= now else { return }
    }
    full[slot.system] = (now, ended)
    await report(.full(name(of: slot), reason: reason))
  }

  private func note(_ system: Incarnation, _ found: UnsuitedSystem) async {
    unsuited[system] = found
    journal?.record(
      .changed(
        SystemChange(system: system, name: found.name, kind: .unsuited(reason: found.reason))))
    await report(.unsuited(found.name, reason: found.reason))
  }

  /// Records and reports a change of the systems. Returns what follows for tasks that a system had been blamed for.
  private func note(_ change: Systems.Change) async -> [EngagementAction] {
    var forgiven: [EngagementAction] = []
    if case .connected(let system) = change {
      let killed = systems.here { $0.roster.killed(by: system.place) }
      forgiven = engagement.systemJoined(system.incarnation, afterPlaceKilled: killed)
    }
    if case .disconnected(let system, _) = change,
      let wait = engagement.systemLost(
        system.incarnation, cancelledWithin: system.cancelsWithin, at: clock.now)
    {
      await report(.held(system: system.name, seconds: wait.inSeconds))
    }
    if case .renamed(let system, _) = change {
      engagement.systemRenamed(system.incarnation, to: system.name)
    }
    for (event, entry) in change.news {
      if let entry { journal?.record(.changed(entry)) }
      await report(event)
    }
    switch change {
    case .connected(let system) where !system.scans.contains(kind):
      await note(system.incarnation, UnsuitedSystem(system, lacks: kind))
    case .renamed(let system, _):
      if let reason = unsuited[system.incarnation]?.reason {
        unsuited[system.incarnation] = UnsuitedSystem(name: system.name, reason: reason)
      }
    case .disconnected(let system, _): unsuited[system.incarnation] = nil
    default: break
    }
    return forgiven
  }

  // MARK: The job's own code

  // A light job's code runs on the engine, where each call saves a switch of threads. Other code would hold up every
  // connection there, so it runs on Swift's pool.

  @inline(__always)
  func asking<Success: Sendable>(
    _ code: @Sendable () async throws -> Success
  ) async throws -> Success {
    if isLight { try await code() } else { try await executor.onPool(code) }
  }

  /// Runs code that changes the job.
  @inline(__always)
  func changing<Success: Sendable>(
    _ code: @Sendable (inout any AnyJob) throws -> Success
  ) async throws -> Success {
    if isLight { return try code(&job) }
    // The job leaves the actor meanwhile: a second reference to it would have it copied.
    var leaving = source
    swap(&job, &leaving)
    defer { job = leaving }
    return try await withTaskExecutorPreference(executor.pool) {
      try await Self.perform(code, on: &leaving)
    }
  }

  /// Runs where its task prefers to, and not on this actor.
  @concurrent private static func perform<Success: Sendable>(
    _ code: @Sendable (inout any AnyJob) throws -> Success, on job: inout any AnyJob
  ) async throws -> Success {
    try code(&job)
  }
}
