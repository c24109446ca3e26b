import Foundation
import SkyNetCore

/// Injects a plan's faults into a cluster: each victim's one after another, those of different
/// victims at the same time.
struct Nemesis {
  let plan: NemesisPlan
  let cluster: NemesisCluster
  let record: NemesisRecord

  /// Injects faults until the time is up. When it returns, every fault is undone.
  func run(until end: ContinuousClock.Instant) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for (victim, schedule) in plan.schedule {
        group.addTask {
          for scheduled in schedule {
            try await Endurance.pass(scheduled.pause)
            guard ContinuousClock.now < end else { return }
            record.injected(victim, scheduled)
            try await inject(victim, scheduled)
          }
        }
      }
    }
  }

  /// Injects a fault, and undoes it after its time.
  private func inject(_ victim: String, _ scheduled: NemesisPlan.ScheduledFault) async throws {
    switch scheduled.fault {
    case .kill, .stop, .drain:
      if let node = cluster.nodes[victim] { try await inject(node, scheduled) }
    case .cut, .flap, .slow:
      if let lab = cluster.lab { try await inject(cableOf: victim, lab, scheduled) }
    case .delay, .stall, .mute, .sever:
      let node = victim.split(separator: " ").last.map(String.init) ?? victim
      if let wire = cluster.wires[node] { try await inject(wire, scheduled) }
    case .rewrite: try await cluster.sky.rewrite(for: scheduled.lasting)
    case .babble, .gibber:
      let node = victim.split(separator: " ").first.map(String.init) ?? victim
      if let node = cluster.nodes[node] { try await babble(at: node, scheduled) }
    }
  }

  private func inject(_ node: RestartableNode, _ scheduled: NemesisPlan.ScheduledFault) async throws
  {
    switch scheduled.fault {
    case .stop:
      await node.send(SIGSTOP)
      try await Endurance.pass(scheduled.lasting)
      await node.send(SIGCONT)
    case .drain:
      let status = try await node.end(by: SIGTERM)
      if status != 0 { record.wrong("\(node.name) drained with status \(status ?? -1)") }
      try await Endurance.pass(scheduled.lasting)
      try await node.startAgain()
    default:
      try await node.end(by: SIGKILL)
      try await Endurance.pass(scheduled.lasting)
      try await node.startAgain()
    }
  }

  private func babble(at node: RestartableNode, _ scheduled: NemesisPlan.ScheduledFault)
    async throws
  {
    let port = await node.current.port
    var random = SplitMix64(seed: plan.seed ^ UInt64(bitPattern: Int64(port)))
    let member = try MisbehavingMember(of: cluster.stage)
    for _ in 0..<10 {
      let nonsense = MisbehavingMember.nonsense(&random)
      // The node may just be down.
      if scheduled.fault == .babble {
        try? await member.say(nonsense, to: port)
      } else {
        _ = try? await RawConnection.answer(to: Data(nonsense), port: port)
      }
    }
  }

  private func inject(cableOf host: String, _ lab: Lab, _ scheduled: NemesisPlan.ScheduledFault)
    async throws
  {
    if scheduled.fault == .slow, cluster.hasNetem {
      try await lab.run("slow", host, "100ms", "5%")
      try await Endurance.pass(scheduled.lasting)
      return try await lab.run("slow", host, "0")
    }
    // Where the kernel cannot drop single packets, short cuts drop them in bursts.
    let cuts = scheduled.fault == .cut ? 1 : 5
    for _ in 0..<cuts {
      try await lab.run("cut", host)
      try await Endurance.pass(scheduled.lasting / cuts)
      try await lab.run("heal", host)
      if cuts > 1 { try await Endurance.pass(.milliseconds(100)) }
    }
  }

  private func inject(_ wire: FaultyWire, _ scheduled: NemesisPlan.ScheduledFault) async throws {
    switch scheduled.fault {
    case .sever: return wire.breakConnections()
    case .delay: wire.become(.slow(.milliseconds(200)))
    case .stall: wire.become(.stalled)
    default: wire.become(.mute)
    }
    try await Endurance.pass(scheduled.lasting)
    wire.become(.sound)
  }
}
