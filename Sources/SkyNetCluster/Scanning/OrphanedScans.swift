import DequeModule
import SkyNetCore

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
struct OrphanedScans {
  /// How many clients with a broken connection are remembered. The oldest one is forgotten first.
  private static let clientLimit = 256

  /// The kept scans, the oldest first.
  private var orphans: [OrphanedScan] = []
  private var isClosed = false
  private var disconnectedClients: Deque<Incarnation> = []
  /// How many orphans are kept at most, running or ended. The running ones are never more than the slots.
  private let limit: Int

  init(slots: Int) { limit = 2 * slots }

  var isEmpty: Bool { orphans.isEmpty }

  /// Notes that a client's connection broke. Returns whether an earlier one had broken, which shows that the
  /// client comes back.
  mutating func noteBrokenConnection(of client: Incarnation) -> Bool {
    if disconnectedClients.contains(client) { return true }
    if disconnectedClients.count == Self.clientLimit { disconnectedClients.removeFirst() }
    disconnectedClients.append(client)
    return false
  }

  /// Keeps the scan of a call that has a slot, and whose caller's connection broke.
  ///
  /// - Parameter held: the bytes of the call's message. They are released when the scan is kept no longer.
  /// - Returns: whether the caller had no answer; if it had one, nothing is kept. With it the call to cancel, as too
  ///   many are kept, or none any more.
  mutating func adopt(
    _ call: ScanCall, holding held: HeldBytes
  ) -> (isKept: Bool, excess: ScanCall?) {
    guard call.loseCaller() else { return (false, nil) }
    let orphan = OrphanedScan(call: call, held: held)
    if isClosed { return (true, orphan.released) }
    orphans.append(orphan)
    guard orphans.count > limit else { return (true, nil) }
    let oldest = orphans.firstIndex(where: \.hasEnded) ?? orphans.startIndex
    return (true, orphans.remove(at: oldest).released)
  }

  /// Takes out the scan that a client's call asks for; `nil` if it is not kept. It belongs to the new call from
  /// now on.
  mutating func claim(_ message: Message, by client: Incarnation) -> ScanCall? {
    take { $0.matches(message, from: client) }
  }

  /// Takes out the oldest running scan of the other clients, as a call of this client waits for a slot.
  mutating func giveWay(to client: Incarnation) -> ScanCall? {
    take { $0.call.context.client != client && !$0.hasEnded }
  }

  /// Drops the scans that failed, so that a new call tries them anew.
  mutating func forgetFailed() { while take(where: \.hasFailed) != nil {} }

  /// Takes out the scan of the call of this number, if no call has claimed it.
  mutating func abandon(_ number: UInt64) -> ScanCall? { take { $0.call.number == number } }

  /// Keeps orphans again.
  mutating func reopen() { isClosed = false }

  /// Takes out all orphans, and keeps none from now on.
  mutating func close() -> [ScanCall] {
    isClosed = true
    defer { orphans = [] }
    return orphans.map(\.released)
  }

  /// Takes out the oldest scan that meets the condition, and releases its bytes.
  private mutating func take(where condition: (OrphanedScan) -> Bool) -> ScanCall? {
    orphans.firstIndex(where: condition).map { orphans.remove(at: $0).released }
  }
}

/// A scan that was kept when its caller's connection broke.
private struct OrphanedScan {
  let call: ScanCall
  let held: HeldBytes

  var hasEnded: Bool { call.outcomeWithoutCaller != nil }

  var hasFailed: Bool {
    if case .failure = call.outcomeWithoutCaller { true } else { false }
  }

  /// The call, whose bytes do not count any more.
  var released: ScanCall {
    held.release()
    return call
  }

  /// Whether a call comes from the same client, and asks for the same scan of the same sector.
  func matches(_ other: Message, from caller: Incarnation) -> Bool {
    guard caller == call.context.client, let message = call.message else { return false }
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
