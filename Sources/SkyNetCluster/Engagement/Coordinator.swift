public import SkyNetCore

/// Spreads a job's tasks over all systems, and gathers every result.
///
/// One throwing task group, in which everything that is waited for is a child that returns an
/// event. `Engagement` decides what follows from each; this only does it.
public struct Coordinator: Sendable {
  public typealias Report = @Sendable (EngagementEvent, Tally) async -> Void

  private let systems: Systems
  private let actorSystem: ClusterActorSystem
  private let settings: EngagementSettings
  private let clock: any ClusterClock

  package init(
    systems: Systems, actorSystem: ClusterActorSystem,
    settings: EngagementSettings = EngagementSettings(),
    clock: any ClusterClock = SteadyClock()
  ) {
    self.systems = systems
    self.actorSystem = actorSystem
    self.settings = settings
    self.clock = clock
  }

  /// Waits until this many remote systems are connected.
  ///
  /// - Throws: ``EngagementError/tooFewSystems(wanted:found:waited:)``; `CancellationError`.
  public func waitForSystems(_ count: Int, timeout: Duration = .seconds(10)) async throws {
    guard count > 0 else { return }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask { [systems] in
        var present: Set<Incarnation> = []
        for await change in await systems.changes() where present.count < count {
          switch change {
          case .connected(let system): present.insert(system.incarnation)
          case .disconnected(let system, _): present.remove(system.incarnation)
          case .draining(let id): present.remove(id)
          // This process's own, which is not remote.
          case .serving: break
          }
          if present.count >= count { return true }
        }
        throw CancellationError()
      }
      group.addTask { [clock] in
        try await clock.sleep(until: clock.now + timeout)
        return false
      }
      defer { group.cancelAll() }
      guard try await group.next() == false else { return }
      let found = await systems.connected.count
      throw EngagementError.tooFewSystems(wanted: count, found: found, waited: timeout)
    }
  }

  /// Runs a job to its end.
  ///
  /// Cancelling cancels the scans that run, also on other systems. A shutdown lets them finish.
  ///
  /// - Parameters:
  ///   - journal: where to go on from, and what to tell; the caller has opened it for this job.
  ///   - report: called for each thing that happens, in order, with the counts after it. What it
  ///     awaits holds up the engagement; it must not block its thread, which may be a connection's.
  /// - Returns: the job with all of its outputs received, and the counts.
  /// - Throws: ``EngagementError/noSystem(waited:)``,
  ///   ``EngagementError/impossiblePast(sector:reason:)``; what the job throws when it receives an
  ///   output; `IllegalEvent`, which is a bug in SkyNet; `CancellationError`.
  public func run<J: Job>(
    _ job: J, journal: Journal? = nil, shutdown: ShutdownTrigger = ShutdownTrigger(),
    report: @escaping Report = { _, _ in }
  ) async throws -> (job: J, tally: Tally) {
    let journal = journal?.store
    let job = ErasedJob(job: job, scan: actorSystem.registry[J.Work.kind] as? J.Work)
    let runner = AttemptRunner(
      job.source, isTimed: settings.scanTimeout != nil, systems: systems,
      client: actorSystem.incarnation, name: actorSystem.hello.name,
      clock: clock, journal: journal)
    var run = EngagementRun(
      job, settings: settings, slots: systems.slots, actorSystem: actorSystem, runner: runner,
      clock: clock, journal: journal, report: report)
    let changes = await systems.changes()
    return try await withThrowingTaskGroup(of: EngagementRun.Event.self) { group in
      try await run.engage(in: &group, changes: changes, shutdown: shutdown)
      guard let job = run.job as? ErasedJob<J> else { preconditionFailure("another job") }
      return (job.job, run.tally)
    }
  }
}
