import DequeModule

/// Which call a system serves next: its slots, shared fairly among the clients that sent it calls.
///
/// A free slot goes to the client with the fewest calls running; among equals, to the one that has
/// had the least slot time; then to the call with the lowest id. A client's own calls keep their
/// order. Hedges, second tries at what another system scans already, come after all others' calls.
/// A call that waits is never late: others being ahead of it is no fault of its own.
///
/// A call that comes while it runs, ends without running or is withdrawn without waiting is an
/// ``IllegalEvent``.
/// One *legal race* is silent: a call whose scan ignores its cancelling may be counted out twice, as a scan
/// can lose two callers one after the other. That a withdrawal crosses the beginning of its call, and a
/// cancel its end, is decided by the queue's owner, which knows its calls.
package struct ServingQueue: Sendable {
  package typealias CallID = UInt64

  package enum Arrival: Hashable, Sendable {
    case start
    case wait
    /// The system takes nothing new.
    case refuse
  }

  private struct Client {
    /// Calls, and hedges.
    var waiting: [Deque<CallID>] = [[], []]
    var running = 0
    /// Time that its calls held slots.
    var served = Duration.zero

    var waitingCount: Int { waiting[0].count + waiting[1].count }

    mutating func ended(after duration: Duration) {
      running -= 1
      served += duration
    }

    var isIdle: Bool { running == 0 && waitingCount == 0 }
  }

  package let slots: Int
  package private(set) var isDraining = false
  /// Calls that no client wants any more, and whose scans go on all the same: their slots are counted
  /// out until they end.
  private var stuck: Set<CallID> = []
  /// Whether such scans hold every slot: what comes would wait for what may never end.
  package var isExhausted: Bool { slotsLeft == 0 }
  /// How many slots can be used.
  package var slotsLeft: Int { slots - stuck.count }
  private typealias Clients = [Incarnation: Client]

  private var clients: Clients = [:]
  private var running: [CallID: (client: Incarnation, since: Instant)] = [:]
  private var log = TransitionLog<Transition>()

  package init(slots: Int) {
    self.slots = slots
  }

  /// Whether more than one client has calls here.
  package var isShared: Bool { clients.count > 1 }
  /// Whether a call of another client than this one waits.
  package func isWaitedFor(besides client: Incarnation) -> Bool {
    clients.contains { $0.key != client && $0.value.waitingCount > 0 }
  }
  package var runningCount: Int { running.count }
  package var waitingCount: Int { clients.values.reduce(0) { $0 + $1.waitingCount } }

  /// A call came in from a client, under a number of its own.
  ///
  /// - Throws: `IllegalEvent` if the call runs already.
  package mutating func arrived(
    _ call: CallID, from client: Incarnation, isHedge: Bool = false, at now: Instant
  ) throws(IllegalEvent) -> Arrival {
    guard running[call] == nil else { throw illegal("call \(call) comes, and runs already", call) }
    guard !isDraining, !isExhausted else { return .refuse }
    if clients[client] == nil {
      // A client that comes later has no claim on time that others had before it came.
      clients[client] = Client(served: clients.values.map(\.served).min() ?? .zero)
    }
    guard running.count < slots else {
      clients[client]?.waiting[isHedge ? 1 : 0].append(call)
      log.add(Transition(call: call, step: .waited))
      return .wait
    }
    start(call, of: client, at: now)
    return .start
  }

  /// A running call ended. Returns the call to start in its place.
  ///
  /// - Throws: `IllegalEvent` if the call does not run.
  package mutating func ended(
    _ call: CallID, at now: Instant
  ) throws(IllegalEvent) -> CallID? {
    guard let entry = running.removeValue(forKey: call) else {
      throw illegal("call \(call) ends, and does not run", call)
    }
    log.add(Transition(call: call, step: .ended))
    if !stuck.isEmpty { stuck.remove(call) }
    clients[entry.client]?.ended(after: entry.since.duration(to: now))
    let next = startNext(at: now)
    forgetIfIdle(entry.client)
    return next
  }

  /// A waiting call is no longer wanted.
  ///
  /// - Throws: `IllegalEvent` if no such call of this client waits.
  package mutating func withdrew(
    _ call: CallID, of client: Incarnation
  ) throws(IllegalEvent) {
    for queue in 0...1 {
      guard let index = clients[client]?.waiting[queue].firstIndex(of: call) else { continue }
      clients[client]?.waiting[queue].remove(at: index)
      forgetIfIdle(client)
      log.add(Transition(call: call, step: .withdrew))
      return
    }
    throw illegal("call \(call) is withdrawn, and does not wait", call)
  }

  /// From now on nothing new is taken. Returns the calls that wait, which go back to their
  /// senders.
  package mutating func drain() -> [CallID] {
    isDraining = true
    return handBack()
  }

  /// A running call was cancelled, and its scan does not end. Returns the calls that wait, which go
  /// back to their senders, if no slot is left.
  ///
  /// - Throws: `IllegalEvent` if the call does not run.
  package mutating func ignoresCancelling(
    _ call: CallID
  ) throws(IllegalEvent) -> [CallID] {
    guard running[call] != nil else {
      throw illegal("call \(call) ignores its cancelling, and does not run", call)
    }
    guard stuck.insert(call).inserted else { return [] }
    log.add(Transition(call: call, step: .ignoredCancelling))
    return isExhausted ? handBack() : []
  }

  private mutating func handBack() -> [CallID] {
    let waiting = clients.values.flatMap { $0.waiting.joined() }.sorted()
    for call in waiting { log.add(Transition(call: call, step: .handedBack)) }
    for client in clients.keys {
      clients[client]?.waiting = [[], []]
      forgetIfIdle(client)
    }
    return waiting
  }

  private mutating func startNext(at now: Instant) -> CallID? {
    startNext(in: 0, at: now) ?? startNext(in: 1, at: now)
  }

  private mutating func startNext(in queue: Int, at now: Instant) -> CallID? {
    var next: (place: Clients.Index, call: CallID)?
    for place in clients.indices {
      guard let call = clients.values[place].waiting[queue].first else { continue }
      if let next, !isBefore(place, call, next.place, next.call) { continue }
      next = (place, call)
    }
    guard let next else { return nil }
    clients.values[next.place].waiting[queue].removeFirst()
    clients.values[next.place].running += 1
    running[next.call] = (clients.keys[next.place], now)
    log.add(Transition(call: next.call, step: .started))
    return next.call
  }

  private func isBefore(
    _ a: Clients.Index, _ callOfA: CallID, _ b: Clients.Index, _ callOfB: CallID
  ) -> Bool {
    let (one, other) = (clients.values[a], clients.values[b])
    return (one.running, one.served, callOfA) < (other.running, other.served, callOfB)
  }

  private mutating func start(_ call: CallID, of client: Incarnation, at now: Instant) {
    running[call] = (client, now)
    log.add(Transition(call: call, step: .started))
    clients[client]?.running += 1
  }

  private mutating func forgetIfIdle(_ client: Incarnation) {
    if clients[client]?.isIdle ?? false { clients[client] = nil }
  }

  private func illegal(_ event: String, _ call: CallID) -> IllegalEvent {
    IllegalEvent(
      event: event, state: "\(running.count) calls run on \(slots) slots, and \(waitingCount) wait",
      story: log.story { $0.call == call })
  }
}
