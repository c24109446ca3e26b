import Foundation
import Testing

extension Endurance {
  /// Engagements while everything around them is killed, stopped, drained, cut, delayed and broken
  /// by a plan drawn from a seed; `SKYNET_NEMESIS_SEED` repeats it.
  @Suite(.serialized, .timeLimit(.minutes(60)))
  struct NemesisTests {
    /// What any process may have of the memory, in KiB; many times what it needs.
    private static let memoryBound = 512 * 1024

    @Test(.enabled(Lab.impossible) { await Lab.isPossible })
    func onHostsNothingIsLost() async throws {
      let seed = try Endurance.seed("SKYNET_NEMESIS_SEED")
      let seconds = try Endurance.number("SKYNET_NEMESIS_SECONDS") ?? (isThorough ? 300 : 30)
      try await Stage.with { stage in
        try await Lab.with(hosts: 4) { lab in
          let theatre = try await Theatre.onHosts(["h1", "h2", "h3", "h4"], lab, stage)
          try await play(
            theatre,
            NemesisPlan(
              seed: seed, seconds: seconds, victims: theatre.victims, clients: theatre.clients))
          #expect(lab.processes(of: Place.binary).isEmpty)
        }
      }
    }

    /// Needs neither root nor hosts.
    @Test func onBrokenWiresNothingIsLost() async throws {
      let seed = try Endurance.seed("SKYNET_NEMESIS_SEED")
      let seconds = try Endurance.number("SKYNET_NEMESIS_SECONDS") ?? (isThorough ? 300 : 10)
      try await Stage.with { stage in
        let theatre = try await Theatre.onLoopback(stage)
        try await play(
          theatre,
          NemesisPlan(
            seed: seed, seconds: seconds, victims: theatre.victims, clients: theatre.clients,
            onlyWires: true))
      }
    }

    private func play(_ theatre: Theatre, _ plan: NemesisPlan) async throws {
      defer { theatre.close() }
      print(
        "nemesis on \(theatre.lab == nil ? "wires" : "hosts"): SKYNET_NEMESIS_SEED=\(plan.seed)")
      fflush(nil)
      let record = NemesisRecord()
      do {
        try await strike(plan, theatre, record)
      } catch {
        Endurance.report("nemesis: \(error)", ["seed \(plan.seed)"] + record.story)
        throw error
      }
      record.tell("healed, and all engagements have ended")
      try await expectRecovery(of: theatre, record)
      try await leave(theatre, record)
      var lines = ["seed \(plan.seed)"] + record.figures
      if !record.wrong.isEmpty { lines += ["what happened:"] + record.story }
      Endurance.report("nemesis", lines)
      #expect(record.wrong.isEmpty)
      #expect(record.peakMemory < Self.memoryBound)
    }

    /// Strikes while engagements run. When it returns all is healed, and all of them have ended.
    private func strike(
      _ plan: NemesisPlan, _ theatre: Theatre, _ record: NemesisRecord
    ) async throws {
      let end = ContinuousClock.now + .seconds(plan.rounds.count)
      try await withThrowingTaskGroup(of: Void.self) { group in
        let nemesis = Nemesis(plan: plan, theatre: theatre, record: record)
        group.addTask { try await nemesis.run(until: end) }
        let work = NemesisWork(plan: plan, theatre: theatre, record: record)
        group.addTask { try await work.run(until: end) }
        try await group.waitForAll()
      }
    }

    /// Nodes that were struck that often are all found, and as good as new: it lasts until each has
    /// scanned.
    private func expectRecovery(of theatre: Theatre, _ record: NemesisRecord) async throws {
      let work = NemesisPlan.Work(
        client: theatre.clients[0], total: 100_000, scanSeconds: 0.5, failingEvery: 0,
        localSlots: 0,
        isThroughWires: theatre.lab == nil, stop: nil)
      let run = try theatre.engage(work, number: 0, "--wait-for", "\(theatre.stations.count)")
      for name in theatre.stations.keys { try await run.completions(by: name) }
      try await run.stopUndisturbed()
    }

    /// Nodes that were struck that often still leave in order.
    private func leave(_ theatre: Theatre, _ record: NemesisRecord) async throws {
      for (name, station) in theatre.stations.sorted(by: { $0.key < $1.key }) {
        let status = try await station.end(by: SIGTERM)
        #expect(status == 0, "\(name)")
        let peak = await station.peakMemory
        #expect(peak < Self.memoryBound)
        record.tell("\(name) left")
        print("  node \(name): \(await station.restarts) restarts, memory \(Memory.text(peak))")
      }
    }
  }
}
