import Foundation
import SkyNetCore
import Testing

extension Endurance {
  /// A coordinator is killed at random moments and resumes from its journal each time, while its
  /// nodes are killed too. `SKYNET_CRASHES_SEED` repeats the moments.
  @Suite("Crashes of the coordinator", .timeLimit(.ample))
  struct CrashTests {
    /// The share of sectors that may be scanned twice because of the crashes, on a machine that
    /// commits in time. Beside other tests the machine may be slow.
    private static let doubleShare = isThorough ? 0.05 : 0.5

    @Test("A coordinator that is killed again and again resumes each time and completes")
    func aCoordinatorThatIsKilledResumes() async throws {
      let seed = try Endurance.seed("SKYNET_CRASHES_SEED")
      // Long enough that it is killed in time on a busy machine, too.
      let (total, kills) = isThorough ? (2000, 20) : (1500, 5)
      print("crashes: SKYNET_CRASHES_SEED=\(seed)")
      try await Stage.with { stage in
        var nodes: [RestartableNode] = []
        for name in ["a", "b", "c"] {
          nodes.append(
            try await .onLoopback(name, stage, "--slots", "4", "--log-level", "debug"))
        }
        let crashes = Crashes(stage: stage, total: total, nodes: nodes)
        var random = SplitMix64(seed: seed)
        let end = try await crashes.run(kills: kills, &random)
        try end.outcome.expectResultsOnce(of: total)

        var log = ScanLog()
        for node in nodes { log.add(await node.log) }
        for errors in end.errors { log.add(ownOf: errors) }
        let share = Double(log.doubles) / Double(total)
        let unlogged = total - log.scans.count
        var restarts = 0
        for node in nodes { restarts += await node.restarts }
        Endurance.report(
          "crashes",
          [
            "seed \(seed)", "\(end.errors.count - 1) kills, \(end.resumes) resumes",
            "\(restarts) nodes killed and started again",
            "\(end.outcome.results.count) of \(total) sectors, each once",
            "\(log.doubles) scanned more than once (\((share * 100).digits(2)) %) by the logs; "
              + "the lines of \(unlogged) were lost with their process",
            "coordinators' memory: at most \(Memory.text(end.peakMemory))",
          ])
        #expect(end.errors.count - 1 > kills / 2, "the run ended before it was killed that often")
        // A killed process loses the lines of its last 20 ms, up to one for each of its four slots.
        // A few processes are killed at such a moment.
        #expect(
          unlogged <= (isThorough ? max(total / 50, 6 * 4) : total / 2),
          "the logs do not tell of what was scanned")
        #expect(share < Self.doubleShare)
        #expect(end.peakMemory < 512 * 1024)
      }
    }
  }
}

extension Outcome {
  /// Expects one result for each sector, from any system and any run.
  fileprivate func expectResultsOnce(of total: Int) throws {
    #expect(try discrepancies(of: total, summarizes: false) == [])
    #expect(status == 0, "\(results.filter { $0.error != nil })")
    let summary = try summary
    #expect(summary.total == total && summary.failed == 0)
  }
}
