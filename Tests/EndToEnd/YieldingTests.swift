import Foundation
import Testing

/// Engagements beside a node on the same machine.
@Suite("An engagement beside a node of its machine", .serialized, .timeLimit(.minutes(20)))
struct YieldingTests {
  @Test("The node is used instead of the command's own slots, which serve again when it is gone")
  func yields() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let results = stage.file("results")
      let run = RunningEngagement(
        process: try stage.skynet(
          "engage", "--no-discovery", "--peers", "127.0.0.1:\(a.port)", "--wait-for", "1",
          "--results", results, "--scan-seconds", "0.05", "--total", "400"), resultsFile: results)
      try await run.process.lines(1) {
        $0.wholeMatch(
          of:
            /a runs on this machine: it is used instead of \d+ slots of this command; --slots N uses both/
        ) != nil
      }
      try await run.completions(20, by: "a")
      a.process.send(SIGTERM)
      try await run.completions(by: "local")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 400)
      let completions = outcome.errors.filter { $0.hasPrefix("completed ") }
      #expect(completions.prefix(20).allSatisfy { $0.hasSuffix(" by a") })
    }
  }

  @Test("An engagement that was given --slots uses them beside the node")
  func both() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let run = try stage.engage(
        peers: [a.port], "--slots", "2", "--wait-for", "1", "--scan-seconds", "0.05", "--total",
        "100000")
      for system in ["a", "local"] { try await run.completions(by: system) }
      let outcome = try await run.stopUndisturbed()
      #expect(!outcome.errors.contains { $0.contains("runs on this machine") })
    }
  }
}
