public import Logging
public import ServiceLifecycle
public import SkyNetCore
import Synchronization

/// A node: it listens, advertises itself, and runs scans for the programs that engage it. It may dial programs
/// that engage, too, where they cannot connect to it.
///
/// On graceful shutdown, the node withdraws its advertisement, takes no new calls, hands back those that wait,
/// finishes the scans that run, says goodbye and returns from ``run()``. It does so by itself when its lifetime is
/// over, or when it has been idle for too long, if its settings say so. Cancelling the task of ``run()`` ends the
/// node at once.
public final class Node: Service {
  /// Called once, when the node listens and has been registered, or cannot be registered. A node that does not
  /// listen has port 0.
  public typealias Ready = @Sendable (_ name: String, _ endpoint: Endpoint) -> Void

  let settings: NodeSettings
  private let transport: any PeerTransport
  private let advertiser: (any Advertiser)?
  private let discovery: (any Discovery)?
  private let further: [any Advertiser & Discovery]
  private let joining: (any Discovery)?
  let actorSystem: ClusterActorSystem
  let clock: any ClusterClock
  let logger: Logger
  private let onReady: Ready
  private let refusals: RefusalLogger
  /// The connections that the node has opened, for ``run()`` to serve.
  private let dialled = AsyncStream.makeStream(of: Dialled.self)
  /// The connections that are served, also those of peers that have not joined yet.
  private let served = Mutex<[ObjectIdentifier: PeerLink]>([:])
  /// Completed with the name that the node serves under.
  private let registered = OneShot<String>()
  /// Whether peers are served.
  var isReady: Bool { registered.isComplete }
  /// The actor that runs the scans.
  package let system: ScanSystem

  /// - Parameters:
  ///   - settings: the node's name, slots, endpoint and time limits.
  ///   - scans: the scans that the node offers.
  ///   - transport: how peers reach the node, and which of them it trusts.
  ///   - advertiser: advertises the node; with `nil`, other programs need the node's address.
  ///   - discovery: finds other nodes, for the log; with `nil`, the log does not mention them.
  ///   - further: further ways to be found by programs, and to find other nodes for the log.
  ///   - joining: finds the programs that engage which the node dials, again and again for as long as it runs.
  ///   - clock: measures all times; a test may pass a clock that it moves itself.
  ///   - logger: takes the node's log.
  ///   - onReady: called once, when the node can be reached.
  public init(
    _ settings: NodeSettings, scans: [any Scan], transport: Transport,
    advertiser: (any Advertiser)? = nil, discovery: (any Discovery)? = nil,
    further: [any Advertiser & Discovery] = [], joining: (any Discovery)? = nil,
    clock: any ClusterClock = SteadyClock(), logger: Logger = Logger(label: "skynet.node"),
    onReady: @escaping Ready = { _, _ in }
  ) {
    self.settings = settings
    self.transport = transport.peers
    self.advertiser = advertiser
    self.discovery = discovery
    self.further = further
    self.joining = joining
    self.clock = clock
    self.logger = logger
    refusals = RefusalLogger(clock: clock, logger: logger)
    self.onReady = onReady
    actorSystem = ClusterActorSystem(
      name: settings.name, slots: settings.slots, timeout: settings.timeout,
      registry: ScanRegistry(scans), heldBytes: transport.peers.limits.announcedHeld)
    let lifetime = settings.lifetime.map {
      Lifetime(from: clock.now, lasting: $0, drainTimeout: settings.drainTimeout)
    }
    system = ScanSystem(
      slots: settings.slots, actorSystem: actorSystem, lifetime: lifetime, clock: clock,
      logger: logger)
    actorSystem.setDrainHandler { [weak self] isDraining in
      guard let self else { return }
      for link in served.withLock({ Array($0.values) }) {
        if isDraining { link.announceDrain() } else { link.leaveToServeAgain() }
      }
    }
  }

  /// Serves until a graceful shutdown has completed, or until the task is cancelled.
  ///
  /// - Throws: `TransportError` if the node cannot listen.
  public func run() async throws {
    let listener = settings.listens ? try await transport.listen(on: settings.endpoint) : nil
    try await withThrowingDiscardingTaskGroup { group in
      if let listener {
        group.addTask { await self.serve(listener) }
        group.addTask { await self.refusals.follow(listener) }
      }
      group.addTask { await self.serveDialled() }
      let departure = await advertiseUntilDeparture(listener?.endpoint)
      log(departure)
      listener?.close()
      await drain(departure)
      for link in introducedLinks { link.leave(saying: "the node has stopped") }
      // Two kinds of children may still run. The connection of a peer that has not introduced itself is not
      // among those links, and `serve` waits for the name of a node that was never registered.
      group.cancelAll()
    }
    if !Task.isCancelled { logger.info("stopped") }
  }

