import SkyNetCore
import Synchronization

/// The slots of the systems that tasks may be given to, and the requests that wait for slots. The pool holds
/// the actors to call these systems by; ``ClusterActorSystem`` holds the connections.
///
/// `Roster` decides which slots are committed, and which request gets the next one.
final class SlotPool: Sendable {
  /// The state of a request that was not granted at once.
  private enum Waiter {
    /// The request is not granted, and its maker does not wait yet.
    case pending
    case waits(CheckedContinuation<[Systems.Commitment], any Error>)
    /// The request was granted before its maker began to wait.
    case granted([Systems.Commitment])
  }

  /// A connected system. It is a class because each task looks one up.
  private final class Handle: Sendable {
    let system: ScanSystem
    /// `nil` for this process's own system.
    let remote: RemoteSystem?

    init(_ system: ScanSystem, _ remote: RemoteSystem?) {
      self.system = system
      self.remote = remote
    }
  }

  private struct State {
    var roster = Roster()
    var systems: [Incarnation: Handle] = [:]
    var waiters: [SlotRequest.ID: Waiter] = [:]
    /// The clients that asked systems to drain, as these systems told.
    var drainingClients: [Incarnation: String] = [:]
    var nextRequest: SlotRequest.ID = 0
    /// ``retryOpenBreakers()`` sleeps until `time`, when the first open circuit breaker lets an attempt
    /// through. `change` is completed to wake it early, when that time has changed.
    var retry: (time: Instant?, change: OneShot<Void>) = (nil, OneShot())
    /// The pauses that ``takePauseChanges()`` has returned.
    var knownPauses: [Incarnation: Roster.Pause] = [:]
    /// The systems that ``takeUnwell()`` has returned.
    var knownUnwell: Set<Incarnation> = []
    /// Called when an attempt's end may have changed a circuit breaker. In a `Mutex` of its own, each
    /// look at it would wrap it in two more functions, for good: generic code has closures in another form.
    var pauseHandler: (@Sendable () -> Void)?

    /// The one-shot to complete if ``retryOpenBreakers()`` sleeps for another time than it should; `nil` if
    /// it sleeps for the right one.
    var retryChange: OneShot<Void>? { roster.nextWake == retry.time ? nil : retry.change }
  }

  /// A request for slots. The slots belong to its maker as soon as they are granted, so the maker has to look
  /// at ``granted`` or to await ``value()``.
  struct Request: Sendable {
    fileprivate let id: SlotRequest.ID
    fileprivate let pool: SlotPool
    /// The slots that were granted at once; `nil` if the request has to wait.
    let granted: [Systems.Commitment]?

    /// Waits for the slots. There is at least one.
    ///
    /// - Throws: `CancellationError`.
    func value() async throws -> [Systems.Commitment] {
      if let granted { return granted }
      return try await pool.value(of: id)
    }
  }

  private let state = Mutex(State())
  private let clock: any ClusterClock

  init(clock: any ClusterClock) {
    self.clock = clock
  }

  // MARK: Slots

  /// Asks for slots, without waiting for them.
  ///
  /// - Parameter avoiding: systems whose slots are granted only if no other system has one.
  func request(
    upTo count: Int, for kind: ScanKind, avoiding: [Incarnation] = [],
    priority: SlotRequest.Priority = .normal, caution: SlotRequest.Caution = .none
  ) -> Request {
    let (id, granted) = change { state, grants in
      state.nextRequest += 1
      let request = SlotRequest(
        id: state.nextRequest, kind: kind, count: count, avoiding: avoiding, priority: priority,
        caution: caution)
      grants = state.roster.requested(request)
      guard let own = grants.firstIndex(where: { $0.request == request.id }) else {
        state.waiters[request.id] = .pending
        return (request.id, nil as [Systems.Commitment]?)
      }
      return (request.id, commitments(grants.remove(at: own).slots, state))
    }
    return Request(id: id, pool: self, granted: granted)
  }

  /// Frees a slot. Has no effect if the slot's system is gone.
  ///
  /// - Parameters:
  ///   - report: what the attempt on the slot says about its system.
  ///   - now: the time, if the caller has just looked at the clock.
  /// - Throws: `IllegalEvent` if the slot is not committed, which means that it was freed before.
  func release(
    _ slot: Slot, _ report: SlotReturn = .unused, at now: Instant? = nil
  ) throws(IllegalEvent) {
    let now = now ?? clock.now
    let (retryChange, pauseHandler) = try change { state, grants throws(IllegalEvent) in
      grants = try state.roster.released(slot, report, at: now)
      let mayPause =
        report == .failed || !state.knownPauses.isEmpty || !state.knownUnwell.isEmpty
      return (state.retryChange, mayPause ? state.pauseHandler : nil)
    }
    retryChange?.complete(.success(()))
    pauseHandler?()
  }

