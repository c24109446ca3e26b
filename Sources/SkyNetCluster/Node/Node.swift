public import Logging
public import ServiceLifecycle
public import SkyNetCore
import Synchronization

/// The process that serves a system: it listens, advertises itself, and runs the scans of
/// the programs that engage it.
///
/// On graceful shutdown it withdraws its advertisement, takes nothing new, hands back what waits,
/// finishes what runs, says goodbye and returns. Cancelling ends it at once.
public final class Node: Service {
  /// Called once, when the node listens and is registered, or cannot be registered.
  public typealias Ready = @Sendable (_ name: String, _ endpoint: Endpoint) -> Void

  private let settings: NodeSettings
  private let transport: any PeerTransport
  private let advertiser: (any Advertiser)?
  private let discovery: (any Discovery)?
  private let actorSystem: ClusterActorSystem
  private let clock: any ClusterClock
  private let logger: Logger
  private let onReady: Ready
  private let refusals = Mutex(RefusalLog())
  /// The name it serves under, once that is known.
  private let registered = OneShot<String>()
  /// The actor that runs the scans.
  package let system: ScanSystem

  /// - Parameters:
  ///   - scans: the scans that it offers.
  ///   - transport: how peers reach it, and which of them it trusts.
  ///   - advertiser: tells others of it, if given.
  ///   - discovery: tells it of others, for its log, if given.
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

  /// Serves until it is told to stop.
  ///
  /// - Throws: `TransportError` if it cannot listen.
  public func run() async throws {
    let listener = try await transport.listen(on: settings.endpoint)
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { await self.serve(listener) }
      group.addTask { await self.tellRefusals(of: listener) }
      group.addTask { await self.tellFaults(of: listener) }
      await presentUntilShutdown(listener.endpoint)
      listener.close()
      await drain()
      for link in actorSystem.links { link.leave(saying: "the node has stopped") }
      // A peer that has not introduced itself yet is not among the links, and a node that was never
      // registered still waits to be.
      group.cancelAll()
    }
  }

  /// Advertises the node, and watches for others, until graceful shutdown or cancellation.
  private func presentUntilShutdown(_ endpoint: Endpoint) async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.advertise(endpoint) }
      group.addTask { await self.watch() }
      try? await gracefulShutdown()
      group.cancelAll()
    }
  }

  // MARK: Being seen

  private func advertise(_ endpoint: Endpoint) async {
    guard let advertiser else { return becomeReady(settings.name, endpoint) }
    await withDiscardingTaskGroup { group in
      group.addTask { await self.giveUpRegistering(endpoint) }
      let advertisement = Advertisement(
        name: settings.name, port: endpoint.port, slots: settings.slots,
        incarnation: actorSystem.incarnation, protocolVersion: SkyNetVersion.wireProtocol,
        fingerprint: transport.fingerprint)
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

  private func giveUpRegistering(_ endpoint: Endpoint) async {
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

  private func watch() async {
    guard let discovery else { return }
    for await event in discovery.events() {
      switch event {
      case .found(let peer) where peer.incarnation != actorSystem.incarnation:
        // Another cluster's nodes are no news to the operator of this one.
        let isOurs = peer.mayBelong(to: transport.fingerprint)
        logger.log(
          level: isOurs ? .info : .debug,
          isOurs ? "another node is there" : "a node of another cluster is there",
          metadata: .skynet([.peer: peer.name]))
      case .lost(let name):
        logger.info("a node is no longer there", metadata: .skynet([.peer: name]))
      case .unavailable(let reason):
        logger.debug("no discovery", metadata: .skynet([.reason: reason]))
      case .found, .available: break
      }
    }
  }

  // MARK: Serving

  /// Serves all peers that connect, until the listener is closed and they have gone.
  private func serve(_ listener: any Listener) async {
    // Hellos carry the true name, which is not known before.
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
    let link = PeerLink(connection, system: actorSystem, clock: clock)
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
    } catch  where !link.hasMet {
      let host = Endpoint(link.remoteAddress)?.host ?? link.remoteAddress
      tell(Refusal(host: host, reason: "\(error)"))
    } catch {
      logger.warning(
        "a connection ended",
        metadata: .skynet([.peer: link.remoteAddress, .reason: "\(error)"]))
    }
    await link.keepOrphans()
  }

  private func tellRefusals(of listener: any Listener) async {
    for await refusal in listener.refusals { tell(refusal) }
  }

  private func tellFaults(of listener: any Listener) async {
    for await fault in listener.faults {
      logger.warning("\(fault)")
    }
  }

  private func tell(_ refusal: Refusal) {
    let verdict = refusals.withLock { $0.verdict(on: refusal, at: clock.now) }
    logger.log(
      level: verdict == .keepQuiet ? .debug : .warning, "a connection was refused",
      metadata: .skynet([.peer: refusal.host, .reason: refusal.reason.bounded]))
    if verdict == .tellLast {
      logger.warning("many connections were refused; further ones are not told of for ten minutes")
    }
  }

  // MARK: Stopping

  /// Finishes what runs, for as long as that may take.
  private func drain() async {
    guard !Task.isCancelled else { return }
    system.drain()
    let links = actorSystem.links
    for link in links { link.announceDrain() }
    await withDiscardingTaskGroup { group in
      group.addTask { [clock, settings, logger] in
        guard (try? await clock.sleep(until: clock.now + settings.drainTimeout)) != nil else {
          return
        }
        logger.warning("scans that still run are given up")
        for link in links { link.leave(saying: "the node has stopped") }
      }
      for link in links { await link.finishCalls() }
      group.cancelAll()
    }
  }
}
