import SkyNetCore
import Synchronization

/// The slots of all systems that are here, and the requests that wait for one. The one place that knows
/// which systems are here, and holds the handles to them.
///
/// `Roster` decides which slots are committed, and which request gets the next.
final class SlotPool: Sendable {
  /// What has become of a request that was not granted at once.
  private enum Waiter {
    /// It is neither granted nor awaited yet.
    case pending
    case waits(CheckedContinuation<[Systems.Commitment], any Error>)
    case granted([Systems.Commitment])
  }

  /// A system that is here. A class, as it is looked up for each task.
  private final class Handle: Sendable {
    let system: ScanSystem
    /// `nil` for this process's own.
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
    var nextRequest: SlotRequest.ID = 0
    /// When the first open circuit breaker is to let an attempt through, as far as ``retryTripped()``
    /// knows, and what tells it of an earlier time.
    var retry: (end: Instant?, news: OneShot<Void>) = (nil, OneShot())

    /// What is to be told if that is another time than ``retryTripped()`` knows.
    var newsOfRetry: OneShot<Void>? { roster.nextWake == retry.end ? nil : retry.news }
  }

  /// Slots that were asked for. They are the maker's as soon as they are granted, so each has
  /// either its ``granted`` looked at or its ``value()`` awaited.
  struct Request: Sendable {
    fileprivate let id: SlotRequest.ID
    fileprivate let pool: SlotPool
    /// What was granted at once.
    let granted: [Systems.Commitment]?

    /// Waits for the slots; at least one.
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
  /// - Parameter avoiding: systems that are taken only if there is no other.
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

  /// Frees a slot. When its system is gone, that changes nothing.
  ///
  /// - Parameters:
  ///   - report: what its attempt tells of the system.
  ///   - now: the time, if the caller has just looked at the clock.
  /// - Throws: `IllegalEvent` if the slot is not committed: it was freed before.
  func release(
    _ slot: Slot, _ report: SlotReturn = .unused, at now: Instant? = nil
  ) throws(IllegalEvent) {
    let now = now ?? clock.now
    let news = try change { state, grants throws(IllegalEvent) in
      grants = try state.roster.released(slot, report, at: now)
      return state.newsOfRetry
    }
    news?.complete(.success(()))
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
          // It was withdrawn.
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
      // What was granted goes to the request's maker all the same, which has to free it.
      if case .granted = state.waiters[id] { return nil }
      state.roster.withdrew(id)
      return state.waiters.removeValue(forKey: id)
    }
    if case .waits(let continuation) = waiter {
      continuation.resume(throwing: CancellationError())
    }
  }

  /// Changes the state, and resumes the callers whose requests are granted by it.
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

  func has(_ id: Incarnation) -> Bool { state.withLock { $0.systems[id] != nil } }

  /// The peers that are connected, in the order they came.
  var connected: [RemoteSystem] {
    state.withLock { state in state.roster.members.compactMap { state.systems[$0.id]?.remote } }
  }

  /// The latest incarnations at a place that the place has killed, and no task.
  func killed(by place: Place) -> [Incarnation] {
    state.withLock { $0.roster.killed(by: place) }
  }

  /// For how much longer this system is given nothing, as those before it died young; `nil` if it
  /// may be given something.
  func pause(of id: Incarnation) -> Duration? {
    let now = clock.now
    return state.withLock { $0.roster.pauseEnd(of: id) }
      .flatMap { $0 > now ? now.duration(to: $0) : nil }
  }

  /// How many systems can scan this kind.
  func count(for kind: ScanKind) -> Int {
    state.withLock { state in
      state.roster.members.count { !$0.isDraining && $0.slots > 0 && $0.scans.contains(kind) }
    }
  }

  /// A system comes.
  ///
  /// - Parameter remote: what is known of it, if it is a peer's.
  func joined(_ member: Roster.Member, _ system: ScanSystem, remote: RemoteSystem? = nil) {
    let now = clock.now
    let news = change { state, grants in
      state.systems[member.id] = Handle(system, remote)
      grants = state.roster.joined(member, at: now)
      return state.newsOfRetry
    }
    news?.complete(.success(()))
  }

  /// A system takes nothing new. Returns whether that is news.
  func drains(_ id: Incarnation) -> Bool {
    change { state, grants in
      guard let member = state.roster.member(id), !member.isDraining else { return false }
      grants = state.roster.draining(id)
      return true
    }
  }

  /// The same for where this slot is, if that has not left since.
  func drains(_ slot: Slot) -> Bool {
    state.withLock { $0.roster.isCommitted(slot) } && drains(slot.system)
  }

  /// A system that took nothing new takes scans again. Returns whether that is news.
  func serves(_ id: Incarnation) -> Bool {
    change { state, grants in
      guard state.roster.member(id)?.isDraining == true else { return false }
      grants = state.roster.serving(id)
      return true
    }
  }

  /// Those that take nothing new.
  var draining: [Incarnation] {
    state.withLock { $0.roster.members.filter(\.isDraining).map(\.id) }
  }

  /// A peer's system goes. Returns what was known of it; `nil` if it was not here.
  func left(_ id: Incarnation) -> RemoteSystem? {
    let now = clock.now
    return change { state, grants in
      guard let remote = state.systems.removeValue(forKey: id)?.remote else { return nil }
      grants = state.roster.left(id, at: now)
      return remote
    }
  }

  /// Lets systems whose circuit breaker is open have an attempt again, each when its time has come; until
  /// cancelled.
  func retryTripped() async {
    while !Task.isCancelled {
      let news = OneShot<Void>()
      let end = state.withLock { state in
        state.retry = (state.roster.nextWake, news)
        return state.retry.end
      }
      await withDiscardingTaskGroup { group in
        if let end {
          group.addTask { [clock] in
            try? await clock.sleep(until: end)
            news.complete(.success(()))
          }
        }
        try? await news.value()
        group.cancelAll()
      }
      let now = clock.now
      change { state, grants in grants = state.roster.woke(at: now) }
    }
  }
}
