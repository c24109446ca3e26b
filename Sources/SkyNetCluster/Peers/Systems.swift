public import SkyNetCore

/// The actor that knows which systems there are, and hands out the first one that has room.
///
/// Slots are taken and freed for each task, from any thread, and so without entering the actor:
/// its `SlotKeeper` has a lock. The actor itself tells of who comes and goes.
public actor Systems {
  /// Room for one attempt on a system; to be released once.
  public struct Commitment: Sendable {
    public let slot: Slot
    public let system: ScanSystem
  }

  /// A system came or went.
  public enum Change: Hashable, Sendable {
    case connected(RemoteSystem)
    case disconnected(RemoteSystem, reason: String)
    /// A system takes nothing new, though it is still there. A peer is never given anything again over
    /// this connection; this process's own system may be ``serving(_:)`` again.
    case draining(Incarnation)
    case serving(Incarnation)
  }

  private let actorSystem: ClusterActorSystem
  private let clock: any ClusterClock
  private let slots: SlotKeeper
  private var remotes: [RemoteSystem] = []
  private let feed = ChangeFeed()

  /// - Parameter local: this process's own system with its slots, if it is to be used.
  public init(
    actorSystem: ClusterActorSystem, local: ScanSystem? = nil, localSlots: Int = 0,
    clock: any ClusterClock = SteadyClock()
  ) {
    self.actorSystem = actorSystem
    self.clock = clock
    slots = SlotKeeper(actorSystem: actorSystem, clock: clock)
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
  public nonisolated func firstAvailableSystem(
    for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal
  ) async throws -> Commitment {
    let commitments = try await availableSystems(
      upTo: 1, for: kind, avoiding: avoiding, priority: priority)
    return commitments[0]
  }

  /// Commits as many slots as there are, at least one and at most `count`.
  public nonisolated func availableSystems(
    upTo count: Int, for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal
  ) async throws -> [Commitment] {
    try await request(upTo: count, for: kind, avoiding: avoiding, priority: priority).value()
  }

  /// Asks for slots, without waiting for them.
  nonisolated func request(
    upTo count: Int, for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal, caution: SlotRequest.Caution = .none
  ) -> SlotKeeper.Request {
    slots.request(
      upTo: count, for: kind, avoiding: avoiding, priority: priority, caution: caution)
  }

  /// Frees a slot. Doing so twice, or when its system is gone, changes nothing.
  ///
  /// - Parameter report: what its attempt tells of the system.
  public nonisolated func release(_ slot: Slot, _ report: SlotReturn = .unused) {
    release(slot, report, at: clock.now)
  }

  /// The same for who has just looked at the clock.
  nonisolated func release(_ slot: Slot, _ report: SlotReturn, at now: Instant) {
    slots.release(slot, report, at: now)
  }

  /// Tries systems again that failed whatever they were given, each when it has rested; until
  /// cancelled.
  func run() async { await slots.run() }

  // MARK: Who is there

  /// The peers that are connected, in the order they came.
  public var connected: [RemoteSystem] { remotes }

  /// The system in this process, if there is one.
  nonisolated var ownSystem: Incarnation? {
    slots.has(actorSystem.incarnation) ? actorSystem.incarnation : nil
  }

  /// How many systems, the local one included, can scan this kind.
  public nonisolated func count(for kind: ScanKind) -> Int { slots.count(for: kind) }

  /// The latest incarnations at a place that the place has killed, and no task.
  nonisolated func killed(by place: Place) -> [Incarnation] { slots.killed(by: place) }

  /// For how much longer this system is given nothing, as those before it died young; `nil` if it
  /// may be given something.
  nonisolated func pause(of id: Incarnation) -> Duration? { slots.pause(of: id) }

  /// Tells who is connected, and then of every change, until its consumer stops.
  public func changes() -> AsyncStream<Change> {
    let present = remotes.map { Change.connected($0) }
    return feed.follow { present + slots.draining.map { Change.draining($0) } }
  }

  /// Where answers of one of the peers arrive; `nil` if there is no such place.
  nonisolated var executor: (any TaskExecutor)? {
    actorSystem.links.lazy.compactMap(\.executor).first
  }

  // MARK: What its connections tell it

  func joined(_ hello: Hello, at address: String) throws {
    let id = hello.incarnation
    let system = try ScanSystem.resolve(id: id, using: actorSystem)
    let isTaken = hello.name == "local" || remotes.contains { $0.name == hello.name }
    let remote = RemoteSystem(
      hello, name: isTaken ? "\(hello.name)@\(address)" : hello.name, address: address)
    remotes.append(remote)
    let member = Roster.Member(
      id: id, name: remote.name, slots: hello.slots, scans: hello.scans, isLocal: false,
      place: remote.place)
    feed.tell {
      slots.joined(member, system)
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
    guard let index = remotes.firstIndex(where: { $0.incarnation == id }) else { return }
    let remote = remotes.remove(at: index)
    feed.tell {
      slots.left(id)
      return .disconnected(remote, reason: reason)
    }
  }
}
