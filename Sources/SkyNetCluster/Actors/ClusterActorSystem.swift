package import Distributed
package import SkyNetCore
import Synchronization

/// The distributed actor system of one process: it knows the process's own actor and the connections
/// to its peers, and carries calls over them.
///
/// An actor is known by the incarnation of the process it lives in, which has one ``ScanSystem``
/// at most. A call to an actor of a peer that is not connected fails at once.
package final class ClusterActorSystem: DistributedActorSystem {
  package typealias ActorID = Incarnation
  package typealias InvocationDecoder = CallDecoder
  package typealias InvocationEncoder = CallEncoder
  package typealias ResultHandler = CallResultHandler
  package typealias SerializationRequirement = any Codable

  private struct State {
    var hello: Hello
    weak var local: (any DistributedActor)?
    var peers: [Incarnation: PeerLink] = [:]
    var onServingAgain: (@Sendable () -> Void)?
  }

  package let incarnation: Incarnation
  /// The kinds of scan whose tasks and results can be read here.
  package let registry: ScanRegistry
  /// Whether peers may call the local actor. A program that engages others runs scans for itself alone.
  let servesOthers: Bool
  let coder: BodyCoder
  private let state: Mutex<State>
  private let scanResources = AtomicLazyReference<ScanSystem.Resources>()

  /// - Parameters:
  ///   - name: what peers show to people: 1 to 63 bytes of UTF-8. A longer one is cut.
  ///   - slots: how many scans it runs at a time for others; 0 if none.
  ///   - timeout: the silence after which a peer is gone.
  ///   - heldBytes: how many bytes of calls one peer may have unanswered here; `nil` for the usual.
  package init(
    name: String, slots: Int, timeout: Duration, registry: ScanRegistry, heldBytes: Int? = nil
  ) {
    incarnation = Incarnation()
    self.registry = registry
    servesOthers = slots > 0
    coder = BodyCoder(registry: registry)
    state = Mutex(
      State(
        hello: Hello(
          name: PeerName.fitted(name), incarnation: incarnation, slots: slots, timeout: timeout,
          scans: registry.kinds, heldBytes: heldBytes)))
  }

  /// How this process introduces itself.
  package var hello: Hello { state.withLock { $0.hello } }

  /// Changes the name in hellos to come.
  package func rename(to name: String) {
    state.withLock { $0.hello.name = PeerName.fitted(name) }
  }

  // MARK: Peers

  /// Adds a peer that was met. Returns whether it was not connected already.
  ///
  /// This table alone says which peers are connected. ``Systems`` is told that a peer joined after it
  /// was added here, and that it left before it is removed; so a peer never joins twice at a time.
  func connected(_ peer: PeerLink, as id: Incarnation) -> Bool {
    state.withLock { state in
      guard state.peers[id] == nil, id != incarnation else { return false }
      state.peers[id] = peer
      return true
    }
  }

  /// Removes a peer whose connection ended, if it is the one that was added.
  func disconnected(_ id: Incarnation, _ peer: PeerLink) {
    state.withLock { state in
      if state.peers[id] === peer { state.peers[id] = nil }
    }
  }

  /// The connection to a peer; `nil` if it is not connected.
  func link(to id: Incarnation) -> PeerLink? { state.withLock { $0.peers[id] } }

  /// The peers that are connected just now.
  var links: [PeerLink] { state.withLock { Array($0.peers.values) } }

  // MARK: The local actor

  var localActor: (any DistributedActor)? { state.withLock { $0.local } }

  /// The actor that runs scans for peers; `nil` if this process runs none for others.
  var servingSystem: ScanSystem? { servesOthers ? localActor as? ScanSystem : nil }

  /// What the local actor scans with; `nil` before it was made.
  var resources: ScanSystem.Resources? { scanResources.load() }

  /// The local actor scans with these.
  func scans(with resources: ScanSystem.Resources) {
    precondition(
      scanResources.storeIfNil(resources) === resources, "a process has one distributed actor")
  }

  /// Whether the local actor takes scans: it does not while it drains, nor while scans that ignore
  /// being cancelled hold all of its slots.
  var hasSlot: Bool { resources?.queue.isOpen ?? false }

  /// Has `tell` called when the local actor, which had no slot left, has one again.
  func whenServingAgain(_ tell: @escaping @Sendable () -> Void) {
    state.withLock { $0.onServingAgain = tell }
  }

  /// The local actor has a slot again after scans that ignored being cancelled had held all.
  ///
  /// A peer that was handed back a call takes this process for one that leaves, for as long as their
  /// connection lasts. So this side ends the connections: the peers connect again, and send calls again.
  func servesAgain() {
    state.withLock { $0.onServingAgain }?()
    guard servesOthers else { return }
    for link in links { link.leave(saying: "it has slots again: connect anew") }
  }

  // MARK: DistributedActorSystem

  package func resolve<Act: DistributedActor>(id: Incarnation, as type: Act.Type) throws -> Act?
  where Act.ID == Incarnation {
    guard id == incarnation else { return nil }
    guard let actor = localActor as? Act else {
      throw CallFailure(.system, "this process has no \(type)")
    }
    return actor
  }

  package func assignID<Act: DistributedActor>(_ type: Act.Type) -> Incarnation
  where Act.ID == Incarnation {
    incarnation
  }

  package func actorReady<Act: DistributedActor>(_ actor: Act) where Act.ID == Incarnation {
    state.withLock { state in
      precondition(state.local == nil, "a process has one distributed actor")
      state.local = actor
    }
  }

  package func resignID(_ id: Incarnation) {}

  package func makeInvocationEncoder() -> CallEncoder { CallEncoder() }

  package func remoteCall<Act, Err, Res>(
    on actor: Act, target: RemoteCallTarget, invocation: inout CallEncoder,
    throwing: Err.Type, returning: Res.Type
  ) async throws -> Res
  where Act: DistributedActor, Act.ID == Incarnation, Err: Error, Res: Codable {
    let reply = try await call(actor.id, target, invocation)
    do {
      return try coder.decode(Res.self, from: reply)
    } catch {
      throw UnreadableAnswer(reason: "\(error)".bounded)
    }
  }

  package func remoteCallVoid<Act, Err>(
    on actor: Act, target: RemoteCallTarget, invocation: inout CallEncoder, throwing: Err.Type
  ) async throws where Act: DistributedActor, Act.ID == Incarnation, Err: Error {
    _ = try await call(actor.id, target, invocation)
  }

  private func call(
    _ id: Incarnation, _ target: RemoteCallTarget, _ invocation: CallEncoder
  ) async throws -> Message {
    guard let number = CallTargets.number(of: target.identifier) else {
      throw CallFailure(.system, "\(target.identifier) has no number on the wire")
    }
    guard let peer = link(to: id) else { throw ConnectionLost.notConnected }
    let request = CallRequest(try invocation.encoded(by: coder, calling: number))
    return try await peer.call(request, onStart: CallContext.current?.onStart)
  }
}

/// A call's connection ended before its answer came.
package struct ConnectionLost: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: String
  /// Whether the call's scan may have killed the peer: it had started, or may have, and the peer did
  /// not say that it leaves.
  package var mayBeToBlame = false

  static let notConnected = ConnectionLost(reason: "not connected")

  package var description: String { reason }
}
