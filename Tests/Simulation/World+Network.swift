import SkyNetCore

extension World {
  mutating func handleNetwork(_ event: Event) {
    switch event {
    case .dial(let coordinator, let node):
      guard coordinators[coordinator].end == nil else { return }
      guard nodes[node].isUp, !nodes[node].queue.isDraining else {
        // Whoever is not there is dialled again, as long as anybody may come.
        return schedule(event, after: random.seconds(0.5...1.5))
      }
      connect(coordinator, to: node)
    case .atNode(let link, let message) where links[link].isUp:
      receive(message, at: links[link].node, over: link)
    case .atCoordinator(let link, let message) where links[link].isUp:
      receive(message, at: links[link].coordinator, over: link)
    case .nodeLost(let link):
      let node = links[link].node
      guard nodes[node].incarnation == links[link].incarnation else { return }
      for ticket in nodes[node].tickets(of: link) { cancel(ticket, at: node) }
    case .coordinatorLost(let link):
      lost(link)
    case .cut(let node):
      for link in links.indices where links[link].node == node { breakLink(link) }
    default: break
    }
  }

  mutating func connect(_ coordinator: Int, to node: Int) {
    let incarnation = nodes[node].incarnation
    guard coordinators[coordinator].links[incarnation] == nil else { return }
    links.append(Link(coordinator: coordinator, node: node, incarnation: incarnation))
    coordinators[coordinator].links[incarnation] = links.count - 1
    let member = Roster.Member(
      id: incarnation, name: nodes[node].name, slots: nodes[node].slots,
      scans: [SimulatedCoordinator.kind], isLocal: nodes[node].isLocal)
    pass(coordinators[coordinator].roster.joined(member), by: coordinator)
    soon(.systemsChanged(coordinator: coordinator))
  }

  mutating func send(_ message: ToNode, over link: Int) {
    guard links[link].isUp else { return }
    let arrival = max(now + delay(over: link), links[link].lastAtNode)
    links[link].lastAtNode = arrival
    agenda.add(.atNode(link: link, message), at: arrival)
  }

  mutating func send(_ message: ToCoordinator, over link: Int) {
    guard links[link].isUp else { return }
    let arrival = max(now + delay(over: link), links[link].lastAtCoordinator)
    links[link].lastAtCoordinator = arrival
    agenda.add(.atCoordinator(link: link, message), at: arrival)
  }

  /// From now on nothing arrives; each end learns it at once, or by silence.
  mutating func breakLink(_ link: Int) {
    guard links[link].isUp else { return }
    links[link].isUp = false
    let silence = Self.timeout...Self.timeout + 1
    schedule(
      .nodeLost(link: link), after: random.seconds(random.chance(0.5) ? 0...0.01 : silence))
    schedule(
      .coordinatorLost(link: link),
      after: random.seconds(random.chance(0.5) ? 0...0.01 : silence))
  }

  private mutating func delay(over link: Int) -> Duration {
    guard !nodes[links[link].node].isLocal else { return .zero }
    return random.chance(0.05) ? random.seconds(0...0.5) : random.seconds(0.0001...0.002)
  }

  /// A coordinator takes a node for gone: whatever it had sent there fails over.
  private mutating func lost(_ link: Int) {
    let (coordinator, incarnation) = (links[link].coordinator, links[link].incarnation)
    coordinators[coordinator].links[incarnation] = nil
    coordinators[coordinator].left(incarnation)
    pass(coordinators[coordinator].roster.left(incarnation), by: coordinator)
    soon(.systemsChanged(coordinator: coordinator))
    schedule(
      .dial(coordinator: coordinator, node: links[link].node), after: random.seconds(0.1...3))
    let gone = coordinators[coordinator].flights.values
      .filter { $0.link == link }
      .sorted { $0.attempt.id < $1.attempt.id }
    for flight in gone {
      answered(
        flight.attempt.id, .lost(reason: "lost", hadStarted: flight.hadStarted), nil,
        by: coordinator)
      // The old incarnation's answer may still turn up.
      guard random.chance(0.2) else { continue }
      let late = Event.attemptEnded(
        coordinator: coordinator, flight.attempt.id, .succeeded(seconds: 1))
      schedule(late, after: random.seconds(0.01...8))
    }
  }
}
