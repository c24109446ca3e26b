package import SkyNetCore
import Synchronization

/// The actor that connections tell when a system joins or leaves, and that reports these changes to
/// engagements.
///
/// The systems themselves, with their slots, are in ``slots``. The pool has a lock of its own, so that a task
/// takes and frees its slot without entering this actor.
package actor Systems {
  /// A committed slot, and the system that it is on. The owner has to release the slot once.
  package struct Commitment: Sendable {
    package let slot: Slot
    package let system: ScanSystem
  }

  /// How many slots a system has, and how many of this process's attempts it has been given.
  package struct Load: Hashable, Sendable {
    /// The system's name; `local` for this process's own.
    package let name: String
    package let slots: Int
    /// Some attempts may be sent ahead of a free slot, so there may be more than slots.
    package let inFlight: Int
  }

  /// A change of the systems, or of the tasks that they take.
  package enum Change: Hashable, Sendable {
    case connected(RemoteSystem)
    /// The system has its full name from now on, since another one of its name is about to connect.
    case renamed(RemoteSystem, from: String)
    /// The connection has ended. If the peer said goodbye, the reason is what it said.
    case disconnected(RemoteSystem, reason: String)
    /// A system takes no new tasks, but is still connected; `by` is the client that asked it to, if it tells
    /// one. A peer gets no tasks again over this connection; this process's own system may be ``serving(_:)``
    /// again later.
    case draining(Incarnation, by: String? = nil)
    /// This process's own system takes no new tasks, as a node on the same machine stands in for it. It is
    /// ``serving(_:)`` again when the node is gone, drains, or is paused.
    case yielding(Incarnation, to: String, nodeSlots: Int, slots: Int)
    /// This process's own system takes tasks again.
    case serving(Incarnation)
    /// Nothing has come from a peer for this long, but it does not count as gone yet.
    case silent(Incarnation, for: Duration)
    /// A silent peer has sent something again.
    case heard(Incarnation)
    /// The system gets no tasks for this long while other systems can scan: it has failed this often in a
    /// row, or, with no failures, earlier systems at its place died young.
    case paused(Incarnation, failures: Int, for: Duration)
    /// The pause of the system is over.
    case resumed(Incarnation)
  }

  private let actorSystem: ClusterActorSystem
  nonisolated let slots: SlotPool
  private let feed = ChangeFeed()
  /// The nodes that stand in for this process's own system. Changed only while the feed publishes.
  private let standIns = Mutex(StandIns())
  /// The slots of this process's own system, if nodes on the same machine stand in for it.
  private let yieldingSlots: Int?

  /// - Parameters:
  ///   - local: this process's own system; `nil` to use only those of peers.
  ///   - localSlots: how many slots that system has.
  ///   - yieldsToNodesHere: whether nodes on the same machine stand in for that system. Scans that leave the
  ///     processor idle have room on both, and no node stands in for them.
  package init(
    actorSystem: ClusterActorSystem, local: ScanSystem? = nil, localSlots: Int = 0,
    yieldsToNodesHere: Bool = false, clock: any ClusterClock = SteadyClock()
  ) {
    self.actorSystem = actorSystem
    let isCrowded = yieldsToNodesHere && actorSystem.registry.keepsProcessorBusy
    yieldingSlots = isCrowded && local != nil ? localSlots : nil
    slots = SlotPool(clock: clock)
    slots.setPauseHandler { [weak self] in self?.breakersChanged() }
    guard let local else { return }
    actorSystem.setResumptionHandler { [weak self] in self?.localSystemResumed() }
    slots.joined(
      Roster.Member(
        id: actorSystem.incarnation, name: "local", slots: localSlots,
        scans: actorSystem.registry.kinds, isLocal: true),
      local)
  }

  // MARK: The connected systems

  /// The connected peers, in the order in which they joined.
  package var connected: [RemoteSystem] { slots.connected }

  /// Yields the systems that are connected, and then every change, until the stream's consumer stops.
  package func changes() -> AsyncStream<Change> {
    feed.follow {
      let standIn = standIns.withLock(\.active)
      return slots.connected.map { .connected($0) }
        + slots.draining.map { id, client in
          if id == actorSystem.incarnation, let standIn { return yielding(to: standIn) }
          return .draining(id, by: client)
        }
    }
  }

  // MARK: Events of connections

  func joined(_ hello: Hello, at address: String) throws {
    let id = hello.incarnation
    let system = try ScanSystem.resolve(id: id, using: actorSystem)
    let namesakes = slots.connected.filter { $0.place.name == hello.name }
    let isTaken = hello.name == "local" || !namesakes.isEmpty
    let peer = RemoteSystem(hello, name: hello.name, address: address)
    let remote = isTaken ? peer.withFullName() : peer
    for first in namesakes where first.name == hello.name {
      feed.publish {
        slots.giveFullName(to: first.incarnation).map { .renamed($0, from: first.name) }
      }
    }
    let member = Roster.Member(
      id: id, name: remote.name, slots: hello.slots, scans: hello.scans, isLocal: false,
      place: remote.place)
    feed.publish {
      slots.joined(member, system, remote: remote)
      return .connected(remote)
    }
    // A node whose processes die young is paused from the beginning, and does not stand in.
    breakersChanged()
    if standsIn(hello) { changeStandIns { $0.joined(id) } }
  }

  /// Whether a peer does the work of this process's own system: it runs on this machine, and offers all the scans
  /// that this system does.
  private func standsIn(_ hello: Hello) -> Bool {
    guard yieldingSlots != nil, hello.slots > 0, let namespace = hello.networkNamespace else {
      return false
    }
    return namespace == actorSystem.hello.networkNamespace
      && actorSystem.registry.kinds.allSatisfy(hello.scans.contains)
  }

  private nonisolated func yielding(to standIn: Incarnation) -> Change {
    let node = slots.connected.first { $0.incarnation == standIn }
    return .yielding(
      actorSystem.incarnation, to: node?.name ?? "a node", nodeSlots: node?.slots ?? 0,
      slots: yieldingSlots ?? 0)
  }

  /// Has this process's own system yield or serve, as its stand-ins now call for.
  private nonisolated func changeStandIns(
    _ event: @Sendable (inout StandIns) -> StandIns.Change?
  ) {
    feed.publish {
      let own = actorSystem.incarnation
      let (change, active) = standIns.withLock { (event(&$0), $0.active) }
      switch change {
      case .yields: return slots.markDraining(own) ? active.map(yielding) : nil
      case .serves: return actorSystem.hasSlot && slots.markServing(own) ? .serving(own) : nil
      case nil: return nil
      }
    }
  }

  /// A system takes no more tasks. If the last stand-in is lost, this process's own system serves again, before
  /// anybody hears of the loss: there is no moment without a system.
  private nonisolated func lostStandIn(_ id: Incarnation) { changeStandIns { $0.left(id) } }

  /// Some circuit breakers may have opened or closed. A stand-in that is paused stands in for nothing.
  private nonisolated func breakersChanged() {
    if yieldingSlots != nil {
      let unwell = slots.takeUnwell()
      changeStandIns { $0.setUnwell(unwell) }
    }
    feed.publishAll { slots.takePauseChanges() }
  }

  /// A system says that it takes no new tasks, and perhaps which client asked it to.
  nonisolated func draining(_ id: Incarnation, by client: String? = nil) {
    lostStandIn(id)
    feed.publish { slots.markDraining(id, by: client) ? .draining(id, by: client) : nil }
  }

  /// A peer is silent for this long, or has sent something again.
  nonisolated func silent(_ id: Incarnation, for silence: Duration?) {
    feed.publish { silence.map { .silent(id, for: $0) } ?? .heard(id) }
  }

  /// A system has handed back the call on this slot, which shows that it takes no new tasks. The slot is still
  /// committed. Has no effect if the system was lost meanwhile: it may have connected again.
  nonisolated func handedBack(_ slot: Slot) {
    if slots.contains(slot) { lostStandIn(slot.system) }
    feed.publish { slots.markDraining(slot) ? .draining(slot.system) : nil }
    // This process's own system may have a slot again by now, and may have reported that before this call.
    if slot.system == actorSystem.incarnation, actorSystem.hasSlot { localSystemResumed() }
  }

  /// This process's own system takes tasks again.
  nonisolated func localSystemResumed() {
    let own = actorSystem.incarnation
    feed.publish {
      guard standIns.withLock({ $0.active }) == nil else { return nil }
      return slots.markServing(own) ? .serving(own) : nil
    }
  }

  /// A connection has ended.
  ///
  /// - Parameter inOrder: whether one of the two sides said goodbye.
  func left(_ id: Incarnation, reason: String, inOrder: Bool = false) {
    lostStandIn(id)
    feed.publish {
      slots.left(id, inOrder: inOrder).map { .disconnected($0, reason: reason) }
    }
  }
}
