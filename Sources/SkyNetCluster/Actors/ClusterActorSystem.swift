package import Distributed
package import SkyNetCore
import Synchronization

/// The distributed actor system of one member of the cluster: a node, or a program. It knows the member's own actor, and
/// carries calls over the connections to its peers, which are in ``PeerTable``.
///
/// The id of an actor is the incarnation of the member it belongs to, which has one ``ScanSystem`` at most. A
/// call to an actor of a peer that is not connected fails at once.
package final class ClusterActorSystem: DistributedActorSystem {
  package typealias ActorID = Incarnation
  package typealias InvocationDecoder = NoLookup
  package typealias InvocationEncoder = CallEncoder
  package typealias ResultHandler = NoLookup
  package typealias SerializationRequirement = any MessageBody

  /// What is asked for from any thread, as Swift makes and resolves actors anywhere.
  private struct Identity {
    var hello: Hello
    weak var local: ScanSystem?
  }

  package let incarnation: Incarnation
  package let registry: ScanRegistry
  /// Whether peers may call the local actor: a node's, and not a program's.
  let servesOthers: Bool
  let coder: BodyCoder
  /// Where all actors of this process's cluster run.
  package let executor: any EngineExecutor
  let unownedExecutor: UnownedSerialExecutor
  /// The spans of this process; `nil` if it has no tracer.
  let spans = Spans()
  let peers: PeerTable
  private let identity: Mutex<Identity>

  /// - Parameters:
  ///   - name: the name that peers show to people: 1 to 63 bytes of UTF-8. A longer name is cut.
  ///   - slots: how many scans this process runs at a time for others; 0 if it runs none.
  ///   - heldBytes: how many bytes of calls one peer may have unanswered here.
  package init(
    name: String, slots: Int, timeout: Duration, registry: ScanRegistry,
    heldBytes: Int = WireLimits().announcedHeld, executor: any EngineExecutor
  ) {
    self.executor = executor
    unownedExecutor = executor.asUnownedSerialExecutor()
    incarnation = Incarnation()
    self.registry = registry
    servesOthers = slots > 0
    coder = BodyCoder(registry: registry)
    peers = PeerTable(of: incarnation, on: executor)
    identity = Mutex(
      Identity(
        hello: Hello(
          name: PeerName.fitted(name), incarnation: incarnation, slots: slots, timeout: timeout,
          scans: registry.kinds, heldBytes: heldBytes,
          networkNamespace: NetworkNamespace.id)))
  }

  /// How this process introduces itself.
  package var hello: Hello { identity.withLock { $0.hello } }

  /// Changes the name that later hellos carry.
  package func rename(to name: String) {
    identity.withLock { $0.hello.name = PeerName.fitted(name) }
  }

  // MARK: This process's own system

  /// This process's own system; `nil` if it scans nothing itself.
  var ownSystem: ScanSystem? { identity.withLock { $0.local } }

  /// Why this process's own system takes no new calls; `nil` while it takes them. Asked on the engine.
  var drainReason: DrainReason? { ownSystem?.here { $0.queue.drainReason } ?? nil }

  // MARK: DistributedActorSystem

  package func resolve<Act: DistributedActor>(id: Incarnation, as type: Act.Type) throws -> Act?
  where Act.ID == Incarnation {
    guard id == incarnation else { return nil }
    guard let actor = ownSystem as? Act else {
      throw CallFailure(.system, "this process has no \(type)")
    }
    return actor
  }

  package func assignID<Act: DistributedActor>(_ type: Act.Type) -> Incarnation
  where Act.ID == Incarnation {
    incarnation
  }

  package func actorReady<Act: DistributedActor>(_ actor: Act) where Act.ID == Incarnation {
    identity.withLock { identity in
      precondition(identity.local == nil, "a member has one distributed actor")
      identity.local = actor as? ScanSystem
    }
  }

  package func resignID(_ id: Incarnation) {}

  package func makeInvocationEncoder() -> CallEncoder { CallEncoder(coder: coder) }

  package func remoteCall<Act, Err, Res>(
    on actor: Act, target: RemoteCallTarget, invocation: inout CallEncoder,
    throwing: Err.Type, returning: Res.Type
  ) async throws -> Res
  where Act: DistributedActor, Act.ID == Incarnation, Err: Error, Res: MessageBody {
    let reply = try await call(actor.id, target, &invocation)
    do {
      return try coder.decode(Res.self, from: reply)
    } catch {
      throw UnreadableAnswer(reason: "\(error)".bounded)
    }
  }

  package func remoteCallVoid<Act, Err>(
    on actor: Act, target: RemoteCallTarget, invocation: inout CallEncoder, throwing: Err.Type
  ) async throws where Act: DistributedActor, Act.ID == Incarnation, Err: Error {
    _ = try await call(actor.id, target, &invocation)
  }

  /// - Throws: `CallFailure`; ``ConnectionLost``; ``UnreadableAnswer``; `CancellationError`.
  @inline(__always)
  private func call(
    _ id: Incarnation, _ target: RemoteCallTarget, _ invocation: inout CallEncoder
  ) async throws -> Message {
    guard let number = CallTargets.number(of: target.identifier) else {
      throw CallFailure(.system, "\(target.identifier) has no number on the wire")
    }
    // The context is that of a scan, whose code may ask other things of other systems.
    let context = number == CallTargets.run ? CallContext.current : nil
    let room = context?.room.flatMap { $0.peer == id ? $0 : nil }
    // With room, over its connection or not at all: if the peer has connected anew, the caller's slot has ended.
    var link = room?.link
    if link == nil { link = await peers.link(to: id) }
    guard let link else { throw ConnectionLost.notConnected }
    let answer = try await link.call(
      invocation.take(calling: number), in: room?.call, onStart: context?.onStart)
    try context?.outputLimit?.check(answer)
    return answer
  }

  /// Waits for room for a call, before its argument is made; `nil` if the actor is this process's own, which needs none.
  /// Called on the engine.
  ///
  /// - Throws: ``ConnectionLost``; `CancellationError`.
  @inline(__always)
  func reserveRoom(at id: Incarnation) async throws -> ReservedRoom? {
    if id == incarnation { return nil }
    guard let link = peers.here({ $0.link(to: id) }),
      let (call, hasRoom) = link.here({ $0.window?.want() })
    else { throw ConnectionLost.notConnected }
    let room = ReservedRoom(peer: id, link: link, call: call)
    if !hasRoom { try await link.waitForRoom(call) }
    return room
  }
}

extension OutputLimit {
  /// - Throws: ``UnreadableAnswer`` if the answer is larger.
  fileprivate func check(_ answer: Message) throws {
    let (count, bulkCount) = (answer.body.count, answer.bulk.count)
    guard count <= json, bulkCount <= bulk else {
      throw UnreadableAnswer(
        reason: "\(count) bytes and \(bulkCount) of bulk, where at most \(json) and \(bulk) can be")
    }
  }
}

/// The connection of a call ended before the answer came.
package struct ConnectionLost: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: String
  /// Whether the call's scan may have killed the peer: the scan had started or may have started, and the peer
  /// did not say goodbye.
  package var mayBeToBlame = false
  /// How long it may take until the peer cancels the call's scan, if it is only out of reach. Zero for a call that it has
  /// never got.
  package var cancelledWithin = Duration.zero

  static let notConnected = ConnectionLost(reason: "not connected")

  package var description: String { reason }
}
