import SkyNetCore

/// One connection to one peer, with the calls in both directions.
///
/// `ConnectionLife` decides on the connection's state. This file runs the connection from its beginning to its
/// end. `+Introduction` waits for the peer's hello, `+Draining` says that
/// this side takes no new calls, `+Heartbeat` notices when the peer is gone, `+Receiving`
/// handles the peer's messages, `+Serving` serves the peer's calls, `+Calling` calls the peer, and
/// `+Settings` sends large settings once.
actor PeerLink: EngineActor {
  /// What a peer that has joined tells.
  enum News: Sendable {
    /// It takes no new calls; `by` is the client that asked for that, if it tells one.
    case drains(by: String?)
    /// It relays connections to these nodes, and to no others.
    case relays([RelayedNode])
    /// It has been silent for this long, or, with `nil`, has sent something again.
    case silent(Duration?)
    /// It has this process scan for it. This is told once.
    case asksForScans
  }

  nonisolated let remoteAddress: String
  /// Whether this side has opened the connection, and the peer has accepted it.
  nonisolated let isDialled: Bool
  /// The peer that is meant; `nil` if any will do.
  private let expected: Incarnation?
  nonisolated let connection: any Connection
  nonisolated let actorSystem: ClusterActorSystem
  nonisolated let executor: any EngineExecutor
  nonisolated let unownedExecutor: UnownedSerialExecutor
  /// The actor that runs the scans that the peer asks for; `nil` if this process runs none for others.
  nonisolated let scanSystem: ScanSystem?
  let clock: any ClusterClock
  private(set) var life = ConnectionLife()
  /// The peer; `nil` until its hello has arrived.
  var peer: Hello?
  /// The window of the calls to the peer; `nil` until its hello has arrived.
  var window: CallWindow?
  var outgoing = OutgoingCalls()
  var incoming: IncomingCalls
  /// The nodes that the peer relays connections to, as its last ping told.
  var relayed: [RelayedNode] = []
  /// The client that asked the peer to drain, as the peer told.
  var drainedBy: String?
  /// Whether this side's hello was sent, and since then that it takes no new calls.
  var (hasSentHello, hasAnnouncedDrain) = (false, false)
  /// Whether the peer leaves many answers unread.
  var isBehind = false
  /// Whether the peer has asked for a scan.
  var hasAskedForScans = false
  /// The settings that the peer keeps for this process.
  var sentSettings = SentSettings()
  /// The settings that this process keeps for the peer; `nil` if the peer has never asked for it.
  var kept: KeptSettings?
  /// The scans that ran for the peer when the connection broke, and that were kept.
  var orphans: [OrphanedScans.ID] = []
  /// Completed when the peer has introduced itself.
  let peerHello = OneShot<Hello>()
  /// Called for what the peer tells after the `joined` of ``run(joined:left:)``.
  let onNews: @Sendable (Hello, News) -> Void
  /// Completed when the connection has ended, and the `left` of ``run(joined:left:)`` has returned.
  private nonisolated let ended = OneShot<Void>()
  nonisolated var hasEnded: Bool { ended.isComplete }

  init(
    _ connection: any Connection, actorSystem: ClusterActorSystem, clock: any ClusterClock,
    isDialled: Bool = false, expecting expected: Incarnation? = nil,
    onNews: @escaping @Sendable (Hello, News) -> Void = { _, _ in }
  ) {
    self.connection = connection
    self.isDialled = isDialled
    self.expected = expected
    remoteAddress = connection.remoteAddress
    incoming = IncomingCalls(
      limit: Prefetch.callLimit(slots: actorSystem.hello.slots), held: connection.heldLimit,
      memory: connection.memory)
    self.actorSystem = actorSystem
    executor = actorSystem.executor
    unownedExecutor = executor.asUnownedSerialExecutor()
    scanSystem = actorSystem.servesOthers ? actorSystem.ownSystem : nil
    self.clock = clock
    self.onNews = onNews
  }

  /// Exchanges hellos with the peer, then carries calls in both directions until the connection ends. Calls
  /// that are unanswered then fail.
  ///
  /// - Parameters:
  ///   - joined: called when the peer has introduced itself, unless another connection to it is open.
  ///   - left: called when the connection has ended, if `joined` was called. It is called before the
  ///     connection's calls fail, so a caller that then looks for another system does not find this one. Until
  ///     `left` returns, the peer cannot join by another connection.
  /// - Returns: how the connection has ended. Its error is a `WireError`; a `Goodbye` with a code, if the peer
  ///   objected; ``PeerGone``; a `TransportError`; ``AlreadyConnected``; ``OtherPeer``; ``ConnectedToItself``; or
  ///   `CancellationError`.
  func run(
    joined: @escaping @Sendable (Hello) async -> Void,
    left: @Sendable (Hello, ConnectionEnding) async -> Void
  ) async -> ConnectionEnding {
    if scanSystem != nil {
      connection.whenBehind { [weak self] isBehind in self?.tell { $0.noted(isBehind: isBehind) } }
    }
    sendHello()
    let reason = await serveUntilEnd(joined)
    connection.close(saying: nil)
    var isConnectedOtherwise = false
    if let peer {
      isConnectedOtherwise = await actorSystem.peers.link(to: peer.incarnation) != nil
    }
    let ending = life.ended(for: reason, isConnectedOtherwise: isConnectedOtherwise)
    let isOther = expected != nil && peer != nil && peer?.incarnation != expected
    let told = ConnectionEnding(
      peer: ending.wasConnected ? peer : nil, reason: ending.description,
      error: isOther ? OtherPeer() : ending.error(with: peer), isInOrder: ending.isInOrder,
      isUnanswered: isUnanswered(ending))
    if let peer {
      // The scans are kept before the peer can connect anew and ask for them.
      if ending.mayComeBack {
        let connection = ObjectIdentifier(self)
        orphans = scanSystem?.here { $0.keepScans(of: peer.incarnation, over: connection) } ?? []
      }
      if ending.wasConnected {
        await left(peer, told)
        await leaveTable(as: peer.incarnation)
      }
    }
    window?.end()
    ended.complete(.success(()))
    outgoing.end(
      told.reason, death: peer.flatMap { ending.death(of: $0, at: clock.now) },
      cancelledWithin: peer?.cancelsWithin ?? .zero)
    dropKeptSettings()
    for call in incoming.all { call.cancel() }
    await waitForCalls()
    noted(isBehind: false)
    return told
  }

  /// Whether long messages seem to get lost in one direction.
  ///
  /// If those to the peer do, it hears nothing any more and closes the connection, and has begun no call. If those to
  /// this side do, this side hears nothing any more.
  private func isUnanswered(_ ending: ConnectionLife.Ending) -> Bool {
    let isSilent =
      switch ending.reason {
      case .silent: true
      case .closed: !outgoing.haveStarted
      default: false
      }
    return isSilent && ending.wasConnected && outgoing.areUnanswered
  }

  /// Serves until the connection ends. Returns the reason that counts if no call of ``end(for:)`` has given
  /// one before.
  private func serveUntilEnd(
    _ joined: @escaping @Sendable (Hello) async -> Void
  ) async -> ConnectionLife.Reason {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await self.connection.receive { message in
            self.here { $0.received(message) }
          }
        }
        group.addTask { try await self.introduceAndPing(joined) }
        // The connection ends with the child that ends first.
        defer { group.cancelAll() }
        try await group.next()
      }
      return .closed
    } catch is CancellationError {
      return .cancelled
    } catch let error as WireError {
      return .offended(error)
    } catch {
      return .lost(error)
    }
  }

  /// Waits for the peer's hello, then keeps the heartbeat until the connection is to end.
  private func introduceAndPing(_ joined: @Sendable (Hello) async -> Void) async throws {
    let hello = try await awaitHello()
    if let expected, hello.incarnation != expected {
      return leave(saying: "another process was meant")
    }
    guard await isAdded(as: hello) else { return end(for: .connectedAlready) }
    let connected = decide { life throws(IllegalEvent) in
      try life.connected(
        timeout: .seconds(actorSystem.hello.timeoutSeconds),
        peerTimeout: .seconds(hello.timeoutSeconds), at: clock.now)
    }
    guard let connected else { return await leaveTable(as: hello.incarnation) }
    await joined(hello)
    if connected.isDraining { onNews(hello, .drains(by: drainedBy)) }
    try await keepHeartbeat(every: connected.interval)
  }

  private func leaveTable(as id: Incarnation) async {
    await actorSystem.peers.remove(self, as: id)
    guard await actorSystem.peers.clients.isEmpty else { return }
    // Not on the engine: a gigabyte may have to be freed.
    await executor.onPool { [registry = actorSystem.registry] in registry.dropCaches() }
  }

  // MARK: The connection's life

  /// Has the connection's life decide on an event. An illegal event ends the connection.
  func decide<Answer: Sendable>(
    _ event: (inout ConnectionLife) throws(IllegalEvent) -> Answer?
  ) -> Answer? {
    do throws(IllegalEvent) {
      return try event(&life)
    } catch {
      assertionFailure("\(error)")
      end(for: .refused(error))
      return nil
    }
  }

  func perform(_ action: ConnectionLife.Action?) {
    // ``keepHeartbeat(every:)`` sends a ping.
    guard case .close(let goodbye) = action else { return }
    connection.close(saying: goodbye.map { Message(.goodbye, encoding: $0) })
  }

  /// Ends the connection. Has no effect if the connection is ending for another reason.
  func end(for reason: ConnectionLife.Reason) {
    perform(life.parts(for: reason))
  }

  /// Ends the connection from this side, with a goodbye.
  nonisolated func leave(saying text: String) { tell { $0.end(for: .left(Goodbye(text))) } }

  /// Ends the connection with a goodbye if it was made by a key that the transport no longer holds. What the
  /// two sides have under way over it counts as handed back: no side has died.
  nonisolated func leave(unlessHeldBy transport: any PeerTransport) {
    if !transport.holdsKey(of: connection) { leave(saying: "its key is no longer held here") }
  }

  /// Returns when the connection has ended and the `left` of ``run(joined:left:)`` has returned, or when the
  /// caller's task is cancelled.
  nonisolated func waitUntilEnded() async {
    try? await ended.value()
  }
}
