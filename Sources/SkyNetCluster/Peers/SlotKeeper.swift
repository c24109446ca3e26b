import SkyNetCore
import Synchronization

/// Keeps all systems' slots, and those who wait for one.
///
/// Which are committed, and who gets the next, is decided by `Roster`.
final class SlotKeeper: Sendable {
  /// What has become of a request that its maker has not heard of.
  private enum Waiter {
    case nobodyYet
    case waits(CheckedContinuation<[Systems.Commitment], any Error>)
    case granted([Systems.Commitment])
  }

  private struct State {
    var roster = Roster()
    var systems: [Incarnation: ScanSystem] = [:]
    var waiters: [SlotRequest.ID: Waiter] = [:]
    var nextRequest: SlotRequest.ID = 0
    /// When a system has rested, as far as ``run()`` knows, and what tells it of an earlier time.
    var rest: (end: Instant?, news: OneShot<Void>) = (nil, OneShot())

    /// What is to be told if the first of those that rest has rested at another time than is known.
    var newsOfRest: OneShot<Void>? { roster.nextWake == rest.end ? nil : rest.news }
  }

  /// Slots that were asked for. They are the maker's as soon as they are granted, so each has
  /// either its ``granted`` looked at or its ``value()`` awaited.
  struct Request: Sendable {
    fileprivate let id: SlotRequest.ID
    fileprivate let keeper: SlotKeeper
    /// What was granted at once.
    let granted: [Systems.Commitment]?

    /// Waits for the slots; at least one.
    ///
    /// - Throws: `CancellationError`.
    func value() async throws -> [Systems.Commitment] {
      if let granted { return granted }
      return try await keeper.value(of: id)
    }
  }

  private let state = Mutex(State())
  private let actorSystem: ClusterActorSystem
  private let clock: any ClusterClock

  init(actorSystem: ClusterActorSystem, clock: any ClusterClock) {
    self.actorSystem = actorSystem
    self.clock = clock
  }

  // MARK: Slots

  func request(
    upTo count: Int, for kind: ScanKind, avoiding: [Incarnation], priority: SlotRequest.Priority,
    caution: SlotRequest.Caution
  ) -> Request {
    let (id, granted) = change { state, grants in
      state.nextRequest += 1
      let request = SlotRequest(
        id: state.nextRequest, kind: kind, count: count, avoiding: avoiding, priority: priority,
        caution: caution)
      grants = state.roster.requested(request)
      guard let own = grants.firstIndex(where: { $0.request == request.id }) else {
        state.waiters[request.id] = .nobodyYet
        return (request.id, nil as [Systems.Commitment]?)
      }
      return (request.id, commitments(grants.remove(at: own).slots, state))
    }
    return Request(id: id, keeper: self, granted: granted)
  }

  /// Frees a slot. Doing so twice, or when its system is gone, changes nothing.
  func release(_ slot: Slot, _ report: SlotReturn, at now: Instant) {
    let news = change { state, grants in
      grants = state.roster.released(slot, report, at: now)
      return state.newsOfRest
    }
    news?.complete(.success(()))
  }

  private func value(of id: SlotRequest.ID) async throws -> [Systems.Commitment] {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<[Systems.Commitment], any Error>? in
          switch state.waiters[id] {
          case .nobodyYet:
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
      // What was granted goes to its maker all the same, who has to free it.
      if case .granted = state.waiters[id] { return nil }
      state.roster.withdrew(id)
      return state.waiters.removeValue(forKey: id)
    }
    if case .waits(let continuation) = waiter {
      continuation.resume(throwing: CancellationError())
    }
  }

  /// Changes the state, and resumes those whose requests are granted by it.
  private func change<Result>(
    _ body: (inout State, inout [Roster.Grant]) -> sending Result
  ) -> sending Result {
    var resumed: [(CheckedContinuation<[Systems.Commitment], any Error>, [Systems.Commitment])] = []
    let result = state.withLock { state in
      var grants: [Roster.Grant] = []
      let result = body(&state, &grants)
      for grant in grants {
        let commitments = commitments(grant.slots, state)
        switch state.waiters[grant.request] {
        case .waits(let continuation):
          state.waiters[grant.request] = nil
          resumed.append((continuation, commitments))
        case .nobodyYet: state.waiters[grant.request] = .granted(commitments)
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
      state.systems[slot.system].map { Systems.Commitment(slot: slot, system: $0) }
    }
  }

  // MARK: Systems

  func has(_ id: Incarnation) -> Bool { state.withLock { $0.systems[id] != nil } }

  func killed(by place: Place) -> [Incarnation] {
    state.withLock { $0.roster.killed(by: place) }
  }

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

  func joined(_ member: Roster.Member, _ system: ScanSystem) {
    let now = clock.now
    let news = change { state, grants in
      state.systems[member.id] = system
      grants = state.roster.joined(member, at: now)
      return state.newsOfRest
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

  func left(_ id: Incarnation) {
    let now = clock.now
    change { state, grants in
      state.systems[id] = nil
      grants = state.roster.left(id, at: now)
    }
  }

  /// Tries systems again that have rested; until cancelled.
  func run() async {
    while !Task.isCancelled {
      let news = OneShot<Void>()
      let end = state.withLock { state in
        state.rest = (state.roster.nextWake, news)
        return state.rest.end
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
