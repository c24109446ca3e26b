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
            /a runs on this machine: its \d+ slots? (is|are) used instead of \d+ of this command; --slots N uses both/
        ) != nil
      }
      try await run.completions(20, by: "a")
      a.process.send(SIGTERM)
      try await run.process.line("this machine's own slots scan again")
      try await run.completions(by: "local")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 400)
      let completions = outcome.errors.filter { $0.hasPrefix("completed ") }
      #expect(completions.prefix(20).allSatisfy { $0.hasSuffix(" by a") })
    }
  }

  @Test("A node that dies soon after each connection costs no sector: the own slots serve")
  func dyingNode() async throws {
    try await Stage.with { stage in
      let a = try await RestartableNode.onLoopback("a", stage)
      let results = stage.file("results")
      let port = await a.current.port
      let run = RunningEngagement(
        process: try stage.skynet(
          "engage", "--no-discovery", "--peers", "127.0.0.1:\(port)", "--results", results,
          "--total", "40", "--failing-every", "0"), resultsFile: results)
      let outcome = try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          while !Task.isCancelled {
            try await a.current.process.lines(1) { $0.contains(" connected") }
            try await Task.sleep(for: .milliseconds(400))
            try await a.end(by: SIGKILL)
            try await a.startAgain()
          }
        }
        defer { group.cancelAll() }
        return try await run.outcome()
      }
      try outcome.expectEverySectorOnce(of: 40)
      #expect(outcome.errors.contains("this machine's own slots scan again"))
      #expect(outcome.errors.contains { $0.contains("paused a for ") })
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
