import Foundation
import Testing

extension Endurance {
  /// Engagements that compete for the same slots get equal shares of their time.
  @Suite("Fair sharing", .timeLimit(.ample))
  struct FairnessTests {
    private static let seconds = 30
    /// How far a share may deviate from an equal one.
    private static let bound = 0.10
    /// The fraction of the slots' time that must be used.
    private static let use = 0.8
    /// How many scans each engagement must get in the short form of the test, which measures
    /// nothing. That is more than all slots run at a time, so an engagement that starves does not
    /// get them.
    private static let some = 24

    /// The length of each engagement's scans, in seconds.
    private static let cases: [[Double]] =
      [[0.2, 0.2, 0.2], [0.2, 1.0]] + (isThorough ? [[0.2, 0.2], [0.2, 1.0, 0.2]] : [])

    @Test("Engagements get equal shares of the slots' time", arguments: cases)
    func slotsAreSharedByTime(_ scanSeconds: [Double]) async throws {
      try await Stage.with { stage in
        var ports: [Int] = []
        for name in ["a", "b"] { ports.append(try await stage.node(name, "--slots", "4").port) }
        let runs = try scanSeconds.enumerated().map { number, seconds in
          try stage.engage(
            peers: ports, "--name", "client-\(number)", "--no-local", "--wait-for", "2",
            "--scan-seconds", "\(seconds)", "--failing-every", "0", "--total", "100000",
            "--timeout", "60")
        }
        // From here on every engagement wants all slots.
        for run in runs { try await run.process.lines(1) { $0.hasPrefix("completed ") } }
        guard isThorough else {
          for run in runs {
            try await run.process.lines(Self.some) { $0.hasPrefix("completed ") }
          }
          for run in runs { run.process.send(SIGINT) }
          for run in runs { try await expectNothingFailed(run) }
          return
        }
        let before = runs.map(\.completed)
        try await Endurance.pass(.seconds(Self.seconds))
        let scans = zip(runs, before).map { $0.completed - $1 }
        for run in runs { run.process.send(SIGINT) }
        for run in runs { try await expectNothingFailed(run) }

        let slotSeconds = zip(scans, scanSeconds).map { Double($0) * $1 }
        let sum = slotSeconds.reduce(0, +)
        let shares = slotSeconds.map { $0 / sum }
        let worst = shares.map { abs($0 * Double(shares.count) - 1) }.max() ?? 1
        Endurance.report(
          "fairness: \(runs.count) engagements on two nodes for \(Self.seconds) s",
          zip(scanSeconds, zip(scans, shares)).map { seconds, done in
            "scans of \(seconds) s: \(done.0) done, \((done.1 * 100).digits(1)) % of the slot time"
          } + ["at most \((worst * 100).digits(1)) % from an equal share"])
        #expect(worst <= Self.bound)
        // Idle slots would be shared fairly by any rule.
        #expect(sum > Self.use * 8 * Double(Self.seconds))
      }
    }

    private func expectNothingFailed(_ run: RunningEngagement) async throws {
      let outcome = try await run.outcome()
      #expect(outcome.status == 130)
      #expect(try outcome.summary.failed == 0)
      for word in ["not heard from", "re-run", "gave up", "warning"] {
        #expect(outcome.errors.first { $0.contains(word) } == nil)
      }
    }
  }
}

extension RunningEngagement {
  /// How many sectors the engagement has completed by now.
  fileprivate var completed: Int {
    process.soFar.errors.count { $0.hasPrefix("completed ") }
  }
}
