import SkyNetCore

extension World {
  mutating func handleNode(_ event: Event) {
    switch event {
    case .scanEnds(let node, let incarnation, let ticket, let outcome):
      guard nodes[node].isUp, nodes[node].incarnation == incarnation else { return }
      scanEnded(ticket, outcome, at: node)
    case .scanKills(let node, let incarnation, let ticket):
      // A scan that was cancelled and has ended kills nothing any more.
      guard nodes[node].isUp, nodes[node].incarnation == incarnation,
        let call = nodes[node].calls[ticket]
      else { return }
      if coordinators[links[call.link].coordinator].isDead { killedByOrphan.insert(incarnation) }
      stop(node)
    case .crash(let node, let incarnation):
      guard nodes[node].isUp, incarnation == nil || incarnation == nodes[node].incarnation
      else { return }
      stop(node)
    case .drain(let node):
      guard nodes[node].isUp else { return }
      drain(node)
      leaveIfDrained(node)
    case .cordon(let node):
      guard nodes[node].isUp, !nodes[node].queue.isDraining else { return }
      drain(node, .asked(by: "a person"))
      schedule(.uncordon(node: node, nodes[node].incarnation), after: random.seconds(0.1...10))
    case .uncordon(let node, let incarnation):
      guard nodes[node].isUp, nodes[node].incarnation == incarnation,
        nodes[node].queue.undrain()
      else { return }
      for link in links.indices where links[link].node == node { sayGoodbyeIfAnswered(link) }
    case .restart(let node):
      // If all nodes are to be lost in the end, a node that is late does not come back.
      guard !nodes[node].isUp, !nodes[node].isLocal, !plan.isLast || now < plan.faultsEnd else {
        return
      }
      nodes[node].restart(as: random.incarnation())
      scheduleDeath(of: node)
    default: break
    }
  }

  mutating func receive(_ message: ToNode, at node: Int, over link: Int) {
    switch message {
    case .call(let attempt):
      let client = coordinators[links[link].coordinator].id
      let (ticket, arrival) = nodes[node].arrived(attempt, over: link, from: client, at: now)
      switch arrival {
      case .start: start(ticket, at: node)
      case .wait: break
      case .refuse: send(.answer(attempt.id, .handedBack, nil), over: link)
      }
    case .cancel(let attempt):
      for ticket in nodes[node].tickets(of: link, attempt) { cancel(ticket, at: node) }
    }
  }

  /// A call is no longer wanted.
  mutating func cancel(_ ticket: UInt64, at node: Int) {
    guard let call = nodes[node].calls[ticket] else { return }
    if call.start == nil {
      nodes[node].withdrew(ticket)
      sayGoodbyeIfAnswered(call.link)
    } else {
      let end = Event.scanEnds(
        node: node, nodes[node].incarnation, ticket: ticket, .cancelled)
      schedule(end, after: random.seconds(0...0.05))
    }
  }

  /// Checks that no other attempt at the call's task runs anywhere.
  private mutating func checkIsAlone(_ call: SimulatedNode.Call) {
    let number = links[call.link].coordinator
    let others = nodes.filter(\.isUp).flatMap(\.calls.values).filter {
      $0.attempt.task == call.attempt.task && $0.start != nil
        && $0.attempt.id != call.attempt.id && links[$0.link].coordinator == number
    }
    coordinators[number].findings.check(
      others.isEmpty, "\(call.attempt.task) begins while another attempt at it runs")
  }

