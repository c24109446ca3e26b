import SkyNetCore

extension World {
  mutating func handleNetwork(_ event: Event) {
    switch event {
    case .dial(let coordinator, let node):
      guard !coordinators[coordinator].isOver else { return }
      guard nodes[node].isUp, nodes[node].queue.drainReason != .leaving, !cutOff.contains(node),
        plan.settings.retryWaits.scanEnd == nil || !takesForConnected(coordinator, at: node)
      else {
        // A node that cannot be reached is dialled again as long as the engagement runs.
        return schedule(event, after: random.seconds(plan.isCalm ? 0.1...0.3 : 0.5...1.5))
      }
      connect(coordinator, to: node)
    case .atNode(let link, let message):
      let node = links[link].node
      guard nodes[node].isUp, nodes[node].incarnation == links[link].incarnation,
        !links[link].isKnownToNode, arrives(links[link].isUp)
      else { return }
      receive(message, at: node, over: link)
    case .atCoordinator(let link, let message):
      guard !coordinators[links[link].coordinator].isDead, arrives(links[link].isUp) else { return }
      receive(message, at: links[link].coordinator, over: link)
    case .nodeLost(let link): nodeLost(link)
    case .coordinatorLost(let link):
      if !coordinators[links[link].coordinator].isDead { lost(link) }
    case .cut(let node): cut(node)
    case .cutAgain(let node, let every):
      guard isTroubled else { return }
      cut(node)
      schedule(event, after: every)
    case .partition(let apart):
      cutOff = Set(apart)
      for link in links.indices where cutOff.contains(links[link].node) { breakLink(link) }
      schedule(.heal, after: random.seconds(0.5...15))
    case .heal: cutOff = []
    default: break
    }
  }

  /// Whether a node has not noticed the end of a coordinator's last connection. Then it takes no other one.
  private func takesForConnected(_ coordinator: Int, at node: Int) -> Bool {
    links.contains {
      $0.coordinator == coordinator && $0.incarnation == nodes[node].incarnation && !$0.isUp
        && !$0.isKnownToNode
    }
  }

  private mutating func cut(_ node: Int) {
    for link in links.indices where links[link].node == node { breakLink(link) }
  }

  /// Whether a message in transit arrives. After its connection broke it may be lost or arrive
  /// late.
  private mutating func arrives(_ isUp: Bool) -> Bool { isUp || random.chance(plan.lateness) }

  mutating func connect(_ coordinator: Int, to node: Int) {
    let incarnation = nodes[node].incarnation
    guard coordinators[coordinator].links[incarnation] == nil else { return }
    links.append(Link(coordinator: coordinator, node: node, incarnation: incarnation))
    coordinators[coordinator].links[incarnation] = links.count - 1
    let member = Roster.Member(
      id: incarnation, name: nodes[node].name, slots: nodes[node].slots,
      scans: [SimulatedCoordinator.kind], isLocal: nodes[node].isLocal,
      place: nodes[node].isLocal ? nil : nodes[node].place)
    deliver(coordinators[coordinator].roster.joined(member, at: now), by: coordinator)
    scheduleSoon(.systemJoined(coordinator: coordinator, incarnation, nodes[node].place))
    if nodes[node].queue.isDraining { tellOfDrain(over: links.count - 1) }
  }

  mutating func send(_ message: ToNode, over link: Int) {
    guard passes(over: link) else { return }
    messages += 1
    let delay = delay(over: link)
    var arrival = max(now + delay, links[link].lastAtNode)
    // A cancel must not arrive before its call, as then nothing would stop the call.
    if plan.reorders, case .call = message { arrival = now + delay }
    links[link].lastAtNode = max(arrival, links[link].lastAtNode)
    agenda.add(.atNode(link: link, message), at: arrival)
  }

  mutating func send(_ message: ToCoordinator, over link: Int) {
    guard passes(over: link) else { return }
    messages += 1
    let delay = delay(over: link)
    let arrival = plan.reorders ? now + delay : max(now + delay, links[link].lastAtCoordinator)
    links[link].lastAtCoordinator = arrival
    agenda.add(.atCoordinator(link: link, message), at: arrival)
    guard random.chance(plan.duplication) else { return }
    schedule(.atCoordinator(link: link, message), after: delay + random.seconds(0...2))
  }

  /// Whether a message is sent. A lost message breaks its connection, and both ends learn of that
  /// later.
  private mutating func passes(over link: Int) -> Bool {
    guard links[link].isUp else { return false }
    guard now < plan.faultsEnd, !nodes[links[link].node].isLocal, random.chance(plan.loss)
    else { return true }
    breakLink(link)
    return false
  }

  /// Breaks a connection: nothing gets through any more. Each end learns of it at once, or by
  /// silence.
  mutating func breakLink(_ link: Int) {
    guard links[link].isUp else { return }
    links[link].broken = now
    let silence = Self.timeout...Self.timeout + 1
    schedule(
      .nodeLost(link: link), after: random.seconds(random.chance(0.5) ? 0...0.01 : silence))
    schedule(
      .coordinatorLost(link: link),
      after: random.seconds(plan.diesLoudly || random.chance(0.5) ? 0...0.01 : silence))
  }

  private mutating func delay(over link: Int) -> Duration {
    guard !nodes[links[link].node].isLocal else { return .zero }
    return !plan.isCalm && random.chance(0.05)
      ? random.seconds(0...0.5) : random.seconds(0.0001...0.002)
  }

  private mutating func nodeLost(_ link: Int) {
    links[link].isKnownToNode = true
    let node = links[link].node
    guard nodes[node].incarnation == links[link].incarnation else { return }
    for ticket in nodes[node].tickets(of: link) { cancel(ticket, at: node) }
  }

  /// How long it takes until a node has noticed the end of a connection.
  private static let cancelsWithin = Duration.seconds(timeout + 1)

  /// A coordinator takes a node for gone, and fails over all attempts there.
  mutating func lost(_ link: Int, byGoodbye isLeaving: Bool = false) {
    let (number, incarnation) = (links[link].coordinator, links[link].incarnation)
    coordinators[number].links[incarnation] = nil
    coordinators[number].left(incarnation)
    deliver(coordinators[number].roster.left(incarnation, at: now), by: number)
    scheduleSoon(.systemsChanged(coordinator: number))
    _ = coordinators[number].engagement.systemLost(
      incarnation, cancelledWithin: Self.cancelsWithin, at: now)
    schedule(
      .dial(coordinator: number, node: links[link].node),
      after: random.seconds(plan.isCalm ? 0.1...0.3 : 0.1...3))
    let gone = coordinators[number].flights.values
      .filter { $0.link == link }
      .sorted { $0.attempt.id < $1.attempt.id }
    // The node was pinged every second, so a call sent later than that did not silence it.
    let death = PeerDeath(
      slots: nodes[links[link].node].slots,
      lastAlive: (links[link].broken ?? now) + .seconds(1))
    for (place, flight) in gone.enumerated() {
      let hadStarted =
        !isLeaving
        && death.mayBeDue(
          toCallAt: place, sent: flight.sent, hasStarted: flight.start != nil)
      let outcome = AttemptOutcome.lost(
        reason: "lost", cancelledWithin: Self.cancelsWithin.inSeconds, hadStarted: hadStarted)
      answered(flight.attempt.id, outcome, nil, by: number)
    }
  }
}
