import SkyNetCore

/// Coordinators, nodes and the network between them, moved by a queue of events that follows from
/// a seed: the same seed, the same world.
struct World {
  static let timeout = 5.0

  let seed: UInt64
  let plan: Plan
  var random: SplitMix64
  var agenda = Agenda<Event>()
  var now = Instant()
  var nodes: [SimulatedNode] = []
  var coordinators: [SimulatedCoordinator] = []
  var links: [Link] = []
  /// The latest events, to tell how a failure came about.
  private var latest: [(time: Instant, event: Event)] = []
  private(set) var steps = 0

  init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
    plan = Plan(&random)
    for (number, slots) in plan.nodes.enumerated() {
      addNode("node \(number)", slots: slots, isLocal: false)
    }
    for number in 0..<plan.coordinators {
      coordinators.append(
        SimulatedCoordinator(id: random.incarnation(), settings: plan.settings))
      if plan.localSlots > 0 {
        addNode("local", slots: plan.localSlots, isLocal: true)
        connect(number, to: nodes.count - 1)
      }
    }
    begin()
    planFaults()
  }

  /// Runs to the end, and returns what did not hold.
  mutating func run() -> [String] {
    while let (time, event) = agenda.next() {
      now = time
      guard now <= plan.bound else { break }
      steps += 1
      latest.append((time, event))
      if latest.count > 60 { latest.removeFirst(30) }
      handle(event)
      let violations = violations()
      guard violations.isEmpty else { return violations }
    }
    for index in coordinators.indices { coordinators[index].checkEnd() }
    return violations()
  }

  var trace: [String] { latest.map { "\($0.time.sinceOrigin.inSeconds) \($0.event)" } }

  mutating func schedule(_ event: Event, after delay: Duration) {
    agenda.add(event, at: now + delay)
  }

  /// Soon, but nobody knows in what order: as things are between actors.
  mutating func soon(_ event: Event) {
    schedule(event, after: random.seconds(0...0.001))
  }

  private mutating func violations() -> [String] {
    for index in coordinators.indices { coordinators[index].checkCounts() }
    return coordinators.flatMap(\.findings.violations) + nodes.compactMap { $0.violation() }
  }

  private mutating func addNode(_ name: String, slots: Int, isLocal: Bool) {
    nodes.append(
      SimulatedNode(
        name: name, slots: slots, isLocal: isLocal, incarnation: random.incarnation()))
  }

  private mutating func begin() {
    for number in coordinators.indices {
      for node in nodes.indices where !nodes[node].isLocal {
        schedule(
          .dial(coordinator: number, node: node),
          after: random.chance(0.9) ? random.seconds(0...1) : random.seconds(5...15))
      }
      let tasks = [TaskRange(sectors: 0..<plan.sectors.count)]
      coordinators[number].added(tasks)
      let systems = coordinators[number].systems
      perform(
        coordinators[number].engagement.began(tasks, systems: systems, at: now), by: number)
      if let interruption = plan.interruption {
        agenda.add(.interrupt(coordinator: number), at: interruption)
      }
    }
  }

  private mutating func planFaults() {
    let remote = nodes.indices.filter { !nodes[$0].isLocal }
    guard !remote.isEmpty else { return }
    let end = plan.faultsEnd.sinceOrigin.inSeconds
    for _ in 0..<plan.faults {
      let node = random.pick(remote)
      let fault = random.pick([Event.crash(node: node, nil), .drain(node: node), .cut(node: node)])
      schedule(fault, after: random.seconds(0...end))
    }
    guard plan.isLast else { return }
    for node in remote { agenda.add(.crash(node: node, nil), at: plan.faultsEnd) }
  }

  private mutating func handle(_ event: Event) {
    switch event {
    case .dial, .atNode, .atCoordinator, .nodeLost, .coordinatorLost, .cut: handleNetwork(event)
    case .scanEnds, .crash, .drain, .restart: handleNode(event)
    case .granted, .systemsChanged, .attemptEnded, .wake, .interrupt: handleCoordinator(event)
    }
  }
}
