import SkyNetCore
import Synchronization

/// One connection to one peer, and the calls both ways.
///
/// `ConnectionLife` decides what the connection has come to. Here is the connection's run from its
/// begin to its end; `+Introduction` meets the peer, `+Heartbeat` notices when it is gone, `+Receiving`
/// does what its messages ask for, `+Scans` serves the scans that it calls for, and `+Calling` calls it.
final class PeerLink: Sendable {
  typealias IllegalEvent = ConnectionLife.IllegalEvent

  struct State {
    var life = ConnectionLife()
    /// What the peer said of itself, once it has.
    var peer: Introduction?
    /// Scans that ran for the peer when the connection broke.
    var orphans: [OrphanedScan] = []
  }

  let remoteAddress: String
  let connection: any Connection
  let system: ClusterActorSystem
  /// The actor that runs the peer's scans; `nil` if this process runs none for others.
  let scans: ScanSystem?
  let clock: any ClusterClock
  let outgoing = OutgoingCalls()
  let incoming: IncomingCalls
  let state = Mutex(State())
  /// Completed when the peer has introduced itself.
  let met = OneShot<Hello>()
  /// Called when the peer, which others were told of, takes no new calls.
  let onDrain: @Sendable (Incarnation) -> Void
  /// Completed when the connection has ended, and others have been told.
  private let gone = OneShot<Void>()

  init(
    _ connection: any Connection, system: ClusterActorSystem, clock: any ClusterClock,
    onDrain: @escaping @Sendable (Incarnation) -> Void = { _ in }
  ) {
    self.connection = connection
    remoteAddress = connection.remoteAddress
    incoming = IncomingCalls(
      limit: Prefetch.callLimit(slots: system.hello.slots), held: connection.heldLimit,
      memory: connection.memory)
    self.system = system
    scans = system.servingSystem
    self.clock = clock
    self.onDrain = onDrain
  }

  /// Meets the peer, then serves and is served until the connection ends; every call that is then
  /// unanswered fails.
  ///
  /// - Parameters:
  ///   - joined: called when the peer has introduced itself, and is connected by no other connection.
  ///   - left: called, if `joined` was, when the connection has ended, before its calls fail: a caller
  ///     that then looks for another system does not find this one. Until it returns the peer cannot
  ///     join by another connection.
  /// - Throws: why it ended, unless one of the two sides left or closed it: `WireError`, `Goodbye` with
  ///   a code if the peer objected, ``PeerGone``, `TransportError`, ``AlreadyConnected``,
  ///   ``ConnectedToItself``, `CancellationError`.
  func run(
    joined: @escaping @Sendable (Hello) async -> Void,
    left: @Sendable (Hello, _ reason: String) async -> Void
  ) async throws {
    connection.send(Message(.hello, encoding: system.hello))
    let reason = await serveUntilEnd(joined)
    connection.close(saying: nil)
    let peer = state.withLock { $0.peer }
    let isConnectedOtherwise = peer.map { system.link(to: $0.hello.incarnation) != nil } ?? false
    let ending = state.withLock {
      $0.life.ended(for: reason, isConnectedOtherwise: isConnectedOtherwise)
    }
    if let peer {
      // Before the peer can be connected anew, and ask for them.
      if ending.mayComeBack { orphanScans(of: peer.hello.incarnation) }
      if ending.wasConnected {
        await left(peer.hello, ending.words)
        system.disconnected(peer.hello.incarnation, self)
      }
      peer.window.end()
    }
    gone.complete(.success(()))
    outgoing.end(ending.words, death: peer.flatMap { ending.death(of: $0.hello, at: clock.now) })
    await incoming.end()
    if let error = ending.error(with: peer?.hello) { throw error }
  }

  /// Serves until the connection ends. Returns what happened to it, in case that nothing has given a
  /// reason yet why it is to end.
  private func serveUntilEnd(
    _ joined: @escaping @Sendable (Hello) async -> Void
  ) async -> ConnectionLife.Reason {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await self.connection.receive { self.received($0) } }
        group.addTask { try await self.accompany(joined) }
        // The first to end ends the other.
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

  /// Awaits the introduction, then keeps the heartbeat until the peer is gone.
  private func accompany(_ joined: @Sendable (Hello) async -> Void) async throws {
    let hello = try await meet()
    guard system.connected(self, as: hello.incarnation) else {
      return part(for: .connectedAlready)
    }
    let connected = tell { life throws(IllegalEvent) in
      try life.connected(
        timeout: .seconds(system.hello.timeoutSeconds),
        peerTimeout: .seconds(hello.timeoutSeconds), at: clock.now)
    }
    guard let connected else { return system.disconnected(hello.incarnation, self) }
    await joined(hello)
    if connected.isDraining { onDrain(hello.incarnation) }
    try await keepHeartbeat(every: connected.interval)
  }

  // MARK: The connection's life

  /// Tells the connection's life of an event. One that is refused ends the connection.
  func tell<Answer: Sendable>(
    _ event: (inout ConnectionLife) throws(IllegalEvent) -> Answer?
  ) -> Answer? {
    do throws(IllegalEvent) {
      return try state.withLock { state throws(IllegalEvent) in try event(&state.life) }
    } catch {
      assertionFailure("\(error)")
      part(for: .refused(error))
      return nil
    }
  }

  func carryOut(_ action: ConnectionLife.Action?) {
    switch action {
    case .ping: connection.send(Message(.ping))
    case .close(let goodbye):
      connection.close(saying: goodbye.map { Message(.goodbye, encoding: $0) })
    case nil: break
    }
  }

  /// Ends the connection, unless it ends already for another reason.
  func part(for reason: ConnectionLife.Reason) {
    carryOut(state.withLock { $0.life.parts(for: reason) })
  }

  /// Ends the connection from this side.
  func leave(saying text: String) {
    part(for: .left(Goodbye(text)))
  }

  /// Whether the peer has introduced itself, and was not connected otherwise.
  var hasMet: Bool { state.withLock { $0.life.wasConnected } }

  /// Returns when the connection has ended, and others have been told, or the caller is cancelled.
  func departure() async {
    try? await gone.value()
  }
}
