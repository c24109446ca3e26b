public import Logging
public import ServiceLifecycle
public import SkyNetCore

/// A node: it listens, advertises itself, and runs scans for the programs that engage it. It may dial programs
/// that engage, too, where they cannot connect to it.
///
/// On graceful shutdown, the node withdraws its advertisement, takes no new calls, hands back those that wait,
/// finishes the scans that run, says goodbye and returns from ``run()``. It does so by itself when its lifetime is
/// over, or when it has been idle for too long, if its settings say so. Cancelling the task of ``run()`` ends the
/// node at once.
public actor Node: EngineActor, Service {
  /// Called once, when the node listens and has been registered, or cannot be registered. A node that does not
  /// listen has port 0.
  public typealias Ready = @Sendable (_ name: String, _ endpoint: Endpoint) -> Void

  let settings: NodeSettings
  let transport: any PeerTransport
  let advertisers: [any Advertiser]
  let discoveries: [any Discovery]
  let joining: (any Discovery)?
  let actorSystem: ClusterActorSystem
  package nonisolated var executor: any EngineExecutor { actorSystem.executor }
  /// As `EngineActor` has it, which is not public.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }
  let clock: any ClusterClock
  let logger: Logger
  let refusals: RefusalLogger
  private let onReady: Ready
  /// The connections that the node has opened, for ``run()`` to serve.
  let dialled = AsyncStream.makeStream(of: Dialled.self)
  /// Where the node is to meet peers, for ``run()`` to serve.
  let meetings = AsyncStream.makeStream(of: Meeting.self)
  /// The connections that are served, also those of peers that have not joined yet.
  var served: [ObjectIdentifier: PeerLink] = [:]
  /// Completed with the name that the node serves under.
  let registered = OneShot<String>()
  /// The name that the node has where it is advertised now; `nil` where it is not.
  var advertisedName: String?
  /// The names of the other nodes that were found.
  var others: Set<String> = []
  /// Tells the tasks that advertise the node, those that log others, and those that dial, when the keys have
  /// changed.
  let keyChanges: KeyChanges
  /// What is told of the peers to the program of this process that lends its own system; `nil` if this node is no
  /// program's.
  var lender: SystemLinks?
  /// Whether peers are served.
  nonisolated var isReady: Bool { registered.isComplete }
  /// The id by which others know the node.
  package nonisolated var incarnation: Incarnation { actorSystem.incarnation }
  /// The actor that runs the scans.
  package nonisolated let system: ScanSystem

  /// - Parameters:
  ///   - settings: the node's name, slots, endpoint and time limits.
  ///   - scans: the scans that the node offers.
  ///   - transport: how peers reach the node, and which of them it trusts.
  ///   - advertisers: the ways in which programs find the node; with none, they need its address. The first one
  ///     gives the node the name that it serves under; its names in the others are only for people.
  ///   - discoveries: find other nodes, for the log.
  ///   - joining: finds the programs that engage which the node dials, again and again for as long as it runs.
  ///   - clock: measures all times; a test may pass a clock that it moves itself.
  ///   - logger: takes the node's log.
  ///   - onReady: called once, when the node can be reached.
  public init(
    _ settings: NodeSettings, scans: [any Scan], transport: Transport,
    advertisers: [any Advertiser] = [], discoveries: [any Discovery] = [],
    joining: (any Discovery)? = nil,
    clock: any ClusterClock = SteadyClock(), logger: Logger = Logger(label: "skynet.node"),
    onReady: @escaping Ready = { _, _ in }
  ) {
    var settings = settings
    settings.name = PeerName.fitted(settings.name)
    self.settings = settings
    self.transport = transport.peers
    self.advertisers = advertisers
    self.discoveries = discoveries
    self.joining = joining
    self.clock = clock
    self.logger = logger
    let executor = transport.peers.executor
    refusals = RefusalLogger(clock: clock, logger: logger, on: executor)
    keyChanges = KeyChanges(on: executor)
    self.onReady = onReady
    actorSystem = ClusterActorSystem(
      name: settings.name, slots: settings.slots, timeout: settings.timeout,
      registry: ScanRegistry(scans), heldBytes: transport.peers.limits.announcedHeld,
      executor: executor)
    let lifetime = settings.lifetime.map {
      Lifetime(from: clock.now, lasting: $0, drainTimeout: settings.drainTimeout)
    }
    system = ScanSystem(
      slots: settings.slots, actorSystem: actorSystem, owner: settings.owner, lifetime: lifetime,
      clock: clock, logger: logger)
  }

  /// Serves until a graceful shutdown has completed, or until the task is cancelled.
  ///
  /// - Throws: `TransportError` if the node cannot listen.
  public nonisolated func run() async throws {
    try transport.prepare()
    let listener = settings.listens ? try await transport.listen(on: settings.endpoint) : nil
    await actorSystem.peers.setRelay(listener?.relay)
    await run(on: listener)
  }

  /// Serves until the task is cancelled, for a program that lends its own system.
  func lend(on listener: any Listener, for lender: SystemLinks) async {
    self.lender = lender
    await run(on: listener)
  }

  private func run(on listener: (any Listener)?) async {
    listenToSystem()
    await withDiscardingTaskGroup { group in
      if let listener {
        group.addTask(executorPreference: executor) { await self.serve(listener) }
        group.addTask(executorPreference: executor) { await self.refusals.follow(listener) }
      }
      group.addTask(executorPreference: executor) { await self.serveDialled() }
      group.addTask(executorPreference: executor) { await self.serveMeetings() }
      group.addTask(executorPreference: executor) { await self.followKeys() }
      let departure = await advertiseUntilDeparture(listener)
      await log(departure)
      listener?.close()
      await drain(departure)
      await sayGoodbye()
      // Two kinds of children may still run. The connection of a peer that has not introduced itself is not
      // among those links, and `serve` waits for the name of a node that was never registered.
      group.cancelAll()
    }
    if !Task.isCancelled { logger.info("stopped") }
  }

  /// Has the node's system say when the node's connections have something to hear or to do.
  private func listenToSystem() {
    _ = system.here { [meetings, weak self] system in
      system.whenToMeet = { meetings.continuation.yield(Meeting(ticket: $0, relay: $1)) }
      system.whenDraining = { [weak self] isDraining in
        self?.here { $0.announceDrain(isDraining) }
      }
    }
  }

  /// Advertises the node if it listens, dials, and logs other nodes, until the node has to leave.
  ///
  /// Not on the engine: to withdraw an advertisement may wait for a daemon that does not answer.
  @concurrent private nonisolated func advertiseUntilDeparture(_ listener: (any Listener)?) async
    -> Departure
  {
    await withDiscardingTaskGroup { group in
      if let listener {
        group.addTask { await self.advertise(listener.endpoint, at: listener.address) }
      } else {
        becomeReady(settings.name, Endpoint(host: settings.endpoint.host, port: 0))
      }
      group.addTask(executorPreference: executor) { await self.dial() }
      group.addTask { await self.logOtherNodes() }
      defer { group.cancelAll() }
      return await waitForDeparture()
    }
  }

  nonisolated func becomeReady(_ name: String, _ endpoint: Endpoint) {
    actorSystem.rename(to: name)
    if registered.complete(.success(name)) { onReady(name, endpoint) }
  }

  // MARK: What people see of it

  /// The names of the programs that are connected, in order, but for those that only look.
  package var clients: [String] {
    get async {
      await actorSystem.peers.clients.filter { !$0.onlyLooks }.map(\.name).sorted()
    }
  }

  /// The names of the other nodes that are there, in order, as far as they may serve the same programs.
  package var nearby: [String] { others.sorted() }

  /// The engagements of these programs, as their last heartbeats told.
  package var engagements: [EngagementSummary] {
    get async {
      await actorSystem.peers.allEngagements(at: clock.now, client: actorSystem.hello.name)
    }
  }

  /// The node as its peers see it, but for its address, of which it may have several.
  package nonisolated var asSystem: RemoteSystem {
    let hello = actorSystem.hello
    return RemoteSystem(hello, name: hello.name, address: "this machine")
  }

  // MARK: Connections

  /// The connections of the peers that have introduced themselves. The table of the actor system lacks those that
  /// are only about to join, though a peer may call as soon as it has introduced itself.
  var introducedLinks: [PeerLink] {
    get async {
      var introduced: [PeerLink] = []
      for link in served.values where await link.peer != nil { introduced.append(link) }
      return introduced
    }
  }
}
