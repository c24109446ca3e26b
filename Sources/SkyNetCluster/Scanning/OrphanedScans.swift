import DequeModule
import SkyNetCore
import Synchronization

/// Scans that go on although the connections of their callers broke. A caller that connects again and makes
/// the same call claims its scan: it gets the output of the scan that is running, or has ended meanwhile.
///
/// Connections may be shorter than scans. If each scan ended with its connection, its task would start anew on
/// every new connection, and never be done. The same settings and sector give the same output, so two calls
/// with the same bytes ask for the same scan.
///
/// A broken connection may also mean that the client was killed, and does not come back. So the scans of a
/// client are not kept when its connection breaks for the first time. A second break shows that the client
/// came back after the first.
///
/// A scan that no call claims must not keep other clients waiting. It ends when the call of another client
/// waits for a slot, when the grace period after the broken connection is over, or when the system stops, as
/// no client can come back then. Until it is claimed or ends, it holds its slot, and its message counts
/// against the memory of its connection.
final class OrphanedScans: Sendable {
  /// How many clients with a broken connection are remembered. The oldest one is forgotten first.
  private static let clientLimit = 256

  private struct State {
    /// The kept scans, the oldest first.
    var orphans: [OrphanedScan] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let disconnectedClients = Mutex<Deque<Incarnation>>([])
  /// How many orphans there are. Each call reads the number, without a lock.
  private let count = Atomic<Int>(0)
  /// How many orphans are kept at most, running or ended. The running ones are never more than the slots.
  private let limit: Int

  init(slots: Int) {
    limit = 2 * slots
  }

  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// Notes that a client's connection broke. Returns whether an earlier one had broken, which shows that the
  /// client comes back.
  func noteBrokenConnection(of client: Incarnation) -> Bool {
    disconnectedClients.withLock { clients in
      if clients.contains(client) { return true }
      if clients.count == Self.clientLimit { clients.removeFirst() }
      clients.append(client)
      return false
    }
  }

  /// Keeps the scan of a call that has a slot, and whose caller's connection broke. Returns `nil`, and keeps
  /// nothing, if the caller has its answer.
  ///
  /// - Parameter held: the bytes of the call's message. They are released when the scan is kept no longer.
  func adopt(_ call: ScanCall, holding held: HeldBytes) -> OrphanedScan? {
    guard call.loseCaller() else { return nil }
    let orphan = OrphanedScan(call: call, held: held)
    add(orphan)
    // A scan that failed before it was added was not forgotten then.
    if orphan.hasFailed { forgetFailed() }
    return orphan
  }

  private func add(_ orphan: OrphanedScan) {
    let excess = state.withLock { state -> OrphanedScan? in
      if state.isClosed { return orphan }
      state.orphans.append(orphan)
      defer { count.store(state.orphans.count, ordering: .releasing) }
      guard state.orphans.count > limit else { return nil }
      let oldest = state.orphans.firstIndex(where: \.hasEnded) ?? state.orphans.startIndex
      return state.orphans.remove(at: oldest)
    }
    excess?.end()
  }

  /// Takes out the scan that a client's call asks for; `nil` if it is not kept. It belongs to the new call from
  /// now on.
  func claim(_ message: Message, by client: Incarnation) -> ScanCall? {
    guard !isEmpty else { return nil }
    let claimed = take { $0.matches(message, from: client) }
    claimed?.held.release()
    return claimed?.call
  }

  /// Ends the oldest running scan of the other clients, as a call of this client waits for a slot.
  func giveWay(to client: Incarnation) {
    take { $0.client != client && !$0.hasEnded }?.end()
  }

  /// Drops the scans that failed, so that a new call tries them anew.
  func forgetFailed() {
    while let failed = take(where: \.hasFailed) { failed.held.release() }
  }

  /// Ends those of the given scans that no call has claimed.
  func abandon(_ orphans: [OrphanedScan]) {
    for orphan in orphans { take { $0 === orphan }?.end() }
  }

  /// Keeps orphans again.
  func reopen() { state.withLock { $0.isClosed = false } }

  /// Ends all orphans, and keeps none from now on.
  func close() {
    let left = state.withLock { state in
      state.isClosed = true
      count.store(0, ordering: .releasing)
      defer { state.orphans = [] }
      return state.orphans
    }
    for orphan in left { orphan.end() }
  }

  /// Takes out the oldest scan that meets the condition.
  private func take(where condition: (OrphanedScan) -> Bool) -> OrphanedScan? {
    state.withLock { state in
      defer { count.store(state.orphans.count, ordering: .releasing) }
      return state.orphans.firstIndex(where: condition).map { state.orphans.remove(at: $0) }
    }
  }
}

/// A scan that was kept when its caller's connection broke. If the connection of the call that claims it
/// breaks too, that makes another `OrphanedScan`.
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

  /// Cancels the scan, which no caller can claim any more.
  fileprivate func end() {
    held.release()
    call.cancel()
  }

  /// Whether a call comes from the same client, and asks for the same scan of the same sector.
  fileprivate func matches(_ other: Message, from caller: Incarnation) -> Bool {
    guard caller == client, let message = call.message else { return false }
    return message.bulk == other.bulk && ScanTask.describesSameScan(message.body, other.body)
  }
}

/// The bytes of a call, which count against its connection's memory until they are released. The owner has to
/// release them once.
struct HeldBytes: Sendable {
  let count: Int
  let memory: MemoryBudget.Account?

  func release() { memory?.changeWhole(by: -count) }
}
