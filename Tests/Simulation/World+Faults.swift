import SkyNetCore

/// Plans the faults, and ends and resumes coordinators' processes.
extension World {
  mutating func planFaults() {
    let end = plan.faultsEnd.sinceOrigin.inSeconds
    for _ in 0..<plan.coordinatorCrashes {
      schedule(.killCoordinator, after: random.seconds(0...end))
    }
    let remote = nodes.indices.filter { !nodes[$0].isLocal }
    for node in remote {
      scheduleDeath(of: node)
      guard let every = nodes[node].plan.cutEvery else { continue }
      schedule(.cutAgain(node: node, every), after: every)
    }
    guard !remote.isEmpty else { return }
    for _ in 0..<plan.faults {
      let node = random.pick(remote)
      let apart = remote.filter { _ in random.chance(0.5) }
      var faults = [
        Event.crash(node: node, nil), .drain(node: node), .cut(node: node),
        .partition(nodes: apart),
      ]
      if asksToDrain { faults.append(.cordon(node: node)) }
      let fault = random.pick(faults)
      schedule(fault, after: random.seconds(0...end))
    }
    guard plan.isLast else { return }
    for node in remote { agenda.add(.crash(node: node, nil), at: plan.faultsEnd) }
  }

  /// Whether recurring faults still recur.
  var isTroubled: Bool { plan.isEndless ? !isEverythingOver : now < plan.faultsEnd }

  private var isEverythingOver: Bool { coordinators.allSatisfy(\.isOver) }

  /// Schedules the death of a process whose place does not let it live for long.
  mutating func scheduleDeath(of node: Int) {
    guard let life = nodes[node].plan.life, isTroubled else { return }
    schedule(.crash(node: node, nodes[node].incarnation), after: life)
  }

  mutating func handleProcess(_ event: Event) {
    switch event {
    case .killCoordinator:
      // Only the latest process is alive, since a world with a journal has one engagement.
      if let last = coordinators.indices.last { killCoordinator(last) }
    case .resume:
      if let last = coordinators.last, last.isDead { startCoordinator(last.journal) }
    default: break
    }
  }

  /// A coordinator's process dies, and its own system with it. Later another process resumes its
  /// work.
  mutating func killCoordinator(_ number: Int) {
    guard !coordinators[number].isOver, let journal = coordinators[number].journal else { return }
    coordinators[number].isDead = true
    let unwritten = random.seconds(0...0.02)
    journal.lose(since: Instant(sinceOrigin: now.sinceOrigin - unwritten))
    for link in links.indices where links[link].coordinator == number {
      breakLink(link)
      let node = links[link].node
      if nodes[node].isLocal { nodes[node].stop() }
    }
    schedule(.resume, after: random.seconds(0.1...5))
  }
}
