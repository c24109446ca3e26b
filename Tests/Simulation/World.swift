import SkyNetCore

/// Coordinators, nodes and the network between them, driven by a queue of events. The events follow
/// from a seed: the same seed makes the same world.
struct World {
  static let timeout = 5.0

  let plan: Plan
  let sabotage: Sabotage?
  /// Whether nodes are asked to drain, and to take calls again. They are with every fifth seed: so the others, of
  /// which some have found faults, make the worlds that they always made.
  let asksToDrain: Bool
  /// How the jobs grow; `nil` if they do not.
  var growth: Growth?
  var random: SplitMix64
  var agenda = Agenda<Event>()
  var now = Instant()
  var nodes: [SimulatedNode] = []
  /// The coordinators' processes. A crashed one stays in the array, and another follows it.
  var coordinators: [SimulatedCoordinator] = []
  var links: [Link] = []
  /// The nodes that no coordinator can reach.
  var cutOff: Set<Int> = []
  /// The incarnations of nodes that were killed by a scan of a coordinator's process that was dead
  /// already.
  var killedByOrphan: Set<Incarnation> = []
  private let bound: Instant
  private(set) var trace: Trace
  private(set) var steps = 0
  var releases = 0
  /// How many messages were sent, not counting heartbeats, which this world has none of.
  var messages = 0

  init(
    seed: UInt64, _ sabotage: Sabotage? = nil, digests: Bool = false,
    plan makePlan: (inout SplitMix64) -> Plan = Plan.storm
  ) {
    random = SplitMix64(seed: seed)
    var plan = makePlan(&random)
    plan.makeUnsuited(seed: seed)
    plan.makeWaiting(seed: seed)
    self.plan = plan
    bound = plan.bound()
    self.sabotage = sabotage
    asksToDrain = seed % 5 == 1
    growth = plan.mayGrow ? Growth(seed: seed, sectors: plan.sectors.count) : nil
    trace = Trace(digests: digests)
    for (number, node) in plan.nodes.enumerated() { addNode("node \(number)", node) }
    for _ in 0..<plan.coordinators {
      let tasks = [TaskRange(sectors: firstSectors)]
      let forgets = sabotage == .forgetsResult
      startCoordinator(
        plan.hasJournal ? SimulatedJournal(tasks, forgetsResult: forgets) : nil)
    }
    planFaults()
  }

  /// Runs to the end, and returns the violations. What must hold after each step is looked at after as many steps as
  /// `interval` says, as one look at a large world takes longer than a thousand of its steps.
  mutating func run(checkingEvery interval: Int = 1) -> [String] {
    while let (time, event) = agenda.next() {
      now = time
      guard now <= bound else { break }
      steps += 1
      trace.add(event, at: now)
      handle(event)
      guard steps % interval == 0 else { continue }
      let violations = violations()
      guard violations.isEmpty else { return violations }
    }
    for index in coordinators.indices { coordinators[index].checkEnd() }
    return violations() + lostInnocents
  }

  /// The time until the last engagement ended.
  var ended: Duration {
    coordinators.compactMap { $0.endTime?.sinceOrigin }.max() ?? now.sinceOrigin
  }

  mutating func schedule(_ event: Event, after delay: Duration) {
    agenda.add(event, at: now + delay)
  }

  /// Schedules an event soon, in no particular order, as messages between actors arrive.
  mutating func scheduleSoon(_ event: Event) {
    schedule(event, after: random.seconds(0...0.001))
  }

  /// The innocent tasks that were given up beside the one killer. Those do not count that ran on a
  /// node when an orphan killed it: a node goes on with the scans of a coordinator's process that
  /// died until it notices, and the next process cannot know that its task has such a neighbour.
  private var lostInnocents: [String] {
    guard plan.hasOneKiller else { return [] }
    return coordinators.flatMap { coordinator in
      coordinator.hopeless.filter { task in
        !plan.sectors[task.sector].isPoison
          && killedByOrphan.isDisjoint(with: coordinator.deaths[task] ?? [])
      }
    }
    .sorted().map { "\($0) is given up, and is innocent" }
  }

  private mutating func violations() -> [String] {
    var found: [String] = []
    for index in coordinators.indices where !coordinators[index].isDead {
      coordinators[index].checkCounts()
      found += coordinators[index].findings.violations
    }
    for node in nodes { if let violation = node.violation() { found.append(violation) } }
    return found
  }

  @discardableResult
  private mutating func addNode(_ name: String, _ plan: Plan.Node, isLocal: Bool = false) -> Int {
    nodes.append(
      SimulatedNode(name: name, plan, isLocal: isLocal, incarnation: random.incarnation()))
    return nodes.count - 1
  }

  /// The sectors that the jobs begin with.
  private var firstSectors: Range<Int> { growth?.first ?? 0..<plan.sectors.count }

  /// Starts a coordinator's process, with all tasks or with those that the journal says are left.
  mutating func startCoordinator(_ journal: SimulatedJournal?) {
    let number = coordinators.count
    coordinators.append(
      SimulatedCoordinator(
        id: random.incarnation(), settings: sabotage.settings(plan.settings), journal: journal,
        grows: growth != nil))
    var own: Incarnation?
    if plan.localSlots > 0 {
      let node = Plan.Node(slots: plan.localSlots, isUnsuited: plan.isLocalUnsuited)
      let local = addNode("local", node, isLocal: true)
      connect(number, to: local)
      own = nodes[local].incarnation
    }
    for node in nodes.indices where !nodes[node].isLocal {
      let delay = random.chance(0.9) ? random.seconds(0...1) : random.seconds(5...15)
      schedule(.dial(coordinator: number, node: node), after: plan.isCalm ? .zero : delay)
    }
    var past = SimulatedJournal.Past()
    past.tasks = [TaskRange(sectors: firstSectors)]
    if let journal { past = journal.fold() }
    coordinators[number].restored(past)
    // What earlier processes did of a growing job is taken over part by part.
    var first = (tasks: past.tasks, stories: past.stories)
    if growth != nil { first = past.left(in: firstSectors, isKnown: true) }
    coordinators[number].added(first.tasks)
    let actions = coordinators[number].engagement.began(
      first.tasks, stories: first.stories, losses: past.losses,
      systems: coordinators[number].systems,
      ownSystem: own, grows: growth != nil,
      at: now)
    perform(actions, by: number)
    if let interruption = plan.interruption, interruption > now {
      agenda.add(.interrupt(coordinator: number), at: interruption)
    }
  }

  private mutating func handle(_ event: Event) {
    switch event {
    case .dial, .atNode, .atCoordinator, .nodeLost, .coordinatorLost, .cut, .cutAgain, .partition,
      .heal:
      handleNetwork(event)
    case .scanEnds, .scanKills, .crash, .drain, .cordon, .uncordon, .restart: handleNode(event)
    case .killCoordinator, .resume: handleProcess(event)
    case .granted(let number, _), .systemJoined(let number, _, _), .systemsChanged(let number),
      .attemptStarted(let number, _, _), .attemptEnded(let number, _, _), .wake(let number),
      .rosterWake(let number),
      .interrupt(let number), .grew(let number):
      if !coordinators[number].isDead { handleCoordinator(event) }
    }
  }
}
