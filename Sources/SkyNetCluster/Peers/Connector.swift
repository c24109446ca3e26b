import Logging
import SkyNetCore

/// Connects to every peer that is discovered, and connects again whenever a connection ends, for as long as
/// the peer stays discovered.
actor Connector: EngineActor {
  /// A peer of one source. Another source may have another peer of that name, or the same one.
  private struct TargetID: Hashable {
    let source: Int
    let name: String
  }

  private struct Target {
    var peer: DiscoveredPeer
    /// Whether discovery still reports the peer. A connection to it stays open when discovery does not.
    var isDiscovered = true
    /// Completed when discovery reports a change of the peer, which ends a wait early, and an attempt to connect to
    /// what was known before.
    var change: OneShot<Void>
  }

  /// Where a connection should lead.
  struct Route: Sendable {
    /// The peer that is meant; `nil` if any will do, as there is no other address to try.
    let expected: Incarnation?
    /// Whether the connection is relayed, so that its address is that of the process between.
    let isRelayed: Bool
  }

  /// Serves a connection until it ends. Throws if the peer is of no use.
  typealias Serve = @Sendable (any Connection, Route) async throws -> ConnectionEnding

  private let transport: any PeerTransport
  private let actorSystem: ClusterActorSystem
  nonisolated var executor: any EngineExecutor { actorSystem.executor }
  private let serve: Serve
  private let clock: any ClusterClock
  /// How long connecting to a peer may take, and again how long the handshake with it may take.
  private let connectTimeout: Duration
  private let logger: Logger
  /// The node of this process, which lends the program's own system and has connections of its own; `nil` if there is
  /// none.
  private let ownNode: ClusterActorSystem?
  private var targets: [TargetID: Target] = [:]
  /// The sources that are followed. Each is told when this process's keys have changed.
  private var followers: [Int: AsyncStream<News>.Continuation] = [:]
  /// The nodes that this process does not connect to, as their key is another one.
  private(set) var foreignNodes = ForeignNodes()
  /// The fingerprint of this process's own cluster, of several the newest; `nil` if it does not encrypt.
  nonisolated var ownFingerprint: String? { transport.fingerprints.first }
  private var tellsOfForeignNodes = false
  /// How long foreign nodes are gathered before the log tells of them.
  private static let gathering = Duration.seconds(1)

  init(
    transport: any PeerTransport, actorSystem: ClusterActorSystem,
    ownNode: ClusterActorSystem? = nil,
    clock: any ClusterClock, logger: Logger, serve: @escaping Serve
  ) {
    self.transport = transport
    self.actorSystem = actorSystem
    self.serve = serve
    self.clock = clock
    self.logger = logger
    self.ownNode = ownNode
    connectTimeout = .seconds(actorSystem.hello.timeoutSeconds)
  }

  /// Connects to the peers that these sources report, until its task is cancelled.
  func run(_ sources: [any Discovery], told keys: KeyChanges) async {
    await withDiscardingTaskGroup { group in
      group.addTask { await keys.each { await self.keysChanged() } }
      await withDiscardingTaskGroup { group in
        for (number, source) in sources.enumerated() {
          // The sources are followed at the same time. The events of one source are taken in order.
          group.addTask { await self.follow(source, number) }
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

  private func follow(_ source: any Discovery, _ number: Int) async {
    let (news, continuation) = AsyncStream.makeStream(of: News.self)
    followers[number] = continuation
    defer { followers[number] = nil }
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
          judge(peer, of: source, number, &group)
        case .discovery(.lost(let name)):
          peers[name] = nil
          foreignNodes.lost(name)
          lost(TargetID(source: number, name: name))
        case .discovery(.unavailable(let reason)):
          logger.warning("no discovery: \(reason)")
        case .discovery(.available):
          logger.info("discovery is available")
        case .keysChanged:
          for peer in peers.values { judge(peer, of: source, number, &group) }
        }
      }
      group.cancelAll()
    }
  }

  /// Connects to a peer that may be of this cluster, and notes one that is of another.
  private func judge(
    _ peer: DiscoveredPeer, of source: any Discovery, _ number: Int,
    _ group: inout DiscardingTaskGroup
  ) {
    if let ownNode, peer.incarnation == ownNode.incarnation { return }
    let id = TargetID(source: number, name: peer.name)
    guard peer.mayBelong(to: transport.fingerprints) else {
      logger.debug("peer \(peer.name) is of another cluster")
      lost(id)
      foreignNodes.found(peer)
      group.addTask(executorPreference: executor.pool) {
        if let account = await Self.account(of: peer) { await self.note(account, of: peer) }
      }
      if !tellsOfForeignNodes {
        tellsOfForeignNodes = true
        group.addTask { await self.tellOfForeignNodes() }
      }
      return
    }
    foreignNodes.lost(peer.name)
    if found(peer, id) {
      group.addTask { await self.keepConnected(to: id, of: source) }
    }
  }

  @concurrent private static func account(of peer: DiscoveredPeer) async -> LocalAccount? {
    LocalAccount(listeningAt: peer.endpoints)
  }

  private func note(_ account: LocalAccount, of peer: DiscoveredPeer) {
    foreignNodes.note(account, of: peer.name)
  }

  /// After a change of this process's keys, judges all peers anew, and ends the connections that were made by a
  /// key that is no longer held. Their tasks are handed out again.
  private func keysChanged() {
    for follower in followers.values { follower.yield(.keysChanged) }
    for link in actorSystem.peers.here({ $0.links }) { link.leave(unlessHeldBy: transport) }
  }

  /// Logs the nodes of other clusters, once: they tell why there are fewer systems than machines.
  private func tellOfForeignNodes() async {
    guard (try? await clock.sleep(until: clock.now + Self.gathering)) != nil else { return }
    let nodes = foreignNodes.all
    guard !nodes.isEmpty else {
      tellsOfForeignNodes = false
      return
    }
    logger.notice(
      "\(ForeignNodesText(nodes, ownFingerprint: ownFingerprint).line)")
  }

  /// Notes a discovered peer. Returns whether the peer is new, so that no task keeps it connected yet.
  private func found(_ peer: DiscoveredPeer, _ id: TargetID) -> Bool {
    guard targets[id] != nil else {
      targets[id] = Target(peer: peer, change: OneShot())
      return true
    }
    targets[id]?.peer = peer
    targets[id]?.isDiscovered = true
    endWait(for: id)
    return false
  }

  private func lost(_ id: TargetID) {
    targets[id]?.isDiscovered = false
    endWait(for: id)
  }

  private func endWait(for id: TargetID) {
    targets[id]?.change.complete(.success(()))
    targets[id]?.change = OneShot()
  }

  // MARK: One peer

  private func keepConnected(to id: TargetID, of source: any Discovery) async {
    var backoff = Backoff(first: .milliseconds(100), limit: .seconds(1))
    // A peer that does not trust this process will not do so until a person changes the key of one of them.
    var refusals = Backoff(first: .seconds(5), limit: .seconds(60))
    var lastWarning: String?
    var history = EndingHistory()
    defer { targets[id] = nil }
    while !Task.isCancelled, let target = targets[id], target.isDiscovered {
      do {
        let ending = try await connect(target.peer, orUntil: target.change)
        backoff.succeeded()
        refusals.succeeded()
        lastWarning = nil
        source.lookAgain(for: id.name)
        if history.ended(ending) { logger.warning("peer \(id.name): \(EndingHistory.hint)") }
      } catch is CancellationError {
        return
      } catch is PeerChanged {
        continue
      } catch let already as AlreadyConnected {
        // The peer is connected under another name or address. This task tries again when that connection
        // has ended.
        if let other = link(to: already.incarnation) {
          await other.waitUntilEnded()
          continue
        }
      } catch is ConnectedToItself where ownNode != nil {
        // A list of all machines names this one too.
        await wait(refusals.failed(), orUntilChangeOf: id)
        continue
      } catch {
        // An attempt to connect that was cut short has an error of its own.
        guard !Task.isCancelled else { return }
        let warning = Self.describe(error)
        let code = (error as? TransportError)?.code
        if warning != lastWarning {
          // A peer that has said goodbye is not expected to be there.
          logger.log(
            level: history.hasLeft && code == .cannotConnect ? .debug : .warning,
            "peer \(id.name): \(warning); trying again")
          lastWarning = warning
        }
        source.lookAgain(for: id.name)
        if code == .refused {
          await wait(refusals.failed(), orUntilChangeOf: id)
          continue
        }
      }
      await wait(backoff.failed(), orUntilChangeOf: id)
    }
  }

  /// What discovery says of a peer has changed while this process was connecting to it.
  private struct PeerChanged: Error {}

  /// Connects to the first endpoint of the peer at which it answers, and returns when the connection has ended. An
  /// address may lead to another machine here than where the peer knows it, such as one of a bridge for containers.
  ///
  /// - Throws: ``PeerChanged`` if `change` is completed before a connection is open; why the peer was not connected.
  private func connect(
    _ peer: DiscoveredPeer, orUntil change: OneShot<Void>
  ) async throws -> ConnectionEnding {
    if let id = peer.incarnation, link(to: id) != nil {
      throw AlreadyConnected(incarnation: id)
    }
    var endpoints = peer.endpoints
    while !endpoints.isEmpty {
      let (connection, endpoint) = try await dial(peer, at: endpoints, orUntil: change)
      let route = Route(
        expected: endpoints.count == 1 ? nil : peer.incarnation, isRelayed: peer.relay != nil)
      do {
        let ending = try await serve(connection, route)
        guard ending.peer == nil else { return ending }
        throw ending.error
          ?? TransportError(.connectionLost, "it closed the connection without a word")
      } catch is OtherPeer {
        endpoints.removeAll { $0 == endpoint }
      }
    }
    throw TransportError(.cannotConnect, "no address of it is known")
  }

  /// This process's connection to a peer; `nil` if there is none.
  private func link(to peer: Incarnation) -> PeerLink? {
    for system in [actorSystem, ownNode] {
      if let link = system?.peers.here({ $0.link(to: peer) }) { return link }
    }
    return nil
  }

  private enum DialEvent: Sendable {
    case answered(any Connection, Endpoint)
    case failed(TransportError)
    case headStartIsOver
    case peerChanged
  }

  /// How long an endpoint has for itself before the next one is dialled beside it. An address that the peer had before
  /// may not answer at all.
  private static let headStart = Duration.seconds(1)

  /// Opens a connection to the endpoint that answers first. The next one is dialled when one has failed, or has not
  /// answered soon.
  private func dial(
    _ peer: DiscoveredPeer, at endpoints: [Endpoint], orUntil change: OneShot<Void>
  ) async throws -> (any Connection, Endpoint) {
    try await withThrowingTaskGroup(of: DialEvent.self) { group in
      var (rest, dialling) = (endpoints[...], 0)
      func dialNext() {
        guard let endpoint = rest.popFirst() else { return }
        dialling += 1
        group.addTask {
          do {
            return .answered(try await self.open(peer, at: endpoint), endpoint)
          } catch let error as TransportError {
            return .failed(error)
          }
        }
        guard !rest.isEmpty else { return }
        group.addTask { [clock] in
          try await clock.sleep(until: clock.now + Self.headStart)
          return .headStartIsOver
        }
      }
      group.addTask {
        try await change.value()
        return .peerChanged
      }
      dialNext()
      var result: Result<(any Connection, Endpoint), any Error>?
      while let event = await group.nextResult() {
        switch event {
        // Another endpoint has answered at the same moment.
        case .success(.answered(let connection, _)) where result != nil:
          connection.close(saying: nil)
        case _ where result != nil: break
        case .success(.answered(let connection, let endpoint)):
          result = .success((connection, endpoint))
        case .success(.failed(let error)):
          dialling -= 1
          dialNext()
          if dialling == 0 { result = .failure(error) }
        case .success(.headStartIsOver): dialNext()
        case .success(.peerChanged): result = .failure(PeerChanged())
        case .failure(let error): result = .failure(error)
        }
        if result != nil { group.cancelAll() }
      }
      // No child ends without giving a result.
      guard let result else { throw CancellationError() }
      return try result.get()
    }
  }

  private func open(_ peer: DiscoveredPeer, at endpoint: Endpoint) async throws -> any Connection {
    guard let relay = peer.relay, let id = peer.incarnation else {
      return try await transport.connect(
        to: endpoint, timeout: connectTimeout, announced: peer.fingerprints, by: nil)
    }
    let ticket: RelayTicket
    do {
      ticket = try await ScanSystem.resolve(id: relay, using: actorSystem).relay(to: id)
    } catch let error where !(error is CancellationError) {
      throw TransportError(.cannotConnect, "no connection is relayed to it: \(error)")
    }
    return try await transport.connect(
      to: endpoint, timeout: connectTimeout, announced: peer.fingerprints, by: ticket)
  }

  private func wait(_ duration: Duration, orUntilChangeOf id: TargetID) async {
    guard let change = targets[id]?.change else { return }
    _ = try? await clock.attempt(until: clock.now + duration) { try await change.value() }
  }

  private static func describe(_ error: any Error) -> String {
    (error as? Goodbye).map { "it says: \($0.message)" } ?? "\(error)"
  }
}
