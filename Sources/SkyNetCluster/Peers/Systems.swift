package import SkyNetCore

/// The actor that decides which systems come and go, and tells of it.
///
/// Slots are taken and freed for each task, from any thread, and so without entering the actor: its
/// ``slots`` have a lock of their own. They also hold the systems that are here.
package actor Systems {
  /// Room for one attempt on a system; to be released once.
  package struct Commitment: Sendable {
    package let slot: Slot
    package let system: ScanSystem
  }

  /// A system came or went.
  package enum Change: Hashable, Sendable {
    case connected(RemoteSystem)
    case disconnected(RemoteSystem, reason: String)
    /// A system takes nothing new, though it is still there. A peer is never given anything again over
    /// this connection; this process's own system may be ``serving(_:)`` again.
    case draining(Incarnation)
    case serving(Incarnation)
  }

  private let actorSystem: ClusterActorSystem
  nonisolated let slots: SlotPool
  private let feed = ChangeFeed()

  /// - Parameter local: this process's own system with its slots, if it is to be used.
  package init(
    actorSystem: ClusterActorSystem, local: ScanSystem? = nil, localSlots: Int = 0,
    clock: any ClusterClock = SteadyClock()
  ) {
    self.actorSystem = actorSystem
    slots = SlotPool(clock: clock)
    guard let local else { return }
    actorSystem.whenServingAgain { [weak self] in self?.servesAgain() }
    slots.joined(
      Roster.Member(
        id: actorSystem.incarnation, name: "local", slots: localSlots,
        scans: actorSystem.registry.kinds, isLocal: true),
      local)
  }

  // MARK: Slots

  /// Commits a slot on the first system that has one for scans of this kind.
  ///
  /// Waits as long as there is none. Systems in `avoiding` are taken only if there is no other.
  ///
  /// - Throws: `CancellationError`.
  package nonisolated func firstAvailableSystem(
    for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal
  ) async throws -> Commitment {
    let commitments = try await availableSystems(
      upTo: 1, for: kind, avoiding: avoiding, priority: priority)
    return commitments[0]
  }

  /// Commits as many slots as there are, at least one and at most `count`.
  package nonisolated func availableSystems(
    upTo count: Int, for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal
  ) async throws -> [Commitment] {
    try await slots.request(upTo: count, for: kind, avoiding: avoiding, priority: priority).value()
  }

  /// Frees a slot. When its system is gone, that changes nothing.
  ///
  /// - Parameter report: what its attempt tells of the system.
  /// - Throws: `IllegalEvent` if the slot was freed before.
  package nonisolated func release(
    _ slot: Slot, _ report: SlotReturn = .unused
  ) throws(IllegalEvent) {
    try slots.release(slot, report)
  }

  // MARK: Which systems are there

  /// The peers that are connected, in the order they came.
  package var connected: [RemoteSystem] { slots.connected }

  /// How many systems, the local one included, can scan this kind.
  package nonisolated func count(for kind: ScanKind) -> Int { slots.count(for: kind) }

  /// Tells which systems are connected, and then of every change, until its consumer stops.
  package func changes() -> AsyncStream<Change> {
    feed.follow {
      slots.connected.map { .connected($0) } + slots.draining.map { .draining($0) }
    }
  }

  // MARK: What its connections tell it

  func joined(_ hello: Hello, at address: String) throws {
    let id = hello.incarnation
    let system = try ScanSystem.resolve(id: id, using: actorSystem)
    let isTaken = hello.name == "local" || slots.connected.contains { $0.name == hello.name }
    let remote = RemoteSystem(
      hello, name: isTaken ? "\(hello.name)@\(address)" : hello.name, address: address)
    let member = Roster.Member(
      id: id, name: remote.name, slots: hello.slots, scans: hello.scans, isLocal: false,
      place: remote.place)
    feed.tell {
      slots.joined(member, system, remote: remote)
      return .connected(remote)
    }
  }

  /// A system says that it takes nothing new.
  nonisolated func draining(_ id: Incarnation) {
    feed.tell { slots.drains(id) ? .draining(id) : nil }
  }

  /// A system has handed back what had this slot, which is not free yet: it takes nothing new. Of a
  /// system that was lost since, and may be back, that tells nothing.
  nonisolated func handedBack(_ slot: Slot) {
    feed.tell { slots.drains(slot) ? .draining(slot.system) : nil }
    // This process's own may have a slot again by now, and have said so before.
    if slot.system == actorSystem.incarnation, actorSystem.hasSlot { servesAgain() }
  }

  /// This process's own system takes scans again.
  nonisolated func servesAgain() {
    let own = actorSystem.incarnation
    feed.tell { slots.serves(own) ? .serving(own) : nil }
  }

  func left(_ id: Incarnation, reason: String) {
    feed.tell { slots.left(id).map { .disconnected($0, reason: reason) } }
  }
}
