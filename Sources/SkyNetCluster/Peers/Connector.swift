package import Logging
import SkyNetCore

/// Connects to every peer that is discovered, and connects again whenever a connection ends, for as long as
/// the peer stays discovered.
package actor Connector {
  private struct Target {
    var peer: DiscoveredPeer
    /// Whether discovery still reports the peer. A connection to it stays open when discovery does not.
    var isDiscovered = true
    /// Completed when discovery reports a change of the peer, which ends a wait early.
    var change: OneShot<Void>
  }

  private let transport: any PeerTransport
  private let actorSystem: ClusterActorSystem
  private let systems: Systems
  private let clock: any ClusterClock
  /// How long connecting to a peer may take, and again how long the handshake with it may take.
  private let connectTimeout: Duration
  private let logger: Logger
  private var targets: [String: Target] = [:]
  /// The nodes that this process does not connect to, as their key is another one.
  package nonisolated let foreignNodes: ForeignNodes
  private var tellsOfForeignNodes = false
  /// How long foreign nodes are gathered before the log tells of them.
  private static let gathering = Duration.seconds(1)

  package init(
    transport: any PeerTransport, actorSystem: ClusterActorSystem, systems: Systems,
    clock: any ClusterClock, logger: Logger
  ) {
    self.transport = transport
    foreignNodes = ForeignNodes(ownFingerprint: transport.fingerprint)
    self.actorSystem = actorSystem
    self.systems = systems
    self.clock = clock
    self.logger = logger
    connectTimeout = .seconds(actorSystem.hello.timeoutSeconds)
  }

  /// Connects to the peers that these sources report, until its task is cancelled.
  package func run(_ sources: [any Discovery]) async {
    await withDiscardingTaskGroup { group in
      for source in sources {
        // The sources are followed at the same time. The events of one source are taken in order.
        group.addTask { await self.follow(source) }
      }
    }
  }

  private func follow(_ source: any Discovery) async {
    await withDiscardingTaskGroup { group in
      for await event in source.events() {
        switch event {
        case .found(let peer) where !peer.mayBelong(to: transport.fingerprint):
          logger.debug("peer \(peer.name) is of another cluster")
          lost(peer.name)
          foreignNodes.found(peer)
          if !tellsOfForeignNodes {
            tellsOfForeignNodes = true
            group.addTask { await self.tellOfForeignNodes() }
          }
        case .found(let peer):
          foreignNodes.lost(peer.name)
          if found(peer) {
            group.addTask { await self.keepConnected(to: peer.name) }
          }
        case .lost(let name):
          foreignNodes.lost(name)
          lost(name)
        case .unavailable(let reason):
          logger.warning("no discovery: \(reason)")
        case .available:
          logger.info("discovery is available")
        }
      }
      group.cancelAll()
    }
  }

  /// Logs the nodes of other clusters, once: who sees fewer systems than there are machines has another key.
  private func tellOfForeignNodes() async {
    guard (try? await clock.sleep(until: clock.now + Self.gathering)) != nil else { return }
    let nodes = foreignNodes.all
    guard !nodes.isEmpty else {
      tellsOfForeignNodes = false
      return
    }
    logger.notice(
      "\(ForeignNodesText(nodes, ownFingerprint: foreignNodes.ownFingerprint).line)")
  }

  /// Notes a discovered peer. Returns whether the peer is new, so that no task keeps it connected yet.
  private func found(_ peer: DiscoveredPeer) -> Bool {
    guard targets[peer.name] != nil else {
      targets[peer.name] = Target(peer: peer, change: OneShot())
      return true
    }
    targets[peer.name]?.peer = peer
    targets[peer.name]?.isDiscovered = true
    endWait(for: peer.name)
    return false
  }

  private func lost(_ name: String) {
    targets[name]?.isDiscovered = false
    endWait(for: name)
  }

  private func endWait(for name: String) {
    targets[name]?.change.complete(.success(()))
    targets[name]?.change = OneShot()
  }

  // MARK: One peer

  private func keepConnected(to name: String) async {
    var backoff = Backoff(first: .milliseconds(100), limit: .seconds(1))
    // A peer that does not trust this process will not do so until a person changes the key of one of them.
    var refusals = Backoff(first: .seconds(5), limit: .seconds(60))
    var lastWarning: String?
    defer { targets[name] = nil }
    while !Task.isCancelled, let target = targets[name], target.isDiscovered {
      do {
        try await connect(target.peer) {
          backoff.succeeded()
          refusals.succeeded()
        }
        lastWarning = nil
      } catch is CancellationError {
        return
      } catch let already as AlreadyConnected {
        // The peer is connected under another name or address. This task tries again when that connection
        // has ended.
        if let other = actorSystem.link(to: already.incarnation) {
          await other.waitUntilEnded()
          continue
        }
      } catch {
        let warning = Self.describe(error)
        if warning != lastWarning {
          logger.warning("peer \(name): \(warning); trying again")
          lastWarning = warning
        }
        if (error as? TransportError)?.code == .refused {
          await wait(refusals.failed(), orUntilChangeOf: name)
          continue
        }
      }
      await wait(backoff.failed(), orUntilChangeOf: name)
    }
  }

  /// Connects to the first endpoint of the peer that answers, and returns when the connection has ended.
  private func connect(_ peer: DiscoveredPeer, onSuccess: () -> Void) async throws {
    if let id = peer.incarnation, actorSystem.link(to: id) != nil {
      throw AlreadyConnected(incarnation: id)
    }
    var failure: any Error = TransportError(.cannotConnect, "no address is known")
    for endpoint in peer.endpoints {
      let connection: any Connection
      do {
        connection = try await transport.connect(to: endpoint, timeout: connectTimeout)
      } catch let error as TransportError {
        // The peer may be reachable at its next endpoint.
        failure = error
        continue
      }
      return try await serve(connection, onSuccess: onSuccess)
    }
    throw failure
  }

  /// Serves a connection until it ends, and then calls `onSuccess`. `systems` reports the end of a connection,
  /// so this throws only if the peer never introduced itself.
  private func serve(_ connection: any Connection, onSuccess: () -> Void) async throws {
    let link = PeerLink(
      connection, actorSystem: actorSystem, clock: clock,
      onDrain: { [systems] id, client in systems.draining(id, by: client) },
      onSilence: { [systems] id, silence in systems.silent(id, for: silence) })
    do {
      try await link.run { [systems] hello in
        try? await systems.joined(hello, at: connection.remoteAddress)
      } left: { [systems] hello, reason in
        await systems.left(hello.incarnation, reason: reason)
      }
    } catch {
      guard link.wasConnected else { throw error }
    }
    guard link.wasConnected else {
      throw TransportError(.connectionLost, "it closed the connection without a word")
    }
    onSuccess()
  }

  private func wait(_ duration: Duration, orUntilChangeOf name: String) async {
    guard let change = targets[name]?.change else { return }
    let clock = clock
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await change.value() }
      group.addTask { try? await clock.sleep(until: clock.now + duration) }
      await group.next()
      group.cancelAll()
    }
  }

  private static func describe(_ error: any Error) -> String {
    (error as? Goodbye).map { "it says: \($0.message)" } ?? "\(error)"
  }
}
