import Distributed
import Foundation
import SkyNetCore
import Synchronization

/// One connection to one peer: the introductions, the heartbeat, and the calls both ways.
final class PeerLink: Sendable {
  /// The least time that a peer has to introduce itself, however short this side's timeout is.
  private static let shortestHelloTimeout = Duration.seconds(5)

  let remoteAddress: String
  private let connection: any Connection
  private let system: ClusterActorSystem
  private let clock: any ClusterClock
  private let outgoing = OutgoingCalls()
  private let incoming: IncomingCalls
  /// What the peer said of itself, once it has.
  private let met = OneShot<Hello>()
  /// The same, to be looked at without waiting.
  private let peer = Mutex<Introduction?>(nil)
  /// Whether the system knows the peer by this connection.
  private let isConnected = Atomic<Bool>(false)
  /// Whether the peer said that it leaves.
  private let saidGoodbye = Atomic<Bool>(false)
  /// Why the connection ends, if one of the two sides said so.
  private let parting = Mutex<(any Error)?>(nil)
  /// Since the peer has introduced itself.
  private let heartbeat = Mutex<Heartbeat?>(nil)
  /// Scans that ran for the peer when the connection broke.
  private let orphans = Mutex<[OrphanedScan]>([])
  private let onDrain: @Sendable (Incarnation) -> Void

  init(
    _ connection: any Connection, system: ClusterActorSystem, clock: any ClusterClock,
    onDrain: @escaping @Sendable (Incarnation) -> Void = { _ in }
  ) {
    self.connection = connection
    remoteAddress = connection.remoteAddress
    incoming = IncomingCalls(
      limit: Pace.callLimit(slots: system.hello.slots), held: connection.heldLimit,
      memory: connection.memory)
    self.system = system
    self.clock = clock
    self.onDrain = onDrain
  }

