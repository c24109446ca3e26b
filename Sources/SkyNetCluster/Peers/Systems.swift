public import SkyNetCore

/// The actor that knows which systems there are, and hands out the first one that has room.
///
/// Which slots are committed and who gets the next is decided by `Roster`; this actor keeps those
/// who wait, and tells of who comes and goes.
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
  }

  private typealias Waiter = CheckedContinuation<[Slot], any Error>

  private let actorSystem: ClusterActorSystem
  private let clock: any ClusterClock
  private var roster = Roster()
  private var systems: [Incarnation: ScanSystem] = [:]
  private var remotes: [RemoteSystem] = []
  private var waiters: [SlotRequest.ID: Waiter] = [:]
  private var nextRequest: SlotRequest.ID = 0
  private var departures: [Incarnation: OneShot<Void>] = [:]
  private var watchers: [Int: AsyncStream<Change>.Continuation] = [:]
  private var nextWatcher = 0
  /// When a system has rested, as far as ``run()`` knows, and what tells it of an earlier time.
  private var rest: (end: Instant?, news: OneShot<Void>) = (nil, OneShot())

  /// - Parameter local: this process's own system with its slots, if it is to be used.
  public init(
    actorSystem: ClusterActorSystem, local: ScanSystem? = nil, localSlots: Int = 0,
    clock: any ClusterClock = SteadyClock()
  ) {
    self.actorSystem = actorSystem
    self.clock = clock
    guard let local else { return }
    let id = actorSystem.incarnation
    systems[id] = local
    _ = roster.joined(
      Roster.Member(
        id: id, name: "local", slots: localSlots, scans: actorSystem.registry.kinds, isLocal: true)
    )
  }

  // MARK: Slots

  /// Commits a slot on the first system that has one for scans of this kind.
  ///
  /// Waits as long as there is none. Systems in `avoiding` are taken only if there is no other.
  ///
  /// - Throws: `CancellationError`.
  public func firstAvailableSystem(
    for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal
  ) async throws -> Commitment {
    let commitments = try await availableSystems(
      upTo: 1, for: kind, avoiding: avoiding, priority: priority)
    return commitments[0]
  }

  /// Commits as many slots as there are, at least one and at most `count`.
  public func availableSystems(
    upTo count: Int, for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal
  ) async throws -> [Commitment] {
    nextRequest += 1
    let request = SlotRequest(
      id: nextRequest, kind: kind, count: count, avoiding: avoiding, priority: priority)
    let slots = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        if Task.isCancelled { return waiter.resume(throwing: CancellationError()) }
        waiters[request.id] = waiter
        resume(roster.requested(request))
      }
    } onCancel: {
      Task { await withdraw(request.id) }
    }
    return try slots.map { slot in
      Commitment(slot: slot, system: try system(slot.system))
    }
  }

  /// Frees a slot. Doing so twice, or when its system is gone, changes nothing.
  ///
  /// - Parameter report: what its attempt tells of the system.
  public func release(_ slot: Slot, _ report: SlotReturn = .unused) {
    resume(roster.released(slot, report, at: clock.now))
    if roster.nextWake != rest.end { rest.news.complete(.success(())) }
  }

  /// Tries systems again that failed whatever they were given, each when it has rested; until
  /// cancelled.
  func run() async {
    while !Task.isCancelled {
      let news = OneShot<Void>()
      rest = (roster.nextWake, news)
      await withDiscardingTaskGroup { group in
        if let end = rest.end {
          group.addTask { [clock] in
            try? await clock.sleep(until: end)
            news.complete(.success(()))
          }
        }
        try? await news.value()
        group.cancelAll()
      }
      resume(roster.woke(at: clock.now))
    }
  }

  private func withdraw(_ request: SlotRequest.ID) {
    roster.withdrew(request)
    waiters.removeValue(forKey: request)?.resume(throwing: CancellationError())
  }

  private func resume(_ grants: [Roster.Grant]) {
    for grant in grants {
      waiters.removeValue(forKey: grant.request)?.resume(returning: grant.slots)
    }
  }

  /// A system that left between a slot's grant and its use still has an actor to call: the call
  /// fails, as it would have a moment later.
  private func system(_ id: Incarnation) throws -> ScanSystem {
    try systems[id] ?? ScanSystem.resolve(id: id, using: actorSystem)
  }

  // MARK: Who is there

  /// The peers that are connected, in the order they came.
  public var connected: [RemoteSystem] { remotes }

  /// The system in this process, if there is one.
  var ownSystem: Incarnation? {
    systems[actorSystem.incarnation].map { _ in actorSystem.incarnation }
  }

  /// How many systems, the local one included, can scan this kind.
  public func count(for kind: ScanKind) -> Int {
    roster.members.count { !$0.isDraining && $0.slots > 0 && $0.scans.contains(kind) }
  }

  /// Returns when this peer is not connected, or its caller is cancelled.
  func departure(of id: Incarnation) async {
    guard systems[id] != nil, id != actorSystem.incarnation else { return }
    let departure = departures[id] ?? OneShot()
    departures[id] = departure
    try? await departure.value()
  }

  /// Tells who is connected, and then of every change, until its consumer stops.
  public func changes() -> AsyncStream<Change> {
    let (stream, continuation) = AsyncStream.makeStream(of: Change.self)
    nextWatcher += 1
    let watcher = nextWatcher
    watchers[watcher] = continuation
    continuation.onTermination = { _ in Task { await self.removeWatcher(watcher) } }
    for remote in remotes { continuation.yield(.connected(remote)) }
    return stream
  }

  private func removeWatcher(_ watcher: Int) {
    watchers[watcher] = nil
  }

  private func tell(_ change: Change) {
    for watcher in watchers.values { watcher.yield(change) }
  }

  // MARK: What its connections tell it

  func joined(_ hello: Hello, at address: String) throws {
    let id = hello.incarnation
    systems[id] = try ScanSystem.resolve(id: id, using: actorSystem)
    let isTaken = hello.name == "local" || remotes.contains { $0.name == hello.name }
    let remote = RemoteSystem(
      hello, name: isTaken ? "\(hello.name)@\(address)" : hello.name, address: address)
    remotes.append(remote)
    resume(
      roster.joined(
        Roster.Member(
          id: id, name: remote.name, slots: hello.slots, scans: hello.scans, isLocal: false)))
    tell(.connected(remote))
  }

  func draining(_ id: Incarnation) {
    resume(roster.draining(id))
  }

  func left(_ id: Incarnation, reason: String) {
    guard let index = remotes.firstIndex(where: { $0.incarnation == id }) else { return }
    let remote = remotes.remove(at: index)
    systems[id] = nil
    resume(roster.left(id))
    departures.removeValue(forKey: id)?.complete(.success(()))
    tell(.disconnected(remote, reason: reason))
  }
}