  private func value(of id: SlotRequest.ID) async throws -> [Systems.Commitment] {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<[Systems.Commitment], any Error>? in
          switch state.waiters[id] {
          case .pending:
            state.waiters[id] = .waits(continuation)
            return nil
          case .granted(let commitments):
            state.waiters[id] = nil
            return .success(commitments)
          // The request was withdrawn.
          case .waits, nil: return .failure(CancellationError())
          }
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      withdraw(id)
    }
  }

  private func withdraw(_ id: SlotRequest.ID) {
    let waiter = state.withLock { state -> Waiter? in
      // The maker of the request still gets slots that were granted, and has to free them.
      if case .granted = state.waiters[id] { return nil }
      state.roster.withdrew(id)
      return state.waiters.removeValue(forKey: id)
    }
    if case .waits(let continuation) = waiter {
      continuation.resume(throwing: CancellationError())
    }
  }

  /// Changes the state, and resumes the callers whose requests are granted by that.
  private func change<Result, Failure: Error>(
    _ body: (inout State, inout [Roster.Grant]) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    var resumed: [(CheckedContinuation<[Systems.Commitment], any Error>, [Systems.Commitment])] = []
    let result = try state.withLock { state throws(Failure) in
      var grants: [Roster.Grant] = []
      let result = try body(&state, &grants)
      for grant in grants {
        let commitments = commitments(grant.slots, state)
        switch state.waiters[grant.request] {
        case .waits(let continuation):
          state.waiters[grant.request] = nil
          resumed.append((continuation, commitments))
        case .pending: state.waiters[grant.request] = .granted(commitments)
        case .granted, nil: break
        }
      }
      return result
    }
    for (continuation, commitments) in resumed { continuation.resume(returning: commitments) }
    return result
  }

  private func commitments(_ slots: [Slot], _ state: State) -> [Systems.Commitment] {
    slots.compactMap { slot in
      state.systems[slot.system].map { Systems.Commitment(slot: slot, system: $0.system) }
    }
  }

  // MARK: Systems

  func contains(_ id: Incarnation) -> Bool { state.withLock { $0.systems[id] != nil } }

  /// How many slots a system has; `nil` if it is not there.
  func slots(of id: Incarnation) -> Int? { state.withLock { $0.roster.member(id)?.slots } }

  /// The connected peers, in the order in which they joined.
  var connected: [RemoteSystem] {
    state.withLock { state in state.roster.members.compactMap { state.systems[$0.id]?.remote } }
  }

  /// A system is known by its full name from now on. Returns it; `nil` if it is not there any more.
  func giveFullName(to id: Incarnation) -> RemoteSystem? {
    state.withLock { state in
      guard let handle = state.systems[id], let remote = handle.remote?.withFullName() else {
        return nil
      }
      state.systems[id] = Handle(handle.system, remote)
      return remote
    }
  }

  /// How busy this engagement's process keeps each system, in the order in which they joined.
  var loads: [Systems.Load] {
    state.withLock { state in
      state.roster.members.map { member in
        Systems.Load(
          name: state.systems[member.id]?.remote?.name ?? member.name, slots: member.slots,
          inFlight: member.inFlight)
      }
    }
  }

  /// The latest incarnations at a place whose deaths are the fault of the place, and not of a task.
  func incarnationsKilled(by place: Place) -> [Incarnation] {
    state.withLock { $0.roster.killed(by: place) }
  }

  // MARK: Pauses

  /// Sets the closure to call when an attempt's end may have changed a circuit breaker.
  func setPauseHandler(_ handler: @escaping @Sendable () -> Void) {
    state.withLock { $0.pauseHandler = handler }
  }

  /// The pauses that have begun or ended since the last call.
  func takePauseChanges() -> [Systems.Change] {
    let now = clock.now
    return state.withLock { state in
      let pauses = state.roster.pauses.filter { $0.end > now }
      let begun = pauses.filter { state.knownPauses[$0.id]?.end != $0.end }
      let ended = state.knownPauses.keys.filter { id in !pauses.contains { $0.id == id } }
      state.knownPauses = Dictionary(uniqueKeysWithValues: pauses.map { ($0.id, $0) })
      return begun.map { .paused($0.id, failures: $0.failures, for: now.duration(to: $0.end)) }
        + ended.filter { state.systems[$0] != nil }.map { .resumed($0) }
    }
  }

  /// The systems whose circuit breakers are not closed.
  func takeUnwell() -> Set<Incarnation> {
    state.withLock { state in
      state.knownUnwell = Set(state.roster.unwell)
      return state.knownUnwell
    }
  }

  /// How many systems take scans of this kind, and how many more would, but were asked to drain.
  func counts(for kind: ScanKind) -> (serving: Int, drained: Int) {
    state.withLock { state in
      let suited = state.roster.members.filter { $0.slots > 0 && $0.scans.contains(kind) }
      let serving = suited.count { !$0.isDraining }
      let drained = suited.count { $0.isDraining && state.drainingClients[$0.id] != nil }
      return (serving, drained)
    }
  }

  /// How many systems take scans of this kind.
  func count(for kind: ScanKind) -> Int { counts(for: kind).serving }

  /// A system has joined.
  ///
  /// - Parameter remote: the peer; `nil` for this process's own system.
  func joined(_ member: Roster.Member, _ system: ScanSystem, remote: RemoteSystem? = nil) {
    let now = clock.now
    let retryChange = change { state, grants in
      state.systems[member.id] = Handle(system, remote)
      grants = state.roster.joined(member, at: now)
      return state.retryChange
    }
    retryChange?.complete(.success(()))
  }

  /// Grants no more slots of a system, which takes no new tasks. Returns whether the system was not draining
  /// before, or is now known to be asked to.
  func markDraining(_ id: Incarnation, by client: String? = nil) -> Bool {
    change { state, grants in
      guard let member = state.roster.member(id) else { return false }
      let isNews = client != nil && state.drainingClients[id] == nil
      guard !member.isDraining || isNews else { return false }
      if let client { state.drainingClients[id] = client }
      grants = state.roster.draining(id, isAsked: client != nil)
      return true
    }
  }

  /// Grants no more slots of the system that a committed slot is on. Returns whether that system was not
  /// draining before. Has no effect if the system has left meanwhile.
  func markDraining(_ slot: Slot) -> Bool {
    contains(slot) && markDraining(slot.system)
  }

  /// Whether a slot is still committed: its system has not left, nor has it come back.
  func contains(_ slot: Slot) -> Bool { state.withLock { $0.roster.isCommitted(slot) } }

  /// Grants slots of a draining system again. Returns whether the system was draining.
  func markServing(_ id: Incarnation) -> Bool {
    change { state, grants in
      guard state.roster.member(id)?.isDraining == true else { return false }
      state.drainingClients[id] = nil
      grants = state.roster.serving(id)
      return true
    }
  }

  /// The systems that take no new tasks, each with the client that asked for that, if it told one.
  var draining: [(id: Incarnation, client: String?)] {
    state.withLock { state in
      state.roster.members.filter(\.isDraining).map { ($0.id, state.drainingClients[$0.id]) }
    }
  }

  /// A peer has left. Returns the peer; `nil` if it was not connected.
  ///
  /// - Parameter inOrder: whether one of the two sides said goodbye.
  func left(_ id: Incarnation, inOrder: Bool) -> RemoteSystem? {
    let now = clock.now
    return change { state, grants in
      guard let remote = state.systems.removeValue(forKey: id)?.remote else { return nil }
      state.drainingClients[id] = nil
      grants = state.roster.left(id, inOrder: inOrder, at: now)
      return remote
    }
  }

  /// Makes each open circuit breaker half-open when its time has come, until the caller's task is cancelled:
  /// the breaker's system then gets an attempt again.
  func retryOpenBreakers() async {
    while !Task.isCancelled {
      let change = OneShot<Void>()
      let time = state.withLock { state in
        state.retry = (state.roster.nextWake, change)
        return state.retry.time
      }
      await withDiscardingTaskGroup { group in
        if let time {
          group.addTask { [clock] in
            try? await clock.sleep(until: time)
            change.complete(.success(()))
          }
        }
        try? await change.value()
        group.cancelAll()
      }
      let now = clock.now
      let pauseHandler = self.change { state, grants in
        grants = state.roster.woke(at: now)
        return state.pauseHandler
      }
      pauseHandler?()
    }
  }
}