  // MARK: What people see of it

  /// The names of the programs that are connected, in order.
  package var clients: [String] {
    actorSystem.links.compactMap { link in link.state.withLock { $0.peer?.hello.name } }.sorted()
  }

  /// The engagements of these programs, as their last heartbeats told.
  package var engagements: [EngagementSummary] { actorSystem.peerEngagements }

  /// The node as its peers see it, but for its address, of which it may have several.
  package var asSystem: RemoteSystem {
    let hello = actorSystem.hello
    return RemoteSystem(hello, name: hello.name, address: "this machine")
  }

  /// Advertises the node if it listens, dials, and logs other nodes, until the node has to leave.
  private func advertiseUntilDeparture(_ endpoint: Endpoint?) async -> Departure {
    await withDiscardingTaskGroup { group in
      if let endpoint {
        group.addTask { await self.advertise(endpoint) }
      } else {
        becomeReady(settings.name, Endpoint(host: settings.endpoint.host, port: 0))
      }
      group.addTask { await self.dial() }
      for discovery in [discovery].compactMap({ $0 }) + further {
        group.addTask { await self.logOtherNodes(discovery) }
      }
      defer { group.cancelAll() }
      return await waitForDeparture()
    }
  }

  // MARK: Advertising

  private func advertise(_ endpoint: Endpoint) async {
    let advertisement = Advertisement(
      name: settings.name, port: endpoint.port, slots: settings.slots,
      incarnation: actorSystem.incarnation, protocolVersion: SkyNetVersion.wireProtocol,
      fingerprint: transport.fingerprint)
    await withDiscardingTaskGroup { group in
      for way in further { group.addTask { await self.advertise(advertisement, by: way) } }
      group.addTask { await self.register(advertisement, endpoint) }
    }
  }

  /// Advertises the node in a further way. Its name there is only for people.
  private func advertise(_ advertisement: Advertisement, by way: any Advertiser) async {
    for await event in way.advertise(advertisement) {
      guard case .unavailable(let reason) = event else { continue }
      logger.warning("not advertised: \(reason)")
    }
  }

  private func register(_ advertisement: Advertisement, _ endpoint: Endpoint) async {
    guard let advertiser else { return becomeReady(settings.name, endpoint) }
    await withDiscardingTaskGroup { group in
      group.addTask { await self.serveUnregisteredAfterTimeout(endpoint) }
      for await event in advertiser.advertise(advertisement) {
        switch event {
        case .registered(let name):
          logger.info("registered", metadata: .skynet([.node: name]))
          becomeReady(name, endpoint)
        case .unavailable(let reason):
          logger.warning("not advertised: \(reason); others need --peers to find this node")
          becomeReady(settings.name, endpoint)
        }
      }
      group.cancelAll()
    }
  }

  /// Lets the node serve under the name of its settings if it is not registered in time.
  private func serveUnregisteredAfterTimeout(_ endpoint: Endpoint) async {
    guard (try? await clock.sleep(until: clock.now + settings.registrationTimeout)) != nil,
      !registered.isComplete
    else { return }
    logger.warning("not advertised yet: the daemon does not answer; others need --peers")
    becomeReady(settings.name, endpoint)
  }

  private func becomeReady(_ name: String, _ endpoint: Endpoint) {
    actorSystem.rename(to: name)
    if registered.complete(.success(name)) { onReady(name, endpoint) }
  }

  private func logOtherNodes(_ discovery: any Discovery) async {
    let foreignNodes = ForeignNodes(ownFingerprint: transport.fingerprint)
    for await event in discovery.events() {
      switch event {
      case .found(let peer) where !peer.mayBelong(to: transport.fingerprint):
        // Its owner may wonder why nobody engages it: the keys differ.
        guard foreignNodes.found(peer) else { continue }
        let text = ForeignNodesText(
          [ForeignNode(peer)], ownFingerprint: transport.fingerprint)
        logger.info("\(text.line)")
      case .found(let peer) where peer.incarnation != actorSystem.incarnation:
        foreignNodes.lost(peer.name)
        logger.info("another node is there", metadata: .skynet([.peer: peer.name]))
      case .lost(let name):
        foreignNodes.lost(name)
        logger.info("a node is no longer there", metadata: .skynet([.peer: name]))
      case .unavailable(let reason):
        logger.debug("no discovery", metadata: .skynet([.reason: reason]))
      case .found, .available: break
      }
    }
  }

