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
  /// The sources that are followed. Each is told when this process's keys have changed.
  private var followers: [Int: AsyncStream<News>.Continuation] = [:]
  private var nextFollower = 0
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
    foreignNodes = ForeignNodes { transport.fingerprints }
    self.actorSystem = actorSystem
    self.systems = systems
    self.clock = clock
    self.logger = logger
    connectTimeout = .seconds(actorSystem.hello.timeoutSeconds)
  }

  /// Connects to the peers that these sources report, until its task is cancelled.
  package func run(_ sources: [any Discovery]) async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.followKeys() }
      await withDiscardingTaskGroup { group in
        for source in sources {
          // The sources are followed at the same time. The events of one source are taken in order.
          group.addTask { await self.follow(source) }
        }
      }
      group.cancelAll()
    }
  }

  private enum News: Sendable {
    case discovery(DiscoveryEvent)
    /// This process holds other keys than before.
    case keysChanged
  }

  private func follow(_ source: any Discovery) async {
    let (news, continuation) = AsyncStream.makeStream(of: News.self)
    let id = nextFollower
    nextFollower += 1
    followers[id] = continuation
    defer { followers[id] = nil }
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await event in source.events() { continuation.yield(.discovery(event)) }
        continuation.finish()
      }
      /// All peers that the source reports, also those that are of another cluster at present.
      var peers: [String: DiscoveredPeer] = [:]
      for await item in news {
        switch item {
        case .discovery(.found(let peer)):
          peers[peer.name] = peer
          judge(peer, &group)
        case .discovery(.lost(let name)):
          peers[name] = nil
          foreignNodes.lost(name)
          lost(name)
        case .discovery(.unavailable(let reason)):
          logger.warning("no discovery: \(reason)")
        case .discovery(.available):
          logger.info("discovery is available")
        case .keysChanged:
          for peer in peers.values { judge(peer, &group) }
        }
      }
      group.cancelAll()
    }
  }

  /// Connects to a peer that may be of this cluster, and notes one that is of another.
  private func judge(_ peer: DiscoveredPeer, _ group: inout DiscardingTaskGroup) {
    guard peer.mayBelong(to: transport.fingerprints) else {
      logger.debug("peer \(peer.name) is of another cluster")
      lost(peer.name)
      foreignNodes.found(peer)
      if !tellsOfForeignNodes {
        tellsOfForeignNodes = true
        group.addTask { await self.tellOfForeignNodes() }
      }
      return
    }
    foreignNodes.lost(peer.name)
    if found(peer) {
      group.addTask { await self.keepConnected(to: peer.name) }
    }
  }

  // MARK: Changes of the keys

  /// After a change of this process's keys, judges all peers anew, and ends the connections that were made by a
  /// key that is no longer held. Their tasks are handed out again.
  private func followKeys() async {
    await transport.followKeys(clock: clock) { news in
      logger.log(level: news.level, "this program \(news.text)")
      guard case .changed = news else { return }
      await keysChanged()
    }
  }

  private func keysChanged() {
    for follower in followers.values { follower.yield(.keysChanged) }
    for link in actorSystem.links { link.leave(unlessHeldBy: transport) }
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
        connection = try await transport.connect(
          to: endpoint, timeout: connectTimeout, announced: peer.fingerprints)
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
      onDrain: { [systems] id in systems.draining(id) },
      onSilence: { [systems] id, silence in systems.silent(id, for: silence) })
    do {
      try await link.run { [systems, transport] hello in
        try? await systems.joined(hello, at: connection.remoteAddress)
        // The keys may have changed during the handshake, before the actor system knew the connection.
        link.leave(unlessHeldBy: transport)
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
