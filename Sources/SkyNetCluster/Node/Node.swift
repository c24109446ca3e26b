public import Logging
public import ServiceLifecycle
public import SkyNetCore
import Synchronization

/// A node: it listens, advertises itself, and runs scans for the programs that engage it.
///
/// On graceful shutdown, the node withdraws its advertisement, takes no new calls, hands back those that wait,
/// finishes the scans that run, says goodbye and returns from ``run()``. Cancelling the task of ``run()`` ends
/// the node at once.
public final class Node: Service {
  /// Called once, when the node listens and has been registered, or cannot be registered.
  public typealias Ready = @Sendable (_ name: String, _ endpoint: Endpoint) -> Void

  private let settings: NodeSettings
  let transport: any PeerTransport
  private let advertiser: (any Advertiser)?
  private let discovery: (any Discovery)?
  let actorSystem: ClusterActorSystem
  let clock: any ClusterClock
  let logger: Logger
  private let onReady: Ready
  private let refusals = Mutex(RefusalLog())
  /// The connections that are served, also those of peers that have not joined yet.
  private let served = Mutex<[ObjectIdentifier: PeerLink]>([:])
  /// Completed with the name that the node serves under.
  private let registered = OneShot<String>()
  /// Tells the two tasks below when the keys have changed.
  let advertisedKeys = KeyChanges()
  let judgedKeys = KeyChanges()
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
  ///   - clock: measures all times; a test may pass a clock that it moves itself.
  ///   - logger: takes the node's log.
  ///   - onReady: called once, when the node can be reached.
  public init(
    _ settings: NodeSettings, scans: [any Scan], transport: Transport,
    advertiser: (any Advertiser)? = nil, discovery: (any Discovery)? = nil,
    clock: any ClusterClock = SteadyClock(), logger: Logger = Logger(label: "skynet.node"),
    onReady: @escaping Ready = { _, _ in }
  ) {
    self.settings = settings
    self.transport = transport.peers
    self.advertiser = advertiser
    self.discovery = discovery
    self.clock = clock
    self.logger = logger
    self.onReady = onReady
    actorSystem = ClusterActorSystem(
      name: settings.name, slots: settings.slots, timeout: settings.timeout,
      registry: ScanRegistry(scans), heldBytes: transport.peers.limits.announcedHeld)
    system = ScanSystem(
      slots: settings.slots, actorSystem: actorSystem, clock: clock, logger: logger)
  }

