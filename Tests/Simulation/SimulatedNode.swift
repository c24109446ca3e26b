import SkyNetCore

/// A process that serves a system, with the real queue and modelled scans.
struct SimulatedNode {
  struct Call {
    let link: Int
    let client: Incarnation
    let attempt: Attempt
    let arrival: Instant
    var start: Instant?
  }

  let name: String
  let plan: Plan.Node
  var slots: Int { plan.slots }
  var place: Place { Place(name: name, host: "host of \(name)") }
  /// Whether this is the system of a coordinator's own process, which lives as long as the
  /// coordinator.
  let isLocal: Bool
  private(set) var incarnation: Incarnation
  private(set) var isUp = true
  var queue: ServingQueue
  var calls: [UInt64: Call] = [:]
  private var nextTicket: UInt64 = 0
  /// The illegal event that the queue refused, if there was one.
  private var illegalEvent: String?

  init(name: String, _ plan: Plan.Node, isLocal: Bool, incarnation: Incarnation) {
    self.name = name
    self.plan = plan
    self.isLocal = isLocal
    self.incarnation = incarnation
    queue = ServingQueue(slots: plan.slots)
  }

  mutating func arrived(
    _ attempt: Attempt, over link: Int, from client: Incarnation, at now: Instant
  ) -> (ticket: UInt64, ServingQueue.Arrival) {
    nextTicket += 1
    let ticket = nextTicket
    let arrival =
      feedQueue {
        try $0.arrived(ticket, from: client, isHedge: attempt.isHedge, at: now)
      } ?? .refuse
    if arrival != .refuse {
      calls[nextTicket] = Call(link: link, client: client, attempt: attempt, arrival: now)
    }
    return (nextTicket, arrival)
  }

  /// The tickets of all calls of a link, or of one attempt among them.
  func tickets(of link: Int, _ attempt: Attempt.ID? = nil) -> [UInt64] {
    calls.filter { $0.value.link == link && (attempt == nil || $0.value.attempt.id == attempt) }
      .keys.sorted()
  }

  /// A scan ended. Returns the call to start in its place.
  mutating func ended(_ ticket: UInt64, at now: Instant) -> UInt64? {
    feedQueue { try $0.ended(ticket, at: now) } ?? nil
  }

  mutating func withdrew(_ ticket: UInt64) {
    guard let call = calls.removeValue(forKey: ticket) else { return }
    feedQueue { try $0.withdrew(ticket, of: call.client) }
  }

  /// Feeds the queue an event, which the queue must accept.
  @discardableResult private mutating func feedQueue<Answer>(
    _ event: (inout ServingQueue) throws -> Answer
  ) -> Answer? {
    do { return try event(&queue) } catch { illegalEvent = "\(error)" }
    return nil
  }

  mutating func stop() {
    isUp = false
    calls = [:]
  }

  mutating func restart(as incarnation: Incarnation) {
    self.incarnation = incarnation
    isUp = true
    queue = ServingQueue(slots: slots)
  }

  /// A rule that this node violates, if there is one.
  func violation() -> String? {
    guard isUp else { return nil }
    if let illegalEvent { return illegalEvent }
    let running = calls.values.count { $0.start != nil }
    if running > slots { return "\(name) runs \(running) scans on \(slots) slots" }
    if running != queue.runningCount {
      return "\(name) runs \(running) scans, and its queue counts others"
    }
    if calls.count - running != queue.waitingCount { return "\(name) forgot a waiting call" }
    return nil
  }
}
