import Foundation
import SkyNetCore
import Testing

extension Endurance {
  /// A coordinator that is killed at random, and resumes each time by its journal, while its nodes
  /// are killed too; `SKYNET_CRASHES_SEED` repeats the moments.
  @Suite(.serialized, .timeLimit(.minutes(30)))
  struct CrashTests {
    /// What is done twice for the crashes' sake is to be less than this share of the sectors, on a
    /// machine that commits as fast as it promises to. Beside other tests it may be slow.
    private static let doubleShare = isThorough ? 0.05 : 0.5

    @Test func aCoordinatorThatIsKilledResumes() async throws {
      let seed = try Endurance.seed("SKYNET_CRASHES_SEED")
      let (total, kills) = isThorough ? (2000, 20) : (500, 5)
      print("crashes: SKYNET_CRASHES_SEED=\(seed)")
      try await Stage.with { stage in
        var stations: [Station] = []
        for name in ["a", "b", "c"] {
          stations.append(
            try await .onLoopback(name, stage, "--slots", "4", "--log-level", "debug"))
        }
        let crashes = Crashes(stage: stage, total: total, stations: stations)
        var random = SplitMix64(seed: seed)
        let end = try await crashes.run(kills: kills, &random)
        try end.outcome.expectResultsOnce(of: total)

        var log = ScanLog()
        for station in stations { log.add(await station.log) }
        for errors in end.errors { log.add(ownOf: errors) }
        let share = Double(log.doubles) / Double(total)
        let unlogged = total - log.scans.count
        var restarts = 0
        for station in stations { restarts += await station.restarts }
        Endurance.report(
          "crashes",
          [
            "seed \(seed)", "\(end.errors.count - 1) kills, \(end.resumes) resumes",
            "\(restarts) nodes killed and started again",
            "\(end.outcome.results.count) of \(total) sectors, each once",
            "\(log.doubles) scanned more than once (\((share * 100).digits(2)) %), as the logs tell; "
              + "the lines of \(unlogged) were lost with their process",
            "coordinators' memory: at most \(Memory.text(end.peakMemory))",
          ])
        #expect(end.errors.count - 1 > kills / 2, "the run ended before it was killed that often")
        // A line that waits to be written, for some 20 ms, is lost with its process, and so are
        // those of the scans that end together on its four slots. A few processes are killed then.
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
  /// Expects a result for each sector, whoever found it and in whichever run.
  fileprivate func expectResultsOnce(of total: Int) throws {
    #expect(try discrepancies(of: total, summarizes: false) == [])
    #expect(status == 0)
    let summary = try summary
    #expect(summary.total == total && summary.failed == 0)
  }
}
