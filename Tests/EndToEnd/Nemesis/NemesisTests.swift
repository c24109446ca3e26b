import Foundation
import Testing

extension Endurance {
  /// Engagements run while nodes and links are killed, stopped, drained, cut, delayed and broken, and an image is
  /// written over, by a random plan (as Jepsen's nemesis does). `SKYNET_NEMESIS_SEED` repeats a plan.
  @Suite("Nemesis", .timeLimit(.ample))
  struct NemesisTests {
    /// The most memory that a process may use, in KiB; many times its need.
    private static let memoryBound = 512 * 1024

    @Test(
      "Faults on the hosts of a lab lose no sector",
      .enabled(Lab.impossible) { await Lab.isPossible })
    func onHostsNothingIsLost() async throws {
      let seed = try Endurance.seed("SKYNET_NEMESIS_SEED")
      let seconds = try Endurance.number("SKYNET_NEMESIS_SECONDS") ?? (isThorough ? 300 : 30)
      try await Stage.with { stage in
        try await Lab.with(hosts: 4) { lab in
          let cluster = try await NemesisCluster.onHosts(["h1", "h2", "h3", "h4"], lab, stage)
          try await play(
            cluster,
            NemesisPlan(
              seed: seed, seconds: seconds, victims: cluster.victims, clients: cluster.clients))
          #expect(lab.processes(of: Paths.binary).isEmpty)
        }
      }
    }

    /// This test needs neither root nor a lab.
    @Test("Faults on the wires to local nodes lose no sector")
    func onBrokenWiresNothingIsLost() async throws {
      let seed = try Endurance.seed("SKYNET_NEMESIS_SEED")
      let seconds = try Endurance.number("SKYNET_NEMESIS_SECONDS") ?? (isThorough ? 300 : 10)
      try await Stage.with { stage in
        let cluster = try await NemesisCluster.onLoopback(stage)
        try await play(
          cluster,
          NemesisPlan(
            seed: seed, seconds: seconds, victims: cluster.victims, clients: cluster.clients,
            onlyWires: true))
      }
    }

    private func play(_ cluster: NemesisCluster, _ plan: NemesisPlan) async throws {
      defer { cluster.close() }
      print(
        "nemesis on \(cluster.lab == nil ? "wires" : "hosts"): SKYNET_NEMESIS_SEED=\(plan.seed)")
      fflush(nil)
      let record = NemesisRecord()
      do {
        try await inject(plan, cluster, record)
      } catch {
        Endurance.report("nemesis: \(error)", ["seed \(plan.seed)"] + record.story)
        throw error
      }
      record.tell("healed, and all engagements have ended")
      try await expectRecovery(of: cluster, record)
      try await leave(cluster, record)
      var lines = ["seed \(plan.seed)"] + record.figures
      if !record.wrong.isEmpty { lines += ["what happened:"] + record.story }
      Endurance.report("nemesis", lines)
      #expect(record.wrong.isEmpty)
      #expect(record.peakMemory < Self.memoryBound)
    }

    /// Injects faults while engagements run. When it returns, every fault is undone, and all
    /// engagements have ended.
    private func inject(
      _ plan: NemesisPlan, _ cluster: NemesisCluster, _ record: NemesisRecord
    ) async throws {
      let end = ContinuousClock.now + .seconds(plan.rounds.count)
      try await withThrowingTaskGroup(of: Void.self) { group in
        let nemesis = Nemesis(plan: plan, cluster: cluster, record: record)
        group.addTask { try await nemesis.run(until: end) }
        let work = NemesisWork(plan: plan, cluster: cluster, record: record)
        group.addTask { try await work.run(until: end) }
        try await group.waitForAll()
      }
    }

    /// Expects that after so many faults every node is found and scans: the run lasts until each
    /// has completed a sector.
    private func expectRecovery(of cluster: NemesisCluster, _ record: NemesisRecord) async throws {
      let work = NemesisPlan.Work(
        client: cluster.clients[0], total: 100_000, scanSeconds: 0.5, failingEvery: 0,
        scansImage: false, localSlots: 0,
        isThroughWires: cluster.lab == nil, stop: nil)
      // After lost packets, Avahi asks for a node's records again later and later.
      let run = try cluster.engage(
        work, number: 0, "--wait-for", "\(cluster.nodes.count)", "--wait-timeout", "5m")
      for name in cluster.nodes.keys { try await run.completions(by: name) }
      try await run.stopUndisturbed()
    }

    /// Expects that every node still stops in order.
    private func leave(_ cluster: NemesisCluster, _ record: NemesisRecord) async throws {
      for (name, node) in cluster.nodes.sorted(by: { $0.key < $1.key }) {
        let status = try await node.end(by: SIGTERM)
        #expect(status == 0, "\(name)")
        let peak = await node.peakMemory
        #expect(peak < Self.memoryBound)
        record.tell("\(name) left")
        print("  node \(name): \(await node.restarts) restarts, memory \(Memory.text(peak))")
      }
    }
  }
}
