package import Distributed
package import Logging
package import SkyNetCore

/// The actor that runs scans on one machine.
///
/// It has a slot for each scan that it runs at a time, and a queue in front of the slots that serves all
/// clients fairly. An instance is either this process's own, or stands for a peer's; both are called in the
/// same way.
///
/// Every scan of this machine enters by ``run(_:)``, whether a peer or this process asks for it.
package distributed actor ScanSystem {
  package typealias ActorSystem = ClusterActorSystem

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    actorSystem.unownedExecutor
  }

  var queue: AdmissionQueue
  var orphans: OrphanedScans
  var briefScans = LeakyBucket()
  var unsuited = RefusalLog()
  var lastCall: UInt64 = 0
  /// Called when the system takes tasks again, after scans that ignore their cancellation had held all of its slots.
  var whenResumed: @Sendable () -> Void = {}
  /// Called when the system has begun or ceased to drain.
  var whenDraining: @Sendable (_ isDraining: Bool) -> Void = { _ in }
  /// Connects to a process that relays, and serves the peer that is met there; `nil` if this process serves none.
  var whenToMeet: (@Sendable (RelayTicket, Endpoint) -> Void)?
  /// The client in this process that lends the slots to others; `nil` if none does.
  let owner: Incarnation?
  let threads: ScanThreads
  let clock: any ClusterClock
  let logger: Logger
  let metrics: ScanMetrics?

  /// Makes this process's own system. A process has one at most. A process that serves peers makes it before
  /// it connects to any.
  ///
  /// - Parameters:
  ///   - slots: how many scans run at a time.
  ///   - owner: the client in this process that lends the slots to others, if one does.
  ///   - lifetime: decides what may still start; with `nil`, the process has no end that is known before.
  package init(
    slots: Int, actorSystem: ClusterActorSystem, owner: Incarnation? = nil,
    lifetime: Lifetime? = nil, clock: any ClusterClock = SteadyClock(),
    logger: Logger = Logger(label: "skynet.scan")
  ) {
    self.actorSystem = actorSystem
    self.owner = owner
    queue = AdmissionQueue(
      slots: slots, owner: owner, lifetime: lifetime, clock: clock, logger: logger)
    orphans = OrphanedScans(slots: slots)
    threads = ScanThreads(count: slots)
    self.clock = clock
    self.logger = logger
    metrics = ScanMetrics(actorSystem.registry.kinds)
  }

  /// Enters this process's own system from code that runs on the engine. Returns `nil` for an instance that stands for
  /// a peer's.
  @discardableResult
  nonisolated func here<Result: Sendable, Failure: Error>(
    _ body: (isolated ScanSystem) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard id == actorSystem.incarnation else { return nil }
    actorSystem.executor.checkIsolated()
    // As in `EngineActor`, which a distributed actor is not.
    typealias Body = (isolated ScanSystem) throws(Failure) -> Result
    typealias Free = (ScanSystem, Body) throws(Failure) -> Result
    let call = { (actor: isolated ScanSystem, body: Body) throws(Failure) in try body(actor) }
    return try unsafeBitCast(call, to: Free.self)(self, body)
  }

  /// Tells this process's own system of something, from any thread.
  nonisolated func tell(_ body: @escaping @Sendable (isolated ScanSystem) -> Void) {
    let executor = actorSystem.executor
    if executor.isCurrent { here(body) } else { executor.execute { self.here(body) } }
  }

  /// How many tasks run here or wait for a slot.
  package distributed var count: Int { queue.count }

  /// What the system is doing, and how busy its machine is.
  ///
  /// - Throws: ``ConnectionLost``; `CancellationError`; `CallFailure` from a peer whose version does not
  ///   know this call; an error if the answer that came over the network cannot be read.
  package distributed func status() async throws -> SystemStatus {
    SystemStatus(
      queue.status,
      engagements: await actorSystem.peers.allEngagements(
        at: clock.now, client: actorSystem.hello.name),
      cache: actorSystem.registry.cacheFigures)
  }

  // MARK: Draining

  /// The system takes no new tasks from now on, hands back those that wait, and finishes those that run. It
  /// tells that the caller asked for it.
  ///
  /// - Returns: what still runs.
  /// - Throws: as ``status()``.
  package distributed func drain() async throws -> SystemStatus {
    beginDrain(.asked(by: caller))
    return try await status()
  }

  /// The system takes tasks again, if a client had asked it to drain.
  ///
  /// - Returns: what runs. It still says that it drains if it is about to end.
  /// - Throws: as ``status()``.
  package distributed func undrain() async throws -> SystemStatus {
    if queue.undrain() {
      orphans.reopen()
      whenDraining(false)
      log("undrained: takes scans again", caller)
    }
    return try await status()
  }

  private var caller: String { CallContext.current?.clientName ?? actorSystem.hello.name }

  /// Takes no new calls from now on, and hands back those that wait. Orphaned scans end, as no caller can
  /// claim them any more.
  func beginDrain(_ reason: DrainReason = .leaving) {
    let wasDraining = queue.drainReason != nil
    let waiting = queue.drain(reason)
    // Peers hear of it before their calls come back, so that they know the reason.
    whenDraining(true)
    for call in waiting { call.finish(.failure(CallFailure.draining(reason))) }
    for call in orphans.close() { cancel(call) }
    guard case .asked(let client) = reason, !wasDraining else { return }
    log("drained: takes no new scans, and finishes those that run", client)
  }

  private func log(_ message: Logger.Message, _ client: String) {
    var values: [LogKey: String] = [.client: client, .scans: "\(queue.status.running.count)"]
    values[.peer] = CallContext.current?.arrival?.address
    logger.notice(message, metadata: .skynet(values))
  }

  // MARK: From any thread

  /// `nil` if this instance stands for a peer's.
  package nonisolated var servingStatus: ServingStatus? {
    get async { await whenLocal { $0.queue.status } }
  }

  /// Since when no scan has run or waited; `nil` while one does, and if this instance stands for a peer's.
  package nonisolated var idleSince: Instant? {
    get async { await whenLocal { $0.queue.idleSince } ?? nil }
  }

  /// Has each thread that scans here run this once, as soon as it has no scan. A thread's own part of the
  /// allocator's memory can be given back by that thread alone.
  package nonisolated func onEachScanThread(_ errand: @escaping @Sendable () -> Void) {
    tell { $0.threads.onEach(errand) }
  }
}