  // MARK: Serving

  /// Serves all peers that connect, until the listener is closed and all connections have ended.
  private func serve(_ listener: any Listener) async {
    // Hellos carry the registered name, which is not known before.
    guard (try? await registered.value()) != nil else { return listener.close() }
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        for await connection in listener.connections {
          group.addTask { await self.serve(connection) }
        }
      }
    } onCancel: {
      listener.close()
    }
  }

  private func serve(_ connection: any Connection) async {
    let link = PeerLink(connection, actorSystem: actorSystem, clock: clock)
    do {
      try await run(link)
    } catch is CancellationError {
      logger.debug("a connection ended", metadata: .skynet([.peer: link.remoteAddress]))
    } catch is AlreadyConnected where joining != nil {
      // The node has dialled the program too, and one of the two connections is enough.
      logger.debug("a second connection", metadata: .skynet([.peer: link.remoteAddress]))
    } catch  where !link.wasConnected {
      refusals.log(connectionFrom: link.remoteAddress, "\(error)")
    } catch {
      logBroken(link, error)
    }
    await link.keepOrphans()
  }

  /// Serves a connection until it ends. The caller then keeps its orphans.
  private func run(_ link: PeerLink) async throws {
    served.withLock { $0[ObjectIdentifier(link)] = link }
    defer { served.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(link)) } }
    let logger = logger
    try await link.run { [actorSystem] hello in
      logger.info("connected", metadata: .skynet([.client: hello.name]))
      if let difference = VersionDifference(client: hello, node: actorSystem.hello) {
        logger.warning("\(difference)")
      }
      if hello.slots > 0 {
        logger.warning(
          "it is a node too, and nodes hand out no scans: dial an engagement that listens",
          metadata: .skynet([.peer: hello.name]))
      }
    } left: { hello, reason in
      logger.info("disconnected", metadata: .skynet([.client: hello.name, .reason: reason]))
    }
  }

  private func logBroken(_ link: PeerLink, _ error: any Error) {
    logger.warning(
      "a connection ended",
      metadata: .skynet([.peer: link.remoteAddress, .reason: "\(error)"]))
  }

  // MARK: Dialling

  /// A connection that this node has opened, and how its end is told: whether the peer was connected.
  private struct Dialled: Sendable {
    let link: PeerLink
    let ended = OneShot<Bool>()
  }

  /// Dials the programs that engage until its task is cancelled. Connections that are open then stay open, as a
  /// node that drains finishes their scans.
  private func dial() async {
    // Hellos carry the registered name, which is not known before.
    guard let joining, (try? await registered.value()) != nil else { return }
    let connector = Connector(
      transport: transport, actorSystem: actorSystem, clock: clock, logger: logger
    ) { connection in
      let dialled = Dialled(
        link: PeerLink(
          connection, actorSystem: self.actorSystem, clock: self.clock, isDialled: true))
      self.dialled.continuation.yield(dialled)
      return try await dialled.ended.value()
    }
    await connector.run([joining])
  }

  /// Serves the connections that this node has opened, until its task is cancelled.
  private func serveDialled() async {
    await withDiscardingTaskGroup { group in
      for await dialled in dialled.stream {
        group.addTask {
          do {
            try await self.run(dialled.link)
            dialled.ended.complete(.success(dialled.link.wasConnected))
          } catch  where dialled.link.wasConnected {
            if !(error is CancellationError) { self.logBroken(dialled.link, error) }
            dialled.ended.complete(.success(true))
          } catch {
            dialled.ended.complete(.failure(error))
          }
          await dialled.link.keepOrphans()
        }
      }
    }
  }

  // MARK: Stopping

  /// The connections of the peers that have introduced themselves. The table of the actor system lacks those that
  /// are only about to join, though a peer may call as soon as it has introduced itself.
  var introducedLinks: [PeerLink] {
    served.withLock { Array($0.values) }.filter(\.isIntroduced)
  }
}
