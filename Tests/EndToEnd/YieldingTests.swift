import Foundation
import Testing

/// Engagements beside a node on the same machine.
@Suite("An engagement beside a node of its machine", .timeLimit(.ample))
struct YieldingTests {
  /// An engagement without `--slots` that scans the images of a folder as they come, with a node.
  private func following(_ node: RunningNode, _ stage: Stage) throws -> RunningEngagement {
    RunningEngagement(
      process: try stage.skynet(
        "engage", "--no-discovery", "--peers", "127.0.0.1:\(node.port)", "--follow",
        stage.file("night"), "--catalog", stage.file("out/{name}.csv")), resultsFile: "")
  }

  @Test("The node is used instead of the command's own slots, which serve again when it is gone")
  func yields() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      var frames = try NightFrames(on: stage)
      let run = try following(a, stage)
      try await run.process.lines(1) {
        $0.wholeMatch(
          of:
            /a runs on this machine: its \d+ slots? (is|are) used instead of \d+ of this command; --slots N uses both/
        ) != nil
      }
      try await frames.add(8)
      try await run.completions(8, by: "a")
      a.process.send(SIGTERM)
      try await run.process.line("this machine's own slots scan again")
      try await frames.add(1)
      try await run.completions(by: "local")
    }
  }

  @Test("A node whose process died soon after it connected is not used instead of the own slots")
  func dyingNode() async throws {
    try await Stage.with { stage in
      let a = try await RestartableNode.onLoopback("a", stage)
      var frames = try NightFrames(on: stage)
      let run = try following(await a.current, stage)
      try await run.process.lines(1) { $0.hasPrefix("a runs on this machine") }
      try await a.end(by: SIGKILL)
      try await a.startAgain()
      try await run.process.lines(1) { $0.contains("paused a for ") }
      try await frames.add(1)
      try await run.completions(by: "local")
    }
  }

  @Test("Scans that leave the processor idle run on the node and on the command's own slots")
  func both() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      // The engagement has as many of its own as a node by default.
      let slots = a.slots
      let results = stage.file("results")
      let run = RunningEngagement(
        process: try stage.skynet(
          "engage", "--no-discovery", "--peers", "127.0.0.1:\(a.port)", "--wait-for", "1",
          "--results", results, "--scan-seconds", "0.2", "--total", "\(12 * slots)"),
        resultsFile: results)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 12 * slots)
      #expect(!outcome.errors.contains { $0.contains("runs on this machine") })
      // So the run takes at most 0.6 of its time alone.
      #expect(outcome.shares.values.allSatisfy { $0 * 10 <= 12 * slots * 6 }, "\(outcome.shares)")
    }
  }

  @Test("An engagement that was given --slots uses them beside the node for images too")
  func asked() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      var frames = try NightFrames(on: stage)
      try await frames.add(24)
      let run = try stage.engage(
        peers: [a.port], frames.arguments(and: ["--slots", "1", "--wait-for", "1"]))
      let outcome = try await run.outcome()
      #expect(outcome.shares.keys.sorted() == ["a", "local"])
      #expect(!outcome.errors.contains { $0.contains("runs on this machine") })
    }
  }
}
