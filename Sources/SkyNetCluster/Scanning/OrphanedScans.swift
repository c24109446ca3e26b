import DequeModule
import SkyNetCore
import Synchronization

/// Scans that go on although their callers' connections broke: a caller that connects again and
/// calls the same gets the answer of the scan that is running, or has ended meanwhile.
///
/// Connections may live shorter than scans take. If each scan ended with its connection, its task
/// would start anew on every new one, and never be done. The same settings and sector give the same
/// output, so the call is known by its bytes.
///
/// A client that was killed looks the same, and does not come back. So the first time that a client's
/// connection breaks its scans are not kept; that it breaks a second time shows that it came back.
///
/// A scan that is not asked for again must not keep other clients waiting: it gives way to any other
/// client's call that waits for a slot, and ends when its connection's grace period is over, or when
/// the system stops, as no client can come for it then. Until a call asks for it, or it ends, it holds
/// its slot, and its message counts as its connection's.
final class OrphanedScans: Sendable {
  /// Of so many clients it is known that a connection of theirs broke; the oldest is forgotten.
  private static let clientLimit = 256

  private struct State {
    /// The oldest first.
    var orphans: [OrphanedScan] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let brokenOff = Mutex<Deque<Incarnation>>([])
  /// How many there are, to be looked at with each call without a lock.
  private let count = Atomic<Int>(0)
  /// How many are kept, running or ended. Of those that run there are no more than slots.
  private let limit: Int

  init(slots: Int) {
    limit = 2 * slots
  }

  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// A client's connection broke. Returns whether the client is one that comes back.
  func brokeOff(_ client: Incarnation) -> Bool {
    brokenOff.withLock { clients in
      if clients.contains(client) { return true }
      if clients.count == Self.clientLimit { clients.removeFirst() }
      clients.append(client)
      return false
    }
  }

  /// Keeps a scan whose caller's connection broke. Returns `nil` unless it is running.
  ///
  /// - Parameter held: what its message counts as; released once when the scan is kept no longer,
  ///   unless `nil` is returned.
  func adopt(_ call: ScanCall, holding held: HeldBytes) -> OrphanedScan? {
    guard call.loseCaller() else { return nil }
    let orphan = OrphanedScan(call: call, held: held)
    add(orphan)
    // It may have failed before it was here.
    if orphan.hasFailed { forgetFailed() }
    return orphan
  }

  private func add(_ orphan: OrphanedScan) {
    let superfluous = state.withLock { state -> OrphanedScan? in
      if state.isClosed { return orphan }
      state.orphans.append(orphan)
      defer { count.store(state.orphans.count, ordering: .releasing) }
      guard state.orphans.count > limit else { return nil }
      let oldest = state.orphans.firstIndex(where: \.hasEnded) ?? state.orphans.startIndex
      return state.orphans.remove(at: oldest)
    }
    superfluous?.end()
  }

  /// The scan that a client's call asks for, if it is here; it is that call's from now on.
  func claim(_ message: Message, by client: Incarnation) -> ScanCall? {
    guard !isEmpty else { return nil }
    let claimed = take { $0.isAsked(for: message, by: client) }
    claimed?.held.release()
    return claimed?.call
  }

  /// A client's call waits for a slot: of the other clients' scans the oldest ends.
  func giveWay(to client: Incarnation) {
    take { $0.client != client && !$0.hasEnded }?.end()
  }

  /// Scans that failed are to be tried anew.
  func forgetFailed() {
    while let failed = take(where: \.hasFailed) { failed.held.release() }
  }

  /// Ends those of these that no call has claimed.
  func abandon(_ orphans: [OrphanedScan]) {
    for orphan in orphans { take { $0 === orphan }?.end() }
  }

  /// Ends all of them, and keeps none from now on.
  func close() {
    let left = state.withLock { state in
      state.isClosed = true
      count.store(0, ordering: .releasing)
      defer { state.orphans = [] }
      return state.orphans
    }
    for orphan in left { orphan.end() }
  }

  /// Takes out the oldest such scan.
  private func take(where isWanted: (OrphanedScan) -> Bool) -> OrphanedScan? {
    state.withLock { state in
      defer { count.store(state.orphans.count, ordering: .releasing) }
      return state.orphans.firstIndex(where: isWanted).map { state.orphans.remove(at: $0) }
    }
  }
}

/// One of them. Each time that a call's connection breaks makes another.
final class OrphanedScan: Sendable {
  let call: ScanCall
  let held: HeldBytes

  fileprivate init(call: ScanCall, held: HeldBytes) {
    self.call = call
    self.held = held
  }

  var client: Incarnation { call.context.client }

  var hasEnded: Bool { call.outcomeWithoutCaller != nil }

  var hasFailed: Bool {
    if case .failure = call.outcomeWithoutCaller { true } else { false }
  }

  /// No caller comes for it any more.
  fileprivate func end() {
    held.release()
    call.cancel()
  }

  /// Whether its client's call asks for the same scan of the same sector.
  fileprivate func isAsked(for other: Message, by caller: Incarnation) -> Bool {
    guard caller == client, let message = call.message else { return false }
    return message.bulk == other.bulk && ScanTask.asksForTheSame(message.body, other.body)
  }
}

/// Bytes of a call that count as its connection's until they are released, which is to be done once.
struct HeldBytes: Sendable {
  let count: Int
  let memory: MemoryBudget.Account?

  func release() { memory?.changeWhole(by: -count) }
}
