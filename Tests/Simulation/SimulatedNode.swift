import SkyNetCore

/// A process that serves a system: the real queue, and modelled scans.
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
  /// A coordinator's own system, which is there as long as the coordinator is.
  let isLocal: Bool
  private(set) var incarnation: Incarnation
  private(set) var isUp = true
  var queue: ServingQueue
  var calls: [UInt64: Call] = [:]
  private var nextTicket: UInt64 = 0
  /// What the queue refused.
  private var refused: String?

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
      legally {
        try $0.arrived(ticket, from: client, isHedge: attempt.isHedge, at: now)
      } ?? .refuse
    if arrival != .refuse {
      calls[nextTicket] = Call(link: link, client: client, attempt: attempt, arrival: now)
    }
    return (nextTicket, arrival)
  }

  /// The tickets of a link's calls, or of one of them.
  func tickets(of link: Int, _ attempt: Attempt.ID? = nil) -> [UInt64] {
    calls.filter { $0.value.link == link && (attempt == nil || $0.value.attempt.id == attempt) }
      .keys.sorted()
  }

  /// A scan ended. Returns the call to start in its place.
  mutating func ended(_ ticket: UInt64, at now: Instant) -> UInt64? {
    legally { try $0.ended(ticket, at: now) } ?? nil
  }

  mutating func withdrew(_ ticket: UInt64) {
    guard let call = calls.removeValue(forKey: ticket) else { return }
    legally { try $0.withdrew(ticket, of: call.client) }
  }

  /// Tells the queue of an event, which it has to take.
  @discardableResult private mutating func legally<Answer>(
    _ event: (inout ServingQueue) throws -> Answer
  ) -> Answer? {
    do { return try event(&queue) } catch { refused = "\(error)" }
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

  /// What does not hold and should.
  func violation() -> String? {
    guard isUp else { return nil }
    if let refused { return refused }
    let running = calls.values.count { $0.start != nil }
    if running > slots { return "\(name) runs \(running) scans on \(slots) slots" }
    if running != queue.runningCount { return "\(name) runs \(running), not as its queue says" }
    if calls.count - running != queue.waitingCount { return "\(name) forgot who waits" }
    return nil
  }
}
