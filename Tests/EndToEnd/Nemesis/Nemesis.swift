import Foundation
import SkyNetCore

/// Does what a plan says to a theatre: each victim takes its blows one after another, all victims
/// at a time.
struct Nemesis {
  let plan: NemesisPlan
  let theatre: Theatre
  let record: NemesisRecord

  /// Strikes until the time is up. All is healed when it returns.
  func run(until end: ContinuousClock.Instant) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for (victim, blows) in plan.blows {
        group.addTask {
          for blow in blows {
            try await Endurance.pass(blow.pause)
            guard ContinuousClock.now < end else { return }
            record.struck(victim, blow)
            try await strike(victim, blow)
          }
        }
      }
    }
  }

  /// Deals a blow, and undoes it.
  private func strike(_ victim: String, _ blow: NemesisPlan.Blow) async throws {
    switch blow.fault {
    case .kill, .stop, .drain:
      if let station = theatre.stations[victim] { try await strike(station, blow) }
    case .cut, .flap, .slow:
      if let lab = theatre.lab { try await strike(cableOf: victim, lab, blow) }
    case .delay, .stall, .mute, .sever:
      let node = victim.split(separator: " ").last.map(String.init) ?? victim
      if let wire = theatre.wires[node] { try await strike(wire, blow) }
    case .babble, .gibber:
      let node = victim.split(separator: " ").first.map(String.init) ?? victim
      if let station = theatre.stations[node] { try await babble(at: station, blow) }
    }
  }

  private func strike(_ station: Station, _ blow: NemesisPlan.Blow) async throws {
    switch blow.fault {
    case .stop:
      await station.send(SIGSTOP)
      try await Endurance.pass(blow.lasting)
      await station.send(SIGCONT)
    case .drain:
      let status = try await station.end(by: SIGTERM)
      if status != 0 { record.wrong("\(station.name) drained with status \(status ?? -1)") }
      try await Endurance.pass(blow.lasting)
      try await station.startAgain()
    default:
      try await station.end(by: SIGKILL)
      try await Endurance.pass(blow.lasting)
      try await station.startAgain()
    }
  }

  private func babble(at station: Station, _ blow: NemesisPlan.Blow) async throws {
    let port = await station.node.port
    var random = SplitMix64(seed: plan.seed ^ UInt64(bitPattern: Int64(port)))
    let babbler = try Babbler(of: theatre.stage)
    for _ in 0..<10 {
      let nonsense = Babbler.nonsense(&random)
      // There may be no node there just now.
      if blow.fault == .babble {
        try? await babbler.say(nonsense, to: port)
      } else {
        _ = try? await RawConnection.answer(to: Data(nonsense), port: port)
      }
    }
  }

  private func strike(cableOf host: String, _ lab: Lab, _ blow: NemesisPlan.Blow) async throws {
    if blow.fault == .slow, theatre.hasNetem {
      try await lab.run("slow", host, "100ms", "5%")
      try await Endurance.pass(blow.lasting)
      return try await lab.run("slow", host, "0")
    }
    // Where packets cannot be dropped one by one, they are in bursts.
    let cuts = blow.fault == .cut ? 1 : 5
    for _ in 0..<cuts {
      try await lab.run("cut", host)
      try await Endurance.pass(blow.lasting / cuts)
      try await lab.run("heal", host)
      if cuts > 1 { try await Endurance.pass(.milliseconds(100)) }
    }
  }

  private func strike(_ wire: FaultyWire, _ blow: NemesisPlan.Blow) async throws {
    switch blow.fault {
    case .sever: return wire.breakConnections()
    case .delay: wire.become(.slow(.milliseconds(200)))
    case .stall: wire.become(.stalled)
    default: wire.become(.mute)
    }
    try await Endurance.pass(blow.lasting)
    wire.become(.sound)
  }
}