  private mutating func start(_ ticket: UInt64, at node: Int) {
    guard let call = nodes[node].calls[ticket] else { return }
    nodes[node].calls[ticket]?.start = now
    if plan.settings.retryWaits.scanEnd != nil { checkIsAlone(call) }
    if nodes[node].plan.isUnsuited {
      send(.started(call.attempt.id), over: call.link)
      return end(ticket, .unsuited, .milliseconds(1), at: node)
    }
    let nature = plan.sectors[call.attempt.task.sector]
    // A coordinator without a journal must not die.
    if nature == .suddenPoison, plan.hasJournal || !nodes[node].isLocal { return stop(node) }
    send(.started(call.attempt.id), over: call.link)
    let slowness = nodes[node].plan.slowness
    let length = random.seconds(plan.scan) * slowness
    if nodes[node].plan.isBroken {
      return end(ticket, .failed(reason: "broken"), .milliseconds(1), at: node)
    }
    if nodes[node].plan.isLying {
      return end(ticket, .refused(reason: "impossible"), .milliseconds(1), at: node)
    }
    switch nature {
    case .poison where plan.hasJournal || !nodes[node].isLocal:
      return schedule(
        .scanKills(node: node, nodes[node].incarnation, ticket: ticket), after: length)
    case .poison, .suddenPoison, .bad:
      return end(ticket, .failed(reason: "bad"), length, at: node)
    case .good: break
    }
    if random.chance(plan.hanging) { return }
    if plan.unmendable > 0, random.chance(plan.unmendable) {
      return end(ticket, .failed(reason: "for ever", code: .unmendable), length, at: node)
    }
    let outcome: AttemptOutcome =
      random.chance(plan.throwing)
      ? .failed(reason: "threw") : .succeeded(seconds: length.inSeconds)
    end(ticket, outcome, length, at: node)
  }

  private mutating func crash(_ node: Int, after length: Duration) {
    schedule(.crash(node: node, nodes[node].incarnation), after: length)
  }

  private mutating func end(
    _ ticket: UInt64, _ outcome: AttemptOutcome, _ length: Duration, at node: Int
  ) {
    schedule(
      .scanEnds(node: node, nodes[node].incarnation, ticket: ticket, outcome), after: length)
  }

  private mutating func scanEnded(_ ticket: UInt64, _ outcome: AttemptOutcome, at node: Int) {
    guard let call = nodes[node].calls.removeValue(forKey: ticket), let start = call.start
    else { return }
    let scan = start.duration(to: now).inSeconds
    let queued = call.arrival.duration(to: start).inSeconds
    // The coordinator completes the timing, since only it knows the turnaround.
    let timing = AttemptTiming(scan: scan, queued: queued, turnaround: scan + queued)
    send(.answer(call.attempt.id, outcome, timing), over: call.link)
    if let next = nodes[node].ended(ticket, at: now) { self.start(next, at: node) }
    sayGoodbyeIfAnswered(call.link)
    leaveIfDrained(node)
  }

  private mutating func drain(_ node: Int, _ reason: DrainReason = .leaving) {
    for link in links.indices where links[link].node == node { tellOfDrain(over: link) }
    for ticket in nodes[node].queue.drain(reason) {
      guard let call = nodes[node].calls.removeValue(forKey: ticket) else { continue }
      send(.answer(call.attempt.id, .handedBack, nil), over: call.link)
    }
  }

  mutating func tellOfDrain(over link: Int) {
    links[link].isToldOfDrain = true
    send(.draining, over: link)
  }

  /// A node that takes calls again ends the connections over which it said that it takes none, each when its calls
  /// are answered.
  private mutating func sayGoodbyeIfAnswered(_ link: Int) {
    let node = links[link].node
    guard links[link].isToldOfDrain, !links[link].isKnownToNode, !nodes[node].queue.isDraining,
      nodes[node].incarnation == links[link].incarnation, nodes[node].tickets(of: link).isEmpty
    else { return }
    send(.goodbye, over: link)
    links[link].isKnownToNode = true
  }

  /// A draining node ends when no scan is left, after its last answers.
  private mutating func leaveIfDrained(_ node: Int) {
    guard nodes[node].queue.drainReason == .leaving, nodes[node].queue.runningCount == 0 else {
      return
    }
    crash(node, after: .seconds(1))
  }

  private mutating func stop(_ node: Int) {
    if nodes[node].isLocal {
      let own = links.last { $0.node == node }
      return killCoordinator(own?.coordinator ?? 0)
    }
    nodes[node].stop()
    for link in links.indices where links[link].node == node { breakLink(link) }
    let isAtOnce = plan.isSupervised || nodes[node].plan.life != nil
    schedule(
      .restart(node: node), after: isAtOnce ? Plan.supervision : random.seconds(0.1...20))
  }
}
