import DequeModule

/// Decides which call a system serves next. It shares the system's slots fairly among the clients
/// that sent it calls.
///
/// A free slot goes to the client with the fewest running calls; of equals, to the client that has
/// had the least slot time; of equals again, to the call with the lowest id. A client's own calls
/// keep their order. If the process that has the slots is a client too, its owner, it gets one half
/// of them while the others want the other half. Hedges, which repeat a scan that runs on another
/// system, come after the calls of all clients. A client that leaves its answers unread gets no
/// slot, also if one is free. A call that waits never times out: it is not to blame for the calls
/// ahead of it.
///
/// An event is an ``IllegalEvent`` if a call arrives while it runs, ends without running, or is
/// withdrawn without waiting. A second report that the scan of the same call ignores its cancelling
/// is legal, and changes nothing. Two *legal races* do not come here, as the owner of the queue
/// knows its calls and resolves them: a withdrawal that crosses the start of its call, and a cancel
/// that crosses its end.
package struct ServingQueue: Sendable {
  package typealias CallID = UInt64

  package enum Arrival: Hashable, Sendable {
    case start
    case wait
    /// The system drains, or has no slot left.
    case refuse
  }

  /// One transition of a call.
  private enum Step: UInt8 {
    case waited, started, ended, withdrew, ignoredCancelling, handedBack
  }

  private struct Client {
    /// The waiting calls, and the waiting hedges.
    var waiting: [Deque<CallID>] = [[], []]
    var running = 0
    /// The time for which the client's calls have held slots.
    var served = Duration.zero

    var waitingCount: Int { waiting[0].count + waiting[1].count }

    mutating func ended(after duration: Duration) {
      running -= 1
      served += duration
    }

    var isIdle: Bool { running == 0 && waitingCount == 0 }
  }

  package let slots: Int
  /// Why the system takes no new calls; `nil` while it takes them.
  package private(set) var drainReason: DrainReason?
  package var isDraining: Bool { drainReason != nil }
  /// The cancelled calls whose scans go on all the same. Their slots are not counted until they
  /// end.
  private var unstoppable: Set<CallID> = []
  /// Whether such scans hold every slot. A call that came then could wait for ever.
  package var isExhausted: Bool { slotsLeft == 0 }
  /// The number of slots that can be used.
  package var slotsLeft: Int { slots - unstoppable.count }
  private typealias Clients = [Incarnation: Client]

  private var clients: Clients = [:]
  /// The calls that have a slot. They are so few that a search is quicker than a hash.
  private var running: [(call: CallID, client: Incarnation, since: Instant)] = []
  /// The clients that leave their answers unread.
  private var behind: Set<Incarnation> = []
  private let owner: Incarnation?
  /// Whether the call that was started last is the owner's.
  private var ownerWasLast = false
  private var log = TransitionLog<CallID, Step>()

  /// - Parameter owner: the client that lends these slots to the others; `nil` if no client does.
  package init(slots: Int, owner: Incarnation? = nil) {
    self.slots = slots
    self.owner = owner
  }

  /// Whether more than one client has calls here.
  package var isShared: Bool { clients.count > 1 }
  /// Whether a call of any client but this one waits.
  package func hasWaitingCall(besides client: Incarnation) -> Bool {
    clients.contains { $0.key != client && $0.value.waitingCount > 0 }
  }
  package var runningCount: Int { running.count }
  package var waitingCount: Int { clients.values.reduce(0) { $0 + $1.waitingCount } }

  /// A call arrived from a client, under a number of its own.
  ///
  /// - Throws: `IllegalEvent` if the call runs already.
  package mutating func arrived(
    _ call: CallID, from client: Incarnation, isHedge: Bool = false, at now: Instant
  ) throws(IllegalEvent) -> Arrival {
    guard !runs(call) else {
      throw illegal("call \(call) arrives, but runs already", call)
    }
    guard !isDraining, !isExhausted else { return .refuse }
    if clients[client] == nil {
      // A newcomer has no claim on the time that others had before it came.
      clients[client] = Client(served: clients.values.map(\.served).min() ?? .zero)
    }
    guard running.count < slots, behind.isEmpty || !behind.contains(client) else {
      clients[client]?.waiting[isHedge ? 1 : 0].append(call)
      log.add(call, .waited)
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
    guard let place = running.firstIndex(where: { $0.call == call }) else {
      throw illegal("call \(call) ends, but does not run", call)
    }
    let entry = running.remove(at: place)
    log.add(call, .ended)
    if !unstoppable.isEmpty { unstoppable.remove(call) }
    // By its place, here and below: to change a value by its key allocates three times.
    if let place = clients.index(forKey: entry.client) {
      clients.values[place].ended(after: entry.since.duration(to: now))
    }
    let next = startNext(at: now)
    forgetIfIdle(entry.client)
    return next
  }

  /// The client leaves its answers unread. Its calls wait until ``reads(_:)``.
  package mutating func leavesUnread(_ client: Incarnation) { behind.insert(client) }

  /// The client reads its answers again, or is gone. ``next(at:)`` then starts what has waited.
  package mutating func reads(_ client: Incarnation) { behind.remove(client) }

  /// The call to start on a slot that is free; `nil` if none is, or nothing waits that may start.
  package mutating func next(at now: Instant) -> CallID? {
    running.count < slots ? startNext(at: now) : nil
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
      log.add(call, .withdrew)
      return
    }
    throw illegal("call \(call) is withdrawn, but does not wait", call)
  }

  /// The system drains and takes nothing new. Returns the waiting calls, which go back to their
  /// senders. The system tells the name of the first client that asked, until its process is to end.
  package mutating func drain(_ reason: DrainReason = .leaving) -> [CallID] {
    if drainReason == nil || reason == .leaving { drainReason = reason }
    return handBack()
  }

  /// The system takes new calls again, if it drained because a client asked. Returns whether it did.
  package mutating func undrain() -> Bool {
    guard drainReason?.client != nil else { return false }
    drainReason = nil
    return true
  }

  /// A running call was cancelled, and its scan does not end. If no slot is left, returns the
  /// waiting calls, which go back to their senders.
  ///
  /// - Throws: `IllegalEvent` if the call does not run.
  package mutating func ignoresCancelling(
    _ call: CallID
  ) throws(IllegalEvent) -> [CallID] {
    guard runs(call) else {
      throw illegal("call \(call) ignores its cancelling, but does not run", call)
    }
    guard unstoppable.insert(call).inserted else { return [] }
    log.add(call, .ignoredCancelling)
    return isExhausted ? handBack() : []
  }

  private mutating func handBack() -> [CallID] {
    let waiting = clients.values.flatMap { $0.waiting.joined() }.sorted()
    for call in waiting { log.add(call, .handedBack) }
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
      if !behind.isEmpty, behind.contains(clients.keys[place]) { continue }
      if let next, !isBefore(place, call, next.place, next.call) { continue }
      next = (place, call)
    }
    guard let next else { return nil }
    clients.values[next.place].waiting[queue].removeFirst()
    start(next.call, of: clients.keys[next.place], at: now)
    return next.call
  }

  private func isBefore(
    _ a: Clients.Index, _ callOfA: CallID, _ b: Clients.Index, _ callOfB: CallID
  ) -> Bool {
    if let owner, clients.keys[a] == owner || clients.keys[b] == owner {
      return (clients.keys[a] == owner) == isOwnersTurn(owner)
    }
    let (one, other) = (clients.values[a], clients.values[b])
    return (one.running, one.served, callOfA) < (other.running, other.served, callOfB)
  }

  /// Whether the owner gets the next slot, if others want it too. Where both have as many, they take turns.
  private func isOwnersTurn(_ owner: Incarnation) -> Bool {
    let own = clients[owner]?.running ?? 0
    let others = running.count - own
    return own == others ? !ownerWasLast : own < others
  }

  private mutating func start(_ call: CallID, of client: Incarnation, at now: Instant) {
    running.append((call, client, now))
    ownerWasLast = client == owner
    log.add(call, .started)
    if let place = clients.index(forKey: client) { clients.values[place].running += 1 }
  }

  private func runs(_ call: CallID) -> Bool { running.contains { $0.call == call } }

  private mutating func forgetIfIdle(_ client: Incarnation) {
    if clients[client]?.isIdle ?? false { clients[client] = nil }
  }

  private func illegal(_ event: String, _ call: CallID) -> IllegalEvent {
    IllegalEvent(
      event: event, state: "\(running.count) calls run on \(slots) slots, and \(waitingCount) wait",
      story: log.story(of: call) { "call \($0)" })
  }
}