  /// Meets the peer, then serves and is served until the connection ends; every call that is then
  /// unanswered fails.
  ///
  /// - Parameters:
  ///   - joined: called when the peer has introduced itself.
  ///   - left: called, if `joined` was, when the connection has ended, before its calls fail: who
  ///     then looks for another system does not find this one.
  /// - Throws: why it ended, if not by the peer's leaving: `WireError`, `Goodbye` with a code if the
  ///   peer objected, ``PeerGone``, `TransportError`, ``AlreadyConnected``,
  ///   ``ConnectedToItself``, `CancellationError`.
  func run(
    joined: @escaping @Sendable (Hello) async -> Void,
    left: @Sendable (Hello, _ reason: String) async -> Void
  ) async throws {
    connection.send(Message(.hello, encoding: system.hello))
    var result: Result<Void, any Error>
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await self.connection.receive { self.handle($0) } }
        group.addTask { try await self.accompany(joined) }
        // Whichever ends first ends the other.
        defer { group.cancelAll() }
        try await group.next()
      }
      result = parting.withLock { $0 }.map { .failure($0) } ?? .success(())
    } catch {
      // What a side said explains more than what then happened to the connection.
      result = .failure(parting.withLock { $0 } ?? error)
    }
    connection.close(saying: nil)
    // Before the peer can be connected anew, and ask for them.
    orphanScans(after: result)
    let reason = Self.reason(result)
    if let hello = peer.withLock({ $0?.hello }) {
      if hasMet {
        system.disconnected(hello.incarnation, self)
        await left(hello, reason)
      } else if hello.incarnation == system.incarnation {
        // Whichever end of it noticed first.
        result = .failure(ConnectedToItself())
      } else if system.isConnected(to: hello.incarnation) {
        // The peer may have noticed first.
        result = .failure(AlreadyConnected(incarnation: hello.incarnation))
      }
    }
    room?.end()
    outgoing.end(reason, death: death(after: result))
    await incoming.end()
    try result.get()
  }

  /// Keeps the scans that ran when the connection broke for as long as a silent peer would have been
  /// waited for, so that the peer may connect again and ask for them; then cancels them.
  func keepOrphans() async {
    let orphans = orphans.withLock { $0 }
    guard !orphans.isEmpty, let scans = system.scans else { return }
    try? await clock.sleep(until: clock.now + .seconds(system.hello.timeoutSeconds))
    scans.orphans.abandon(orphans)
  }

  private func orphanScans(after result: Result<Void, any Error>) {
    guard wasBroken(result), let scans = system.scans,
      let client = peer.withLock({ $0?.hello.incarnation }), scans.orphans.brokeOff(client)
    else { return }
    let kept = incoming.handOver { scans.orphans.adopt($0, of: client, forgotten: $1) }
    // A call that came before they were kept did not find them to give way.
    if scans.gate.isWaitedFor(besides: client) { return scans.orphans.abandon(kept) }
    self.orphans.withLock { $0 = kept }
  }

  /// Where its messages arrive; `nil` if that is anywhere.
  var executor: (any TaskExecutor)? { connection.executor }

  /// Whether the peer has introduced itself, and is not connected otherwise.
  var hasMet: Bool { isConnected.load(ordering: .acquiring) }

  /// The room that the peer has for calls; `nil` before it introduced itself.
  var room: PeerRoom? { peer.withLock { $0?.room } }

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

  /// Ends the connection from this side.
  func leave(saying text: String) {
    connection.close(saying: Message(.goodbye, encoding: Goodbye(text)))
  }

  /// Awaits the introduction, then keeps the heartbeat until the peer is gone.
  private func accompany(_ joined: @Sendable (Hello) async -> Void) async throws {
    let hello = try await meet()
    guard hello.incarnation != system.incarnation else {
      leave(saying: "connected to itself")
      throw ConnectedToItself()
    }
    guard system.connected(self, as: hello.incarnation) else {
      leave(saying: "already connected")
      throw AlreadyConnected(incarnation: hello.incarnation)
    }
    isConnected.store(true, ordering: .releasing)
    await joined(hello)
    let first = Heartbeat(
      timeout: .seconds(system.hello.timeoutSeconds), peerTimeout: .seconds(hello.timeoutSeconds),
      at: clock.now)
    heartbeat.withLock { $0 = first }
    while true {
      try await clock.sleep(until: clock.now + first.interval)
      let (signs, now) = (connection.signsOfLife, clock.now)
      switch heartbeat.withLock({ $0?.tick(signsOfLife: signs, at: now) }) {
      case .gone(let silence): throw PeerGone(silence: silence, interval: first.interval)
      case .ping, nil: connection.send(Message(.ping))
      }
    }
  }

  /// Whether this process stood still at some time since then, as far as is known.
  func stoodStill(since start: Instant, at now: Instant) -> Bool {
    heartbeat.withLock { $0?.stoodStill(since: start, at: now) ?? false }
  }

  private func meet() async throws -> Hello {
    let patience = max(Self.shortestHelloTimeout, .seconds(system.hello.timeoutSeconds))
    return try await withThrowingTaskGroup(of: Hello.self) { group in
      group.addTask { try await self.met.value() }
      group.addTask {
        try await self.clock.sleep(until: self.clock.now + patience)
        let error = WireError.noHello(within: patience)
        self.object(error)
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
      if let introduction = peer.withLock({ $0 }) {
        try handle(message, from: introduction)
      } else if message.kind == .goodbye {
        receiveGoodbye(message)
      } else {
        let hello = try message.decodeHello()
        peer.withLock { $0 = Introduction(hello) }
        met.complete(.success(hello))
      }
    } catch {
      object(error)
    }
  }

  /// Ends the connection, and tells the peer what it did wrong.
  private func object(_ error: WireError) {
    parting.withLock { $0 = $0 ?? error }
    connection.close(saying: Message(.goodbye, encoding: Goodbye(error)))
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
    case .drain: onDrain(peer.hello.incarnation)
    case .goodbye: receiveGoodbye(message)
    case .hello: throw WireError(.unexpected, "a second hello")
    case .chunk: throw WireError(.unexpected, "a chunk of no message")
    }
  }

  private func receiveGoodbye(_ message: Message) {
    saidGoodbye.store(true, ordering: .releasing)
    if let goodbye = try? message.decodeBody(Goodbye.self), goodbye.code != nil {
      parting.withLock { $0 = $0 ?? goodbye }
    }
    connection.close(saying: nil)
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

  /// Whether the connection ended although neither side said that it leaves.
  private func wasBroken(_ result: Result<Void, any Error>) -> Bool {
    if case .failure(is CancellationError) = result { return false }
    return !saidGoodbye.load(ordering: .acquiring)
  }

  /// The peer's death, unless one of the two sides said that it leaves.
  private func death(after result: Result<Void, any Error>) -> PeerDeath? {
    guard wasBroken(result), let hello = peer.withLock({ $0?.hello }) else { return nil }
    var lastAlive = clock.now
    // One that fell silent is looked at once an interval.
    if case .failure(let gone as PeerGone) = result {
      lastAlive = lastAlive.advanced(by: gone.interval - gone.silence)
    }
    return PeerDeath(slots: hello.slots, lastAlive: lastAlive)
  }

  private static func reason(_ result: Result<Void, any Error>) -> String {
    switch result {
    case .success: "the connection was closed"
    case .failure(let error as Goodbye): error.message
    case .failure(is CancellationError): "this side left"
    case .failure(let error): "\(error)"
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

/// A peer was not heard from for as long as is allowed.
public struct PeerGone: Error, Hashable, Sendable, CustomStringConvertible {
  public let silence: Duration
  /// How often it was listened for.
  let interval: Duration

  public var description: String { "not heard from for \(silence.inTenths) s" }
}

/// A peer is connected already, in another way.
struct AlreadyConnected: Error, CustomStringConvertible {
  let incarnation: Incarnation

  var description: String { "its process is connected already" }
}

/// The peer has this process's own incarnation: the way there leads back.
struct ConnectedToItself: Error, CustomStringConvertible {
  var description: String { "it is this very process: the way there leads back here" }
}
