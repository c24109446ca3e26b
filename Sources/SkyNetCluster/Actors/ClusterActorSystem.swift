package import Distributed
package import SkyNetCore
import Synchronization

/// The distributed actor system of one process. It knows the process's own actor and the connections to its
/// peers, and carries calls over these connections.
///
/// The id of an actor is the incarnation of the process it lives in, which has one ``ScanSystem`` at most. A
/// call to an actor of a peer that is not connected fails at once.
package final class ClusterActorSystem: DistributedActorSystem {
  package typealias ActorID = Incarnation
  package typealias InvocationDecoder = CallDecoder
  package typealias InvocationEncoder = CallEncoder
  package typealias ResultHandler = CallResultHandler
  package typealias SerializationRequirement = any Codable

  /// A peer that has introduced itself.
  struct ConnectedPeer {
    let link: PeerLink
    let hello: Hello
    /// The peer's engagements, as its last ping told.
    var engagements: [EngagementSummary] = []
  }

  struct State {
    var hello: Hello
    weak var local: (any DistributedActor)?
    /// The engagements of this process.
    var engagements: [EngagementRun] = []
    var peers: [Incarnation: ConnectedPeer] = [:]
    var resumptionHandler: (@Sendable () -> Void)?
    var drainHandler: (@Sendable (_ isDraining: Bool) -> Void)?
    var relay: (any Relay)?
    var meetingHandler: (@Sendable (RelayTicket, Endpoint) -> Void)?
  }

  package let incarnation: Incarnation
  /// The kinds of scan whose tasks and results this process can read.
  package let registry: ScanRegistry
  /// Whether peers may call the local actor. A program that engages others runs scans for itself alone.
  let servesOthers: Bool
  let coder: BodyCoder
  /// Where all actors of this process's cluster run.
  package let executor: any EngineExecutor
  /// The spans of this process; `nil` if it has no tracer.
  let spans = Spans()
  let state: Mutex<State>

  /// - Parameters:
  ///   - name: the name that peers show to people: 1 to 63 bytes of UTF-8. A longer name is cut.
  ///   - slots: how many scans this process runs at a time for others; 0 if it runs none.
  ///   - timeout: how long a peer may be silent before it counts as gone.
  ///   - heldBytes: how many bytes of calls one peer may have unanswered here; with `nil`, the default.
  ///   - executor: where all actors of this process's cluster run, and where its connections' messages arrive.
  package init(
    name: String, slots: Int, timeout: Duration, registry: ScanRegistry, heldBytes: Int? = nil,
    executor: any EngineExecutor
  ) {
    self.executor = executor
    incarnation = Incarnation()
    self.registry = registry
    servesOthers = slots > 0
    coder = BodyCoder(registry: registry)
    state = Mutex(
      State(
        hello: Hello(
          name: PeerName.fitted(name), incarnation: incarnation, slots: slots, timeout: timeout,
          scans: registry.kinds, heldBytes: heldBytes,
          networkNamespace: NetworkNamespace.id)))
  }

  /// How this process introduces itself.
  package var hello: Hello { state.withLock { $0.hello } }

  /// Changes the name that later hellos carry.
  package func rename(to name: String) {
    state.withLock { $0.hello.name = PeerName.fitted(name) }
  }

  // MARK: Peers

  /// Adds a peer that has introduced itself. Returns `false`, and adds nothing, if another connection to the
  /// peer is open.
  ///
  /// This table alone says which peers are connected. ``Systems`` hears of a peer after the peer was added
  /// here, and hears of its end before the peer is removed here. So ``Systems`` never has a peer twice at a
  /// time.
  func add(_ link: PeerLink, as hello: Hello) -> Bool {
    let id = hello.incarnation
    return state.withLock { state in
      guard state.peers[id] == nil, id != incarnation else { return false }
      state.peers[id] = ConnectedPeer(link: link, hello: hello)
      return true
    }
  }

  /// A peer tells of its engagements.
  func note(_ engagements: [EngagementSummary], of link: PeerLink, as id: Incarnation) {
    state.withLock { state in
      if state.peers[id]?.link === link { state.peers[id]?.engagements = engagements }
    }
  }

  /// Removes a peer whose connection has ended, if this connection is the one that was added.
  func remove(_ peer: PeerLink, as id: Incarnation) {
    state.withLock { state in
      if state.peers[id]?.link === peer { state.peers[id] = nil }
    }
    if clients.isEmpty { registry.dropCaches() }
  }

  /// The connection to a peer; `nil` if it is not connected.
  func link(to id: Incarnation) -> PeerLink? { state.withLock { $0.peers[id]?.link } }

  /// The connections to all peers.
  var links: [PeerLink] { peers.map(\.link) }

  var peers: [ConnectedPeer] { state.withLock { Array($0.peers.values) } }

  /// The connected programs that have no scans run for others.
  var clients: [Hello] {
    peers.map(\.hello).filter { $0.slots == 0 }
  }

  /// The engagements of all connected peers, as their last pings told.
  package var peerEngagements: [EngagementSummary] {
    peers.flatMap(\.engagements).sorted { ($0.client, $0.name) < ($1.client, $1.name) }
  }

  // MARK: Engagements

  func began(_ run: EngagementRun) { state.withLock { $0.engagements.append(run) } }

  func ended(_ run: EngagementRun) { state.withLock { $0.engagements.removeAll { $0 === run } } }

  /// How far the engagements of this process are.
  func engagementSummaries(at now: Instant) async -> [EngagementSummary] {
    var summaries: [EngagementSummary] = []
    for run in state.withLock({ $0.engagements }) {
      summaries.append(await run.summary(at: now, client: hello.name))
    }
    return summaries
  }

  // MARK: The local actor

  var localActor: (any DistributedActor)? { state.withLock { $0.local } }

  /// This process's own system; `nil` if it scans nothing itself.
  var ownSystem: ScanSystem? { localActor as? ScanSystem }

  /// The actor that runs scans for peers; `nil` if this process runs no scans for others.
  var servingSystem: ScanSystem? { servesOthers ? ownSystem : nil }

  /// Whether the local actor takes scans. Asked on the engine. It does not while it drains, nor while scans that ignore their
  /// cancellation hold all of its slots.
  var hasSlot: Bool { ownSystem?.here { $0.queue.isOpen } ?? false }

  /// Sets the closure to call when the local actor has a slot again after none was left.
  func setResumptionHandler(_ handler: @escaping @Sendable () -> Void) {
    state.withLock { $0.resumptionHandler = handler }
  }

  /// The local actor has a slot again, after scans that ignored their cancellation had held all slots.
  ///
  /// A peer whose call was handed back takes this process for one that drains, and sends no more calls over
  /// that connection. So this side ends its connections: the peers connect again, and send calls again.
  func localActorResumed() {
    state.withLock { $0.resumptionHandler }?()
    guard servesOthers else { return }
    for link in links { link.leave(saying: "it has slots again: connect anew") }
  }

  /// Why the local actor takes no new calls; `nil` while it takes them. Asked on the engine.
  var drainReason: DrainReason? { ownSystem?.here { $0.queue.drainReason } ?? nil }

  /// Sets the closure to call when the local actor has begun or ceased to drain.
  func setDrainHandler(_ handler: @escaping @Sendable (_ isDraining: Bool) -> Void) {
    state.withLock { $0.drainHandler = handler }
  }

  /// The local actor has begun or ceased to drain.
  func localActorDrains(_ isDraining: Bool) {
    state.withLock { $0.drainHandler }?(isDraining)
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

/// The connection of a call ended before the answer came.
package struct ConnectionLost: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: String
  /// Whether the call's scan may have killed the peer: the scan had started or may have started, and the peer
  /// did not say goodbye.
  package var mayBeToBlame = false

  static let notConnected = ConnectionLost(reason: "not connected")

  package var description: String { reason }
}
