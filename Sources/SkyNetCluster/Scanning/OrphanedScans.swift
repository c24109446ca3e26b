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
/// A scan that is not asked for again must not keep others waiting: it gives way to any other
/// client's call that waits for a slot, and ends when its connection's grace period is over, or when
/// the system stops, as nobody can come for it then. Until a call asks for it, or it ends, it holds its
/// slot, and its message counts as its connection's.
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

  /// A client's connection broke. Returns whether it is one that comes back.
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
  /// - Parameter forgotten: called once when its message is not kept any more, unless `nil` is
  ///   returned.
  func adopt(
    _ call: ScanCall, of client: Incarnation, forgotten: @escaping @Sendable () -> Void
  ) -> OrphanedScan? {
    let orphan = OrphanedScan(call, client: client, forgotten: forgotten)
    let isRunning = call.handOver { outcome in
      orphan.ended(outcome)
      // A scan that failed is to be tried anew.
      if case .failure = outcome { _ = self.take { $0 === orphan } }
    }
    guard isRunning else { return nil }
    add(orphan)
    // It may have failed before it was here.
    if orphan.hasFailed { _ = take { $0 === orphan } }
    return orphan
  }

  private func add(_ orphan: OrphanedScan) {
    let superfluous = state.withLock { state -> OrphanedScan? in
      if state.isClosed { return orphan }
      state.orphans.append(orphan)
      defer { count.store(state.orphans.count, ordering: .releasing) }
      guard state.orphans.count > limit else { return nil }
      let oldest = state.orphans.firstIndex { !$0.isRunning } ?? state.orphans.startIndex
      return state.orphans.remove(at: oldest)
    }
    superfluous?.end()
  }

  /// The scan that a client's call asks for, if it is here; it is that call's from now on.
  func claim(_ message: Message, by client: Incarnation) -> OrphanedScan? {
    guard !isEmpty else { return nil }
    return take { $0.isAsked(for: message, by: client) }
  }

  /// A client's call waits for a slot: of the other clients' scans the oldest ends.
  func giveWay(to client: Incarnation) {
    take { $0.client != client && $0.isRunning }?.call.cancel()
  }

  /// Ends those of these that nobody has claimed.
  func abandon(_ orphans: [OrphanedScan]) {
    for orphan in orphans { take { $0 === orphan }?.call.cancel() }
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
    let taken = state.withLock { state -> OrphanedScan? in
      defer { count.store(state.orphans.count, ordering: .releasing) }
      return state.orphans.firstIndex(where: isWanted).map { state.orphans.remove(at: $0) }
    }
    taken?.forgotten()
    return taken
  }
}

/// One of them.
final class OrphanedScan: Sendable {
  private struct State {
    var outcome: Result<ScanResult, any Error>?
    var answer: ScanCall.WhenDone?
  }

  let client: Incarnation
  let call: ScanCall
  /// To be called when it is not kept any more.
  let forgotten: @Sendable () -> Void
  private let state = Mutex(State())

  init(_ call: ScanCall, client: Incarnation, forgotten: @escaping @Sendable () -> Void) {
    self.call = call
    self.client = client
    self.forgotten = forgotten
  }

  var isRunning: Bool { state.withLock { $0.outcome == nil } }

  var hasFailed: Bool {
    state.withLock { if case .failure = $0.outcome { true } else { false } }
  }

  /// It is not kept any more, and nobody wants it.
  func end() {
    forgotten()
    call.cancel()
  }

  /// Whether its client's call asks for the same scan of the same sector.
  func isAsked(for other: Message, by caller: Incarnation) -> Bool {
    guard caller == client, let message = call.message else { return false }
    return message.bulk == other.bulk && ScanTask.asksForTheSame(message.body, other.body)
  }

  /// Its scan ended.
  func ended(_ outcome: Result<ScanResult, any Error>) {
    let answer = state.withLock { state in
      state.outcome = outcome
      return state.answer
    }
    answer?(outcome)
  }

  /// Tells the outcome to its new caller, at once if it is there.
  func answer(_ whenDone: @escaping ScanCall.WhenDone) {
    let outcome = state.withLock { state in
      state.answer = whenDone
      return state.outcome
    }
    if let outcome { whenDone(outcome) }
  }
}
