import Foundation
import Testing

extension Endurance {
  /// More sectors in flight than a node can hold.
  @Suite("Large sectors", .timeLimit(.ample))
  struct LargeSectorTests {
    /// 64 slots of 40 MB are 2.4 GiB, and a node holds 1 GiB for one peer.
    @Test(
      "A node takes as many sectors as fit into its memory, and takes part",
      .enabled(if: Endurance.isThorough, "needs minutes and 2 GiB: Tests/run large-sectors"))
    func aNodeTakesTheSectorsThatFit() async throws {
      try await Stage.with { stage in
        let a = try await stage.node("a", "--slots", "64")
        let run = try stage.engage(
          peers: [a.port], "--no-local", "--total", "100", "--sector-bytes", "40000000",
          "--scan-seconds", "5", "--failing-every", "0")
        let outcome = try await run.outcome()
        try outcome.expectEverySectorOnce(of: 100)
        #expect(try outcome.summary.retried == 0)
        let memory = try #require(Memory.peak(of: a.process.id))
        Endurance.report("large sectors", ["the node's memory: \(Memory.text(memory))"])
        if !Memory.isInstrumented { #expect(memory < 1536 * 1024) }
      }
    }
  }
}
