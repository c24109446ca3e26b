package import SkyNetCore

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
    case disconnected(RemoteSystem, reason: String)
    /// A system takes no new tasks, but is still connected; `by` is the client that asked it to, if it tells
    /// one. A peer gets no tasks again over this connection; this process's own system may be ``serving(_:)``
    /// again later.
    case draining(Incarnation, by: String? = nil)
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

  /// - Parameters:
  ///   - local: this process's own system; `nil` to use only those of peers.
  ///   - localSlots: how many slots that system has.
  package init(
    actorSystem: ClusterActorSystem, local: ScanSystem? = nil, localSlots: Int = 0,
    clock: any ClusterClock = SteadyClock()
  ) {
    self.actorSystem = actorSystem
    slots = SlotPool(clock: clock)
    slots.setPauseHandler { [feed, weak slots] in
      feed.publishAll { slots?.takePauseChanges() ?? [] }
    }
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
      slots.connected.map { .connected($0) }
        + slots.draining.map { .draining($0.id, by: $0.client) }
    }
  }

  // MARK: Events of connections

  func joined(_ hello: Hello, at address: String) throws {
    let id = hello.incarnation
    let system = try ScanSystem.resolve(id: id, using: actorSystem)
    let isTaken = hello.name == "local" || slots.connected.contains { $0.name == hello.name }
    let remote = RemoteSystem(
      hello, name: isTaken ? "\(hello.name)@\(address)" : hello.name, address: address)
    let member = Roster.Member(
      id: id, name: remote.name, slots: hello.slots, scans: hello.scans, isLocal: false,
      place: remote.place)
    feed.publish {
      slots.joined(member, system, remote: remote)
      return .connected(remote)
    }
    feed.publishAll { slots.takePauseChanges() }
  }

  /// A system says that it takes no new tasks, and perhaps which client asked it to.
  nonisolated func draining(_ id: Incarnation, by client: String? = nil) {
    feed.publish { slots.markDraining(id, by: client) ? .draining(id, by: client) : nil }
  }

  /// A peer is silent for this long, or has sent something again.
  nonisolated func silent(_ id: Incarnation, for silence: Duration?) {
    feed.publish { silence.map { .silent(id, for: $0) } ?? .heard(id) }
  }

  /// A system has handed back the call on this slot, which shows that it takes no new tasks. The slot is still
  /// committed. Has no effect if the system was lost meanwhile: it may have connected again.
  nonisolated func handedBack(_ slot: Slot) {
    feed.publish { slots.markDraining(slot) ? .draining(slot.system) : nil }
    // This process's own system may have a slot again by now, and may have reported that before this call.
    if slot.system == actorSystem.incarnation, actorSystem.hasSlot { localSystemResumed() }
  }

  /// This process's own system takes tasks again.
  nonisolated func localSystemResumed() {
    let own = actorSystem.incarnation
    feed.publish { slots.markServing(own) ? .serving(own) : nil }
  }

  func left(_ id: Incarnation, reason: String) {
    feed.publish { slots.left(id).map { .disconnected($0, reason: reason) } }
  }
}
