import Distributed
package import SkyNetCore

/// The actor that tracks the systems: which are connected, which of their slots are committed, and who waits for one.
///
/// Connections tell it when a system joins or leaves, and it reports these changes to engagements. `Roster` decides
/// which slots are committed, and which request gets the next one; `Systems+Slots.swift` does what it says.
///
/// ``firstAvailableSystem(for:after:)`` is for programs that hand out their scans themselves.
public actor Systems: EngineActor {
  /// A committed slot, and the system that it is on. The owner has to release the slot once.
  package struct Commitment: Sendable {
    package let slot: Slot
    package let system: ScanSystem
  }

  /// How many slots a system has, and how many of this process's attempts it has been given.
  package struct Load: Hashable, Sendable {
    package let name: String
    package let slots: Int
    /// Some attempts may be sent ahead of a free slot, so there may be more than slots.
    package let inFlight: Int
  }

  package struct Name: Hashable, Sendable {
    package let id: Incarnation
    /// `local` for this process's own system.
    package let text: String

    package init(_ id: Incarnation, _ text: String) { (self.id, self.text) = (id, text) }
  }

  /// A change of the systems, or of the tasks that they take.
  package enum Change: Hashable, Sendable {
    case connected(RemoteSystem)
    /// The system has its full name from now on, since another one of its name is about to connect.
    case renamed(RemoteSystem, from: String)
    /// The connection has ended. If the peer said goodbye, the reason is what it said.
    case disconnected(RemoteSystem, reason: String)
    /// A system takes no new tasks, but is still connected; `by` is the client that asked it to, if it tells
    /// one. Only this process's own system may be ``serving(_:)`` again later.
    case draining(Name, by: String? = nil)
    /// This process's own system takes no new tasks, as a node on the same machine stands in for it.
    case yielding(Name, to: String, nodeSlots: Int, slots: Int)
    case serving(Name)
    /// Nothing has come from a peer for this long, but it does not count as gone yet.
    case silent(RemoteSystem, for: Duration)
    case heard(RemoteSystem)
    /// The system gets no tasks for this long while other systems can scan: it has failed this often in a
    /// row, or, with no failures, earlier systems at its place died young.
    case paused(Name, failures: Int, for: Duration)
    case resumed(Name)
    /// This process's own system scans for the client of this name, whose connection lasts until ``helped(_:)``.
    case helping(String)
    case helped(String)
  }

  /// A system that tasks may be given to.
  struct Member {
    let system: ScanSystem
    /// `nil` for this process's own system.
    var remote: RemoteSystem?
  }

  let actorSystem: ClusterActorSystem
  /// This process's own system; `nil` if the process scans nothing itself.
  nonisolated let local: ScanSystem?
  package nonisolated let executor: any EngineExecutor
  /// As `EngineActor` has it, which is not public.
  public nonisolated let unownedExecutor: UnownedSerialExecutor
  let clock: any ClusterClock
  var roster = Roster()
  var members: [Incarnation: Member] = [:]
  /// The requests that were not granted at once.
  var waiters: [SlotRequest.ID: Waiter] = [:]
  var lastRequest: SlotRequest.ID = 0
  /// ``retryOpenBreakers()`` sleeps until `time`, when the first open circuit breaker lets an attempt through.
  /// `change` is completed to wake it early, when that time has changed.
  private var retry: (time: Instant?, change: OneShot<Void>) = (nil, OneShot())
  private var knownPauses: [Incarnation: Roster.Pause] = [:]
  /// Whether a circuit breaker is not closed, so that an attempt that ends well may change one.
  private(set) var hasOpenBreakers = false
  private var standIns = StandIns()
  /// The slots of this process's own system, if nodes on the same machine stand in for it.
  private let yieldingSlots: Int?
  /// The names of the clients that this process's own system has scanned for, as long as they are connected.
  private var helpedClients: [Incarnation: String] = [:]
  private var followers: [AsyncStream<Change>.Continuation] = []

  /// - Parameters:
  ///   - local: this process's own system; `nil` to use only those of peers.
  ///   - yieldsToNodesHere: whether nodes on the same machine stand in for that system. Scans that leave the
  ///     processor idle have room on both, and no node stands in for them.
  package init(
    actorSystem: ClusterActorSystem, local: ScanSystem? = nil, localSlots: Int = 0,
    yieldsToNodesHere: Bool = false, clock: any ClusterClock = SteadyClock()
  ) {
    self.actorSystem = actorSystem
    self.local = local
    executor = actorSystem.executor
    unownedExecutor = executor.asUnownedSerialExecutor()
    self.clock = clock
    let isCrowded = yieldsToNodesHere && actorSystem.registry.keepsProcessorBusy
    yieldingSlots = isCrowded && local != nil ? localSlots : nil
    guard let local else { return }
    members[local.id] = Member(system: local)
    _ = roster.joined(
      Roster.Member(
        id: local.id, name: "local", slots: localSlots,
        scans: actorSystem.registry.kinds, isLocal: true), at: clock.now)
    local.tell { [weak self] local in
      local.whenResumed = { [weak self] in self?.here { $0.localSystemResumed() } }
    }
  }

  // MARK: The connected systems

  /// The connected peers, in the order in which they joined.
  package var connected: [RemoteSystem] { roster.members.compactMap { members[$0.id]?.remote } }

  /// - Throws: ``ConnectionLost`` if the peer is not connected any more.
  func system(of peer: RemoteSystem) throws(ConnectionLost) -> ScanSystem {
    guard let member = members[peer.incarnation] else { throw .notConnected }
    return member.system
  }

  /// How busy this process keeps each system, in the order in which they joined.
  package var loads: [Load] {
    roster.members.map { member in
      Load(
        name: members[member.id]?.remote?.name ?? member.name, slots: member.slots,
        inFlight: member.inFlight)
    }
  }

  var draining: [Name] { roster.members.filter(\.isDraining).map { name(of: $0.id) } }

  func name(of id: Incarnation) -> Name { Name(id, members[id]?.remote?.name ?? "local") }

  /// How many systems take scans of this kind for a run, and how many more would, but were asked to drain.
  func counts(for kind: ScanKind, of run: RunID) -> (serving: Int, drained: Int) {
    let suited = roster.members.filter {
      $0.slots > 0 && $0.scans.contains(kind) && !roster.isUnsuited($0.id, for: run)
    }
    return (
      suited.count { !$0.isDraining },
      suited.count { if case .asked = $0.drain { true } else { false } }
    )
  }

  /// No scan of the run can run on this system, as one has found there. The run gets no more of its slots.
  func foundUnsuited(_ id: Incarnation, for run: RunID) {
    grant(roster.foundUnsuited(id, for: run))
    // It does not do the work of this process's own system.
    if yieldingSlots != nil { changeStandIns { $0.left(id) } }
  }

  /// The run has ended.
  func ended(_ run: RunID) { roster.ended(run) }

  // MARK: Changes

  /// Yields the systems that are connected, and then every change, until the stream's consumer stops.
  package func changes() -> AsyncStream<Change> {
    let (stream, follower) = AsyncStream.makeStream(of: Change.self)
    for remote in connected { follower.yield(.connected(remote)) }
    for name in helpedClients.values.sorted() { follower.yield(.helping(name)) }
    for member in roster.members {
      guard let drain = member.drain else { continue }
      let standIn = member.isLocal ? standIns.active : nil
      follower.yield(
        standIn.map { yielding(member.id, to: $0) }
          ?? .draining(name(of: member.id), by: drain.client))
    }
    followers.append(follower)
    return stream
  }

  private func report(_ change: Change) {
    followers.removeAll { if case .terminated = $0.yield(change) { true } else { false } }
  }

  // MARK: Events of connections

  /// - Parameter connections: has the connection to the system, if the peer has opened it to the node that lends this
  ///   process's own system.
  func joined(
    _ hello: Hello, at address: String, over connections: ClusterActorSystem? = nil
  ) throws {
    let id = hello.incarnation
    // A node may dial this process and be dialled by it. The second connection is a spare one.
    guard members[id] == nil else { return }
    let system = try ScanSystem.resolve(id: id, using: connections ?? actorSystem)
    let namesakes = connected.filter { $0.place.name == hello.name }
    let isTaken = hello.name == "local" || !namesakes.isEmpty
    let peer = RemoteSystem(hello, name: hello.name, address: address)
    let remote = isTaken ? peer.withFullName() : peer
    for first in namesakes where first.name == hello.name {
      members[first.incarnation]?.remote = first.withFullName()
      report(.renamed(first.withFullName(), from: first.name))
    }
    members[id] = Member(system: system, remote: remote)
    let member = Roster.Member(
      id: id, name: remote.name, slots: hello.slots, scans: hello.scans, isLocal: false,
      place: remote.place)
    // An engagement hears of a system before it gets the slots.
    report(.connected(remote))
    grant(roster.joined(member, at: clock.now))
    // A node whose processes die young is paused from the beginning, and does not stand in.
    breakersChanged()
    if standsIn(hello) { changeStandIns { $0.joined(id) } }
  }

  func draining(_ id: Incarnation, by client: String? = nil) {
    changeStandIns { $0.left(id) }
    if markDraining(id, by: client) { report(.draining(name(of: id), by: client)) }
  }

  /// A peer is silent for this long, or has sent something again.
  func silent(_ id: Incarnation, for silence: Duration?) {
    guard let remote = members[id]?.remote else { return }
    report(silence.map { .silent(remote, for: $0) } ?? .heard(remote))
  }

  /// A client has this process's own system scan for it.
  func helping(_ client: Hello) {
    if helpedClients.updateValue(client.name, forKey: client.incarnation) == nil {
      report(.helping(client.name))
    }
  }

  /// A system has handed back the call on this slot, which shows that it takes no new tasks. The slot is still
  /// committed. Has no effect if the system was lost meanwhile: it may have connected again.
  func handedBack(_ slot: Slot) {
    guard roster.isCommitted(slot) else { return }
    draining(slot.system)
    // This process's own system may have a slot again by now, and may have reported that before this call.
    if slot.system == local?.id, localHasSlot { localSystemResumed() }
  }

  private func localSystemResumed() { if standIns.active == nil { localServes() } }

  private func localServes() {
    if let local, markServing(local.id) { report(.serving(name(of: local.id))) }
  }

  /// Whether this process's own system takes scans. It does not while it drains, nor while scans that ignore their
  /// cancellation hold all of its slots.
  private var localHasSlot: Bool { local?.here { $0.queue.isOpen } ?? false }

  /// A system's connection has ended, or that of a client.
  ///
  /// - Parameter inOrder: whether one of the two sides said goodbye.
  /// - Returns: whether it was that of a system.
  @discardableResult
  func left(
    _ id: Incarnation, reason: String, inOrder: Bool = false,
    over connections: ClusterActorSystem? = nil
  ) -> Bool {
    if let client = helpedClients.removeValue(forKey: id) { report(.helped(client)) }
    guard let member = members[id], member.system.actorSystem === connections ?? actorSystem else {
      return false
    }
    // If the last stand-in is lost, this process's own system serves again before anybody hears of the loss: there is
    // no moment without a system.
    changeStandIns { $0.left(id) }
    guard let remote = members.removeValue(forKey: id)?.remote else { return false }
    let grants = roster.left(id, inOrder: inOrder, at: clock.now)
    report(.disconnected(remote, reason: reason))
    grant(grants)
    return true
  }

  /// Grants no more slots of a system, which takes no new tasks. Returns whether that is news, or who asked for it.
  private func markDraining(_ id: Incarnation, by client: String? = nil) -> Bool {
    guard let member = roster.member(id),
      member.drain == nil || member.drain == .leaving && client != nil
    else { return false }
    grant(roster.draining(id, by: client))
    return true
  }

  /// Grants slots of a draining system again. Returns whether the system was draining.
  private func markServing(_ id: Incarnation) -> Bool {
    guard roster.member(id)?.isDraining == true else { return false }
    grant(roster.serving(id))
    return true
  }

  // MARK: Nodes that stand in for the own system

  /// Whether a peer does the work of this process's own system, here and with all of its scans.
  private func standsIn(_ hello: Hello) -> Bool {
    guard yieldingSlots != nil, hello.slots > 0, let namespace = hello.networkNamespace else {
      return false
    }
    return namespace == actorSystem.hello.networkNamespace
      && actorSystem.registry.kinds.allSatisfy(hello.scans.contains)
  }

  private func yielding(_ own: Incarnation, to standIn: Incarnation) -> Change {
    let node = members[standIn]?.remote
    return .yielding(
      name(of: own), to: node?.name ?? "a node", nodeSlots: node?.slots ?? 0,
      slots: yieldingSlots ?? 0)
  }

  /// Has this process's own system yield or serve, as its stand-ins now call for.
  private func changeStandIns(_ event: (inout StandIns) -> StandIns.Change?) {
    switch event(&standIns) {
    case .yields:
      guard let own = local?.id, let active = standIns.active else { return }
      _ = markDraining(own)
      report(yielding(own, to: active))
    case .serves: if localHasSlot { localServes() }
    case nil: break
    }
  }

  // MARK: Circuit breakers

  /// Some circuit breakers may have opened or closed. A stand-in that is paused stands in for nothing.
  func breakersChanged() {
    let unwell = Set(roster.unwell)
    hasOpenBreakers = !unwell.isEmpty
    if yieldingSlots != nil { changeStandIns { $0.setUnwell(unwell) } }
    let now = clock.now
    let pauses = roster.pauses.filter { $0.end > now }
    let former = knownPauses
    knownPauses = Dictionary(uniqueKeysWithValues: pauses.map { ($0.id, $0) })
    for pause in pauses where former[pause.id]?.end != pause.end {
      report(
        .paused(name(of: pause.id), failures: pause.failures, for: now.duration(to: pause.end)))
    }
    for id in former.keys where knownPauses[id] == nil && members[id] != nil {
      report(.resumed(name(of: id)))
    }
  }

  func adjustRetry() {
    let nextWake = inPlace(&roster) { $0.nextWake }
    if nextWake != retry.time { retry.change.complete(.success(())) }
  }

  /// Makes each open circuit breaker half-open when its time has come, until the caller's task is cancelled:
  /// the breaker's system then gets an attempt again.
  func retryOpenBreakers() async {
    while !Task.isCancelled {
      let (time, change) = (roster.nextWake, OneShot<Void>())
      retry = (time, change)
      if let time {
        _ = try? await clock.attempt(until: time) { try await change.value() }
      } else {
        try? await change.value()
      }
      grant(roster.woke(at: clock.now))
      breakersChanged()
    }
  }
}
