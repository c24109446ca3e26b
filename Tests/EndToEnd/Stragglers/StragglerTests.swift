import Foundation
import Testing

extension Endurance {
  /// One of three nodes takes twenty times as long as the others. The test measures how much later
  /// the run ends than without that node.
  @Suite(
    "Stragglers", .timeLimit(.ample),
    .enabled(if: isThorough, "SKYNET_THOROUGH=1"))
  struct StragglerTests {
    private static let total = 300
    private static let scanSeconds = 0.5

    @Test(
      "A slow system hardly delays the end of a run", arguments: [["--failing-every", "0"], []])
    func aSlowSystemHardlyDelaysTheEnd(_ options: [String]) async throws {
      // The least time of the two other nodes alone.
      try await expect(lastSpeed: 0.05, options, ideal: rounds(over: 8), bound: 1.25)
    }

    @Test("Equal systems are all used", arguments: [["--failing-every", "0"], []])
    func equalSystemsAreAllUsed(_ options: [String]) async throws {
      try await expect(lastSpeed: 1, options, ideal: rounds(over: 12), bound: 1.05)
    }

    /// The least time in which this many slots can scan all sectors.
    private func rounds(over slots: Int) -> Double {
      (Double(Self.total) / Double(slots)).rounded(.up) * Self.scanSeconds
    }

    /// Prints whether the bound is met, and fails only far beyond it, where luck or load is no
    /// explanation.
    private func expect(
      lastSpeed: Double, _ options: [String], ideal: Double, bound: Double
    ) async throws {
      try await Stage.with { stage in
        var ports: [Int] = []
        for (name, speed) in [("a", 1), ("b", 1), ("c", lastSpeed)] {
          ports.append(try await stage.node(name, "--slots", "4", "--speed", "\(speed)").port)
        }
        let results = stage.file("results")
        let peers = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        let process = try stage.skynet(
          [
            "engage", "--no-discovery", "--no-local", "--peers", peers, "--wait-for", "3",
            "--total", "\(Self.total)", "--scan-seconds", "\(Self.scanSeconds)", "--results",
            results,
          ] + options)
        _ = try await process.end()
        let outcome = try await RunningEngagement(process: process, resultsFile: results).outcome()
        try outcome.expectEverySectorOnce(of: Self.total)
        let seconds = try outcome.summary.seconds
        let ratio = seconds / ideal
        let failing = options.isEmpty ? "every tenth call failing" : "no call failing"
        Endurance.report(
          "stragglers: one of three nodes at speed \(lastSpeed), \(failing)",
          [
            "\(seconds.digits(1)) s, \(ratio.digits(3)) of the ideal \(ideal.digits(1)) s; "
              + "\(ratio <= bound ? "within" : "BEYOND") the \(bound) aimed at",
            outcome.errors.last ?? "",
          ])
        #expect(ratio <= 2 * bound)
      }
    }
  }
}