  /// Serves until a graceful shutdown has completed, or until the task is cancelled.
  ///
  /// - Throws: `TransportError` if the node cannot listen.
  public func run() async throws {
    let listener = try await transport.listen(on: settings.endpoint)
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { await self.serve(listener) }
      group.addTask { await self.logRefusals(of: listener) }
      group.addTask { await self.logFaults(of: listener) }
      group.addTask { await self.followKeys() }
      await advertiseUntilShutdown(listener.endpoint)
      logStopping()
      listener.close()
      await drain()
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

  /// Advertises the node, and logs other nodes, until graceful shutdown or cancellation.
  private func advertiseUntilShutdown(_ endpoint: Endpoint) async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.advertise(endpoint) }
      group.addTask { await self.logOtherNodes() }
      try? await gracefulShutdown()
      group.cancelAll()
    }
  }

  // MARK: Advertising

  private func advertise(_ endpoint: Endpoint) async {
    guard let advertiser else { return becomeReady(settings.name, endpoint) }
    await withDiscardingTaskGroup { group in
      group.addTask { await self.serveUnregisteredAfterTimeout(endpoint) }
      await advertisedKeys.repeat { await self.advertise(endpoint, by: advertiser) }
      group.cancelAll()
    }
  }

  /// Advertises the node with the keys that it holds now, until cancelled.
  private func advertise(_ endpoint: Endpoint, by advertiser: any Advertiser) async {
    let fingerprints = transport.fingerprints
    let advertisement = Advertisement(
      name: settings.name, port: endpoint.port, slots: settings.slots,
      incarnation: actorSystem.incarnation, protocolVersion: SkyNetVersion.wireProtocol,
      fingerprint: fingerprints.last, newerFingerprints: fingerprints.dropLast())
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

  /// Logs the other nodes, and all of them again after a change of the keys, as others are foreign then.
  private func logOtherNodes() async {
    guard let discovery else { return }
    await judgedKeys.repeat { await self.logOtherNodes(discovery.events()) }
  }

  private func logOtherNodes(_ events: AsyncStream<DiscoveryEvent>) async {
    let foreignNodes = ForeignNodes { [transport] in transport.fingerprints }
    for await event in events {
      switch event {
      case .found(let peer) where !peer.mayBelong(to: transport.fingerprints):
        // Its owner may wonder why nobody engages it: the keys differ.
        guard foreignNodes.found(peer) else { continue }
        let text = ForeignNodesText(
          [ForeignNode(peer)], ownFingerprint: foreignNodes.ownFingerprint)
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
    served.withLock { $0[ObjectIdentifier(link)] = link }
    // The keys may have changed after the handshake, before the table had the connection.
    link.leave(unlessHeldBy: transport)
    defer { served.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(link)) } }
    let logger = logger
    do {
      try await link.run { hello in
        logger.info("connected", metadata: .skynet([.client: hello.name]))
      } left: { hello, reason in
        logger.info(
          "disconnected", metadata: .skynet([.client: hello.name, .reason: reason]))
      }
    } catch is CancellationError {
      logger.debug("a connection ended", metadata: .skynet([.peer: link.remoteAddress]))
    } catch  where !link.wasConnected {
      let host = Endpoint(link.remoteAddress)?.host ?? link.remoteAddress
      log(Refusal(host: host, reason: "\(error)"))
    } catch {
      logger.warning(
        "a connection ended",
        metadata: .skynet([.peer: link.remoteAddress, .reason: "\(error)"]))
    }
    await link.keepOrphans()
  }

  private func logRefusals(of listener: any Listener) async {
    for await refusal in listener.refusals { log(refusal) }
  }

  private func logFaults(of listener: any Listener) async {
    for await fault in listener.faults {
      logger.warning("\(fault)")
    }
  }

  private func log(_ refusal: Refusal) {
    let verdict = refusals.withLock { $0.verdict(on: refusal, at: clock.now) }
    logger.log(
      level: verdict == .suppress ? .debug : .warning, "a connection was refused",
      metadata: .skynet([.peer: refusal.host, .reason: refusal.reason.bounded]))
    if verdict == .logLast {
      logger.warning("many connections were refused; further ones are not logged for ten minutes")
    }
  }

  // MARK: Stopping

  private func logStopping() {
    guard !Task.isCancelled else { return }
    logger.info(
      "stopping",
      metadata: .skynet([
        .scans: "\(system.servingStatus?.running.count ?? 0)",
        .timeout: "\(settings.drainTimeout.inTenths) s",
      ]))
  }

  /// The connections of the peers that have introduced themselves. The table of the actor system lacks those that
  /// are only about to join, though a peer may call as soon as it has introduced itself.
  private var introducedLinks: [PeerLink] { servedLinks.filter(\.isIntroduced) }

  /// All connections that are served.
  var servedLinks: [PeerLink] { served.withLock { Array($0.values) } }

  /// Hands back the calls that wait, and lets the scans that run finish, for at most the drain timeout.
  private func drain() async {
    guard !Task.isCancelled else { return }
    system.drain()
    let links = introducedLinks
    for link in links { link.announceDrain() }
    await withDiscardingTaskGroup { group in
      group.addTask { [clock, settings, logger] in
        guard (try? await clock.sleep(until: clock.now + settings.drainTimeout)) != nil else {
          return
        }
        logger.warning("scans that still run are given up")
        for link in links { link.leave(saying: "the node has stopped") }
      }
      for link in links { await link.waitForCalls() }
      group.cancelAll()
    }
  }
}
