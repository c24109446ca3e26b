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
/// client's call that waits for a slot, and ends when its connection's grace period is over.
final class OrphanedScans: Sendable {
  /// Of so many clients it is known that a connection of theirs broke; the oldest is forgotten.
  private static let clientLimit = 256

  private let orphans = Mutex<[OrphanedScan]>([])
  private let brokenOff = Mutex<Deque<Incarnation>>([])
  /// How many there are, to be looked at with each call without a lock.
  private let count = Atomic<Int>(0)
  /// At most so many run, and as many results are kept.
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
  func adopt(_ call: ScanCall, of client: Incarnation) -> OrphanedScan? {
    let orphan = OrphanedScan(call, client: client)
    // Before its outcome can come, which looks for it here.
    change { orphans in
      if orphans.count == limit { orphans.removeFirst() }
      orphans.append(orphan)
    }
    let isRunning = call.handOver { outcome in
      orphan.ended(outcome)
      // A scan that failed is to be tried anew.
      if case .failure = outcome { self.remove(orphan) }
    }
    guard isRunning else {
      remove(orphan)
      return nil
    }
    return orphan
  }

  /// The scan that a client's call asks for, if it is here; it is that call's from now on.
  func claim(_ message: Message, by client: Incarnation) -> OrphanedScan? {
    guard !isEmpty else { return nil }
    return change { orphans in
      guard let place = orphans.firstIndex(where: { $0.isAsked(for: message, by: client) }) else {
        return nil
      }
      return orphans.remove(at: place)
    }
  }

  /// A client's call waits for a slot: of the other clients' scans the oldest ends.
  func giveWay(to client: Incarnation) {
    let oldest = change { orphans in
      orphans.firstIndex { $0.client != client && $0.isRunning }.map { orphans.remove(at: $0) }
    }
    oldest?.call.cancel()
  }

  /// Ends those of these that nobody has claimed.
  func abandon(_ orphans: [OrphanedScan]) {
    for orphan in orphans where remove(orphan) { orphan.call.cancel() }
  }

  /// Returns whether it was here.
  @discardableResult private func remove(_ orphan: OrphanedScan) -> Bool {
    change { orphans in
      let place = orphans.firstIndex { $0 === orphan }
      if let place { orphans.remove(at: place) }
      return place != nil
    }
  }

  private func change<Result>(_ body: (inout [OrphanedScan]) -> sending Result) -> sending Result {
    orphans.withLock { orphans in
      defer { count.store(orphans.count, ordering: .releasing) }
      return body(&orphans)
    }
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
  private let state = Mutex(State())

  init(_ call: ScanCall, client: Incarnation) {
    self.call = call
    self.client = client
  }

  var isRunning: Bool { state.withLock { $0.outcome == nil } }

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
