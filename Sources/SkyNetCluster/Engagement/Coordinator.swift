public import SkyNetCore

/// Spreads a job's tasks over all systems, and gathers every result.
///
/// A run is one throwing task group. For everything that the run waits for, the group has a child, which
/// returns an event. `Engagement` decides which actions follow from an event; `EngagementRun`, an actor, performs them.
public struct Coordinator: Sendable {
  /// What ``run(_:journal:id:shutdown:report:abandoned:)`` calls for each event.
  public typealias Report = @Sendable (EngagementUpdate) async -> Void

  let systems: Systems
  let actorSystem: ClusterActorSystem
  let settings: EngagementSettings
  let clock: any ClusterClock

  /// Waits until this many remote systems are connected.
  ///
  /// - Parameters:
  ///   - count: how many systems to wait for. With 0 or less the method returns at once.
  ///   - timeout: how long to wait for them.
  ///   - changed: called with the names of the systems that are there, each time that they change.
  /// - Throws: ``EngagementError/tooFewSystems(wanted:found:waited:)``; `CancellationError`.
  public func waitForSystems(
    _ count: Int, timeout: Duration = .seconds(10),
    changed: @escaping @Sendable ([String]) -> Void = { _ in }
  ) async throws {
    guard count > 0 else { return }
    let arrival: Void? = try await clock.attempt(until: clock.now + timeout) { [systems] in
      var present: [RemoteSystem] = []
      for await change in await systems.changes() where present.count < count {
        switch change {
        case .connected(let system): present.append(system)
        case .renamed(let system, _):
          present = present.map { $0.incarnation == system.incarnation ? system : $0 }
        case .disconnected(let system, _):
          present.removeAll { $0.incarnation == system.incarnation }
        case .draining(let name, _): present.removeAll { $0.incarnation == name.id }
        // Only this process's own system begins to serve again, and it is not remote.
        case .serving, .yielding, .silent, .heard, .paused, .resumed, .helping, .helped: continue
        }
        changed(present.map(\.name))
        if present.count >= count { return }
      }
      throw CancellationError()
    }
    guard arrival == nil else { return }
    let found = await systems.connected.count
    throw EngagementError.tooFewSystems(wanted: count, found: found, waited: timeout)
  }

  /// Runs a job to its end.
  ///
  /// Cancelling the caller's task cancels the scans that run, also on other systems. A graceful shutdown lets
  /// them finish.
  ///
  /// - Parameters:
  ///   - job: the job to run. It is copied: the run's copy is returned.
  ///   - journal: holds what earlier processes did, and records what this one does. The caller has opened it
  ///     for this job.
  ///   - id: by default the journal's, or a new one.
  ///   - shutdown: begins a graceful shutdown.
  ///   - report: called for each event, in order, with the counts after it. While it waits, so does the
  ///     engagement. It must not block its thread, which may be that of all connections.
  ///   - abandoned: called before an error is thrown, that of a cancelled run too, with the job as far as it has received
  ///     its outputs, and the counts.
  /// - Returns: the job after it has received all of its outputs, and the counts.
  /// - Throws: ``EngagementError/unknownScan(_:joinedWith:)``, ``EngagementError/noSystem(waited:)``,
  ///   ``EngagementError/noSuitableSystem(reasons:waited:)``, ``EngagementError/impossibleTask(_:reason:)``,
  ///   ``EngagementError/impossiblePast(sector:reason:)``; the errors of the job when it receives an
  ///   output; the errors of the journal; `IllegalEvent`, which is a bug in SkyNet; `CancellationError`.
  public func run<J: Job>(
    _ job: J, journal: Journal? = nil, id: RunID? = nil,
    shutdown: ShutdownTrigger = ShutdownTrigger(), report: @escaping Report = { _ in },
    abandoned: (J, Tally) -> Void = { _, _ in }
  ) async throws -> (job: J, tally: Tally) {
    let journal = journal?.store
    let id = id ?? journal?.run ?? RunID()
    var settings = settings
    if !job.mayRunTwice { settings.hedgeFactor = nil }
    settings.retryWaits = job.retryWaits
    // A silence is noticed at the next look.
    settings.longestSilence = .seconds(actorSystem.hello.timeoutSeconds * 1.2)
    let joined = try actorSystem.registry.scan(of: J.Work.self)
    let scan = (job as? any JobWithScan)?.scan as? J.Work ?? joined
    guard job.sectorCount >= 0 else {
      throw EngagementError.impossibleTask(
        TaskID(sector: job.sectorCount), reason: "a job has 0 sectors or more")
    }
    let job = ErasedJob(job: job, run: id, scan: OwnScan(scan))
    let run = EngagementRun(
      job, id: id, settings: settings, systems: systems, actorSystem: actorSystem,
      clock: clock, journal: journal, report: report)
    do {
      if let spans = actorSystem.spans {
        try await spans.engagement(id, of: job) { try await run.engage(until: shutdown) }
      } else {
        try await run.engage(until: shutdown)
      }
    } catch {
      let (job, tally) = await run.outcome(of: J.self)
      abandoned(job, tally)
      throw error
    }
    return await run.outcome(of: J.self)
  }
}

/// Tells an engagement from outside to shut down gracefully: to hand out no more tasks, and to end when the
/// scans that run have ended.
public final class ShutdownTrigger: Sendable {
  private let signal = OneShot<Void>()

  /// Makes a trigger that has not begun a shutdown.
  public init() {}

  /// Begins the shutdown. A second call changes nothing.
  public func shutDown() { signal.complete(.success(())) }

  /// Returns when the shutdown begins.
  ///
  /// - Throws: `CancellationError`.
  package func wait() async throws { try await signal.value() }
}
