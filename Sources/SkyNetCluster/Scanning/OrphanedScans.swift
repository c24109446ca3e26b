import DequeModule
import SkyNetCore

/// Scans that go on although the connections of their callers broke. A caller that connects again and makes
/// the same call claims its scan: it gets the output of the scan that is running, or has ended meanwhile.
///
/// Connections may be shorter than scans, whose tasks would else start anew on every new connection, and never be done
/// (`docs/decisions/0023`). A client whose connection breaks for the first time may have been killed, so its scans are
/// kept only after a second break, which shows that it came back after the first.
///
/// A scan that no call claims must not keep other clients waiting. It ends when the call of another client
/// waits for a slot, when the grace period after the broken connection is over, or when the system stops. Until then
/// it holds its slot, and its message counts against the memory of its connection.
struct OrphanedScans {
  /// How many clients with a broken connection are remembered. The oldest one is forgotten first.
  private static let clientLimit = 256

  /// Identifies a scan while it is kept. A scan that is claimed and kept again has another one.
  typealias ID = UInt64

  /// The kept scans, the oldest first.
  private var orphans: [OrphanedScan] = []
  private var lastID: ID = 0
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
  /// - Returns: the kept scan; `nil` if the caller had its answer already, and nothing is kept. With it the call to
  ///   cancel, as too many are kept, or none any more.
  mutating func adopt(_ call: ScanCall) -> (kept: ID?, excess: ScanCall?) {
    guard call.loseCaller() else { return (nil, nil) }
    lastID += 1
    let orphan = OrphanedScan(lastID, call)
    if isClosed { return (lastID, orphan.released) }
    orphans.append(orphan)
    guard orphans.count > limit else { return (lastID, nil) }
    let oldest = orphans.firstIndex(where: \.hasEnded) ?? orphans.startIndex
    return (lastID, orphans.remove(at: oldest).released)
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

  /// Takes out a kept scan, if no call has claimed it.
  mutating func abandon(_ id: ID) -> ScanCall? { take { $0.id == id } }

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
  let id: OrphanedScans.ID
  let call: ScanCall
  /// The bytes of its message, which count against the connection that it came over for as long as it is kept.
  private let held: Int

  init(_ id: OrphanedScans.ID, _ call: ScanCall) {
    self.id = id
    self.call = call
    held = call.context.arrival.map { $0.message.byteCount } ?? 0
    call.context.arrival?.memory?.changeWhole(by: held)
  }

  var hasEnded: Bool { call.outcomeWithoutCaller != nil }

  var hasFailed: Bool {
    if case .failure = call.outcomeWithoutCaller { true } else { false }
  }

  /// The call, whose bytes do not count any more.
  var released: ScanCall {
    call.context.arrival?.memory?.changeWhole(by: -held)
    return call
  }

  /// Whether a call comes from the same client, and asks for the same scan of the same sector.
  func matches(_ other: Message, from caller: Incarnation) -> Bool {
    guard caller == call.context.client, let message = call.context.arrival?.message else {
      return false
    }
    return message.bulk == other.bulk && ScanTask.describesSameScan(message.body, other.body)
  }
}
