import Distributed
import Foundation
import SkyNetCore
import Synchronization

/// One connection to one peer: the introductions, the heartbeat, and the calls both ways.
final class PeerLink: Sendable {
  /// The least time that a peer has to introduce itself, however short this side's timeout is.
  private static let shortestHelloTimeout = Duration.seconds(5)

  private typealias IllegalEvent = ConnectionLife.IllegalEvent

  private struct State {
    var life = ConnectionLife()
    /// What the peer said of itself, once it has.
    var peer: Introduction?
    /// Scans that ran for the peer when the connection broke.
    var orphans: [OrphanedScan] = []
  }

  let remoteAddress: String
  private let connection: any Connection
  private let system: ClusterActorSystem
  private let clock: any ClusterClock
  private let outgoing = OutgoingCalls()
  private let incoming: IncomingCalls
  private let state = Mutex(State())
  /// Completed when the peer has introduced itself.
  private let met = OneShot<Hello>()
  /// Completed when the connection has ended, and others have been told.
  private let gone = OneShot<Void>()
  private let onDrain: @Sendable (Incarnation) -> Void

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
    self.clock = clock
    self.onDrain = onDrain
  }

  /// Meets the peer, then serves and is served until the connection ends; every call that is then
  /// unanswered fails.
  ///
  /// - Parameters:
  ///   - joined: called when the peer has introduced itself, and is connected by no other connection.
  ///   - left: called, if `joined` was, when the connection has ended, before its calls fail: a caller
  ///     that then looks for another system does not find this one.
  /// - Throws: why it ended, unless one of the two sides left or closed it: `WireError`, `Goodbye` with
  ///   a code if the peer objected, ``PeerGone``, `TransportError`, ``AlreadyConnected``,
  ///   ``ConnectedToItself``, `CancellationError`.
  func run(
    joined: @escaping @Sendable (Hello) async -> Void,
    left: @Sendable (Hello, _ reason: String) async -> Void
  ) async throws {
    connection.send(Message(.hello, encoding: system.hello))
    let reason = await serve(joined)
    connection.close(saying: nil)
    let peer = state.withLock { $0.peer }
    let isConnectedOtherwise = peer.map { system.isConnected(to: $0.hello.incarnation) } ?? false
    let ending = state.withLock {
      $0.life.ended(for: reason, isConnectedOtherwise: isConnectedOtherwise)
    }
    if let peer {
      // Before the peer can be connected anew, and ask for them.
      if ending.mayComeBack { orphanScans(of: peer.hello.incarnation) }
      if ending.wasConnected {
        system.disconnected(peer.hello.incarnation, self)
        await left(peer.hello, ending.words)
      }
      peer.room.end()
    }
    gone.complete(.success(()))
    outgoing.end(ending.words, death: peer.flatMap { ending.death(of: $0.hello, at: clock.now) })
    await incoming.end()
    if let error = ending.error(with: peer?.hello) { throw error }
  }

  /// Serves until the connection ends. Returns what happened to it, in case that nobody has said yet
  /// why it is to end.
  private func serve(
    _ joined: @escaping @Sendable (Hello) async -> Void
  ) async -> ConnectionLife.Reason {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await self.connection.receive { self.handle($0) } }
        group.addTask { try await self.accompany(joined) }
        // Whichever ends first ends the other.
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

  /// Tells the connection's life of an event. One that is refused ends the connection.
  private func tell<Answer: Sendable>(
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

  private func carryOut(_ action: ConnectionLife.Action?) {
    switch action {
    case .ping: connection.send(Message(.ping))
    case .close(let goodbye):
      connection.close(saying: goodbye.map { Message(.goodbye, encoding: $0) })
    case nil: break
    }
  }

  /// Ends the connection, unless it ends already for another reason.
  private func part(for reason: ConnectionLife.Reason) {
    carryOut(state.withLock { $0.life.parts(for: reason) })
  }

  /// Keeps the scans that ran when the connection broke for as long as a silent peer would have been
  /// waited for, so that the peer may connect again and ask for them; then cancels them.
  func keepOrphans() async {
    let orphans = state.withLock { $0.orphans }
    guard !orphans.isEmpty, let scans = system.scans else { return }
    try? await clock.sleep(until: clock.now + .seconds(system.hello.timeoutSeconds))
    scans.orphans.abandon(orphans)
  }

  private func orphanScans(of client: Incarnation) {
    guard let scans = system.scans, scans.orphans.brokeOff(client) else { return }
    let kept = incoming.handOver { scans.orphans.adopt($0, of: client, forgotten: $1) }
    // A call that came before they were kept did not find them to give way.
    if scans.gate.isWaitedFor(besides: client) { return scans.orphans.abandon(kept) }
    state.withLock { $0.orphans = kept }
  }

  /// Where its messages arrive; `nil` if that is anywhere.
  var executor: (any TaskExecutor)? { connection.executor }

  /// Whether the peer has introduced itself, and was not connected otherwise.
  var hasMet: Bool { state.withLock { $0.life.wasConnected } }

  /// The room that the peer has for calls; `nil` before it introduced itself.
  var room: PeerRoom? { state.withLock { $0.peer?.room } }

  /// Calls a distributed method of the peer, when that has room for the call.
  ///
  /// - Parameters:
  ///   - reserved: the call's room, if that was awaited already; its owner leaves it.
  ///   - onStart: see ``OutgoingCalls``.
  func call(
    _ parcel: Parcel, in reserved: PeerRoom.Place? = nil,
    onStart: (@Sendable (_ ran: Duration) -> Void)?
  ) async throws -> Message {
    guard let reserved, reserved.isEnough(for: parcel) else {
      return try await callWithRoom(parcel, in: reserved, onStart: onStart)
    }
    return try await outgoing.call(parcel, at: clock.now, onStart: onStart) { [connection] in
      connection.send($0)
    }
  }

  /// Not inlined: nearly all calls are small, and would keep memory for this one's variables.
  @inline(never)
  private func callWithRoom(
    _ parcel: Parcel, in reserved: PeerRoom.Place?,
    onStart: (@Sendable (_ ran: Duration) -> Void)?
  ) async throws -> Message {
    let awaited = try await reserved == nil ? room?.place() : nil
    defer { awaited?.leave() }
    let first = reserved ?? awaited
    let place = try await first?.made(bytes: parcel.byteCount, isUnsent: parcel.hasBulk)
    defer { if let place, place.isTracked, first?.isTracked == false { place.leave() } }
    return try await outgoing.call(parcel, at: clock.now, onStart: onStart) {
      [connection] message in
      guard let place, place.isTracked, message.kind == .call, !message.bulk.isEmpty else {
        return connection.send(message)
      }
      connection.send(message) { place.sent() }
    }
  }

  /// Tells the peer that nothing new is taken.
  func announceDrain() {
    connection.send(Message(.drain))
  }

  /// Returns when the peer's calls that run now have been answered.
  func finishCalls() async {
    await incoming.finish()
  }

  /// Returns when the connection has ended, and others have been told, or the caller is cancelled.
  func departure() async {
    try? await gone.value()
  }

  /// Ends the connection from this side.
  func leave(saying text: String) {
    part(for: .left(Goodbye(text)))
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
    var action = ConnectionLife.Action?.none
    repeat {
      try await clock.sleep(until: clock.now + connected.interval)
      action = tell { life throws(IllegalEvent) in
        try life.ticked(signsOfLife: connection.signsOfLife, at: clock.now)
      }
      carryOut(action)
    } while action == .ping
  }

  /// Whether this process stood still at some time since then, as far as is known.
  func stoodStill(since start: Instant, at now: Instant) -> Bool {
    state.withLock { $0.life.stoodStill(since: start, at: now) }
  }

  private func meet() async throws -> Hello {
    let patience = max(Self.shortestHelloTimeout, .seconds(system.hello.timeoutSeconds))
    return try await withThrowingTaskGroup(of: Hello.self) { group in
      group.addTask { try await self.met.value() }
      group.addTask {
        try await self.clock.sleep(until: self.clock.now + patience)
        let error = WireError.noHello(within: patience)
        self.part(for: .offended(error))
        throw error
      }
      defer { group.cancelAll() }
      for try await hello in group { return hello }
      throw CancellationError()
    }
  }

  // MARK: Messages, on the transport's thread

  private func handle(_ message: Message) {
    do throws(WireError) {
      if let introduction = state.withLock({ $0.peer }) {
        try handle(message, from: introduction)
      } else if message.kind == .goodbye {
        receiveGoodbye(message)
      } else {
        introduced(try message.decodeHello())
      }
    } catch {
      part(for: .offended(error))
    }
  }

  private func introduced(_ hello: Hello) {
    let peer = Introduction(hello)
    state.withLock { $0.peer = peer }
    let isThisProcess = hello.incarnation == system.incarnation
    carryOut(
      tell { life throws(IllegalEvent) in try life.introduced(isThisProcess: isThisProcess) })
    met.complete(.success(hello))
  }

  private func handle(_ message: Message, from peer: Introduction) throws(WireError) {
    switch message.kind {
    case .call where message.target == CallTargets.run: try scan(message, for: peer.hello)
    case .call:
      try incoming.begin(message.call, holding: message.byteCount, on: connection.executor) {
        await self.perform(message)
      }
    case .started: outgoing.started(message.call, ran: try message.decodeStart())
    case .reply, .failure: outgoing.answered(message)
    case .cancel: incoming.cancel(message.call)
    case .ping: connection.send(Message(.pong))
    case .pong: break
    case .drain: drained(peer.hello.incarnation)
    case .goodbye: receiveGoodbye(message)
    case .hello: throw WireError(.unexpected, "a second hello")
    case .chunk: throw WireError(.unexpected, "a chunk of no message")
    }
  }

  private func drained(_ id: Incarnation) {
    let isNews = tell { life throws(IllegalEvent) in try life.drained() }
    if isNews == true { onDrain(id) }
  }

  private func receiveGoodbye(_ message: Message) {
    let goodbye = try? message.decodeBody(Goodbye.self)
    if let goodbye, goodbye.code != nil { return part(for: .accused(goodbye)) }
    part(for: .peerLeft)
  }

  /// Has a sector scanned for the peer.
  ///
  /// This is `ScanSystem.run(_:)` by a shorter way, as it is called for each task: to look up a
  /// distributed method, to enter the actor that then only hands the task on, and a second task for
  /// the call took a third of what a node did for a task of no length.
  private func scan(_ message: Message, for hello: Hello) throws(WireError) {
    let (id, call) = (message.call, ScanCall(for: message))
    try incoming.took(id, holding: message.byteCount, as: call)
    let tellStart: @Sendable (_ ran: Duration) -> Void = { [connection] ran in
      connection.send(.started(call: id, ran: ran))
    }
    var context = CallContext(
      client: hello.incarnation, clientName: hello.name, onStartAfter: tellStart)
    context.arrivals = connection.executor
    do {
      guard let scans = system.scans else { throw CallFailure.noScans }
      if let orphan = scans.orphans.claim(message, by: hello.incarnation) {
        incoming.replaced(id, by: orphan.call)
        tellStart(scans.runningTime(of: orphan.call))
        return orphan.answer { self.answer(id, $0) }
      }
      let task = try system.coder.decodeTask(from: message)
      scans.begin(task, for: context, as: call) { self.answer(id, $0) }
    } catch {
      answer(id, .failure(error))
    }
  }

  private func answer(_ call: UInt64, _ outcome: Result<ScanResult, any Error>) {
    do {
      let (body, bulk) = try system.coder.encode(try outcome.get())
      connection.send(Message(.reply, call: call, body: body, bulk: bulk))
    } catch {
      connection.send(Message(.failure, call: call, encoding: CallFailure(error)))
    }
    incoming.ended(call)
  }

  /// Performs any other call of the peer's.
  private func perform(_ message: Message) async {
    let send: @Sendable (Message) -> Void = { [connection] in connection.send($0) }
    do {
      guard let identifier = CallTargets.identifiers[message.target] else {
        throw CallFailure(.system, "there is no method \(message.target) to call")
      }
      guard system.servesOthers, let actor = system.localActor as? ScanSystem else {
        throw CallFailure.noScans
      }
      var decoder = CallDecoder(message: message, coder: system.coder)
      try await system.executeDistributedTarget(
        on: actor, target: RemoteCallTarget(identifier), invocationDecoder: &decoder,
        handler: CallResultHandler(call: message.call, coder: system.coder, send: send))
    } catch {
      send(Message(.failure, call: message.call, encoding: CallFailure(error)))
    }
  }
}

extension CallFailure {
  fileprivate static let noScans = CallFailure(.system, "this process runs no scans")
}

/// A hello, held by reference: it is looked at with each message.
private final class Introduction: Sendable {
  let hello: Hello
  /// What it has room for.
  let room: PeerRoom

  init(_ hello: Hello) {
    self.hello = hello
    room = PeerRoom(limit: hello.heldLimit)
  }
}
