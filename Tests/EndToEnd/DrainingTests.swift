import Foundation
import Testing

/// Nodes that are taken out of work and put back while an engagement runs.
@Suite("Nodes that are drained on purpose", .timeLimit(.ample))
struct DrainingTests {
  @Test("A node is drained and undrained during an engagement, and each sector is scanned once")
  func drainAndUndrain() async throws {
    try await Stage.with { stage in
      // While b is drained, a alone would need ten minutes for the rest.
      let a = try await stage.node("a", "--speed", "0.02")
      let b = try await stage.node("b", "--speed", "0.5", "--metrics")
      let run = try stage.engage(
        peers: [a.port, b.port], "--wait-for", "2", "--no-local", "--scan-seconds", "0.02",
        "--total", "2000")
      try await run.completions(by: "b")
      let drained = try await stage.ask("drain", [a, b], "b", "--wait", "--wait-timeout", "1m")
      #expect(drained.status == 0)
      #expect(drained.output.first?.hasPrefix("drained b: ") == true)
      #expect(drained.output.last == "b runs nothing any more")
      let requester = try #require(
        try await b.process.line("drained: takes no new scans").firstMatch(of: /client ([^,)]+)/)?.1
      )
      #expect(requester.contains("@"))
      try await run.process.line("b takes nothing new: drained by \(requester)")

      let systems = try stage.skynet(
        "systems", "--no-discovery", "--peers", "127.0.0.1:\(b.port)", "--wait", "1")
      #expect(
        try await systems.end().output.contains { $0.hasSuffix("drained by \(requester)") })
      let port = try #require(
        try await b.process.line("metrics: http://").firstMatch(of: /:(\d+)\//).flatMap {
          Int($0.1)
        })
      let health = try await HTTPAnswer.get("/health", port: port)
      #expect(health.status == 503)
      #expect(health.body == "{\"status\":\"draining\"}\n")

      let undrained = try await stage.ask("undrain", [a, b], "b")
      #expect(undrained.status == 0 && undrained.output == ["b takes scans"])
      try await run.process.line("disconnected b: it takes scans again")
      try await run.process.lines(2) { $0 == "connected b" }
      #expect(try await HTTPAnswer.get("/health", port: port).body == "{\"status\":\"ready\"}\n")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 2000)
      #expect(outcome.errors.contains("connected b"))
    }
  }

  @Test("A wait for a drained node tells a goodbye, a broken connection and an undrain apart")
  func waiting() async throws {
    try await Stage.with { stage in
      let nodes = [
        try await stage.node("a"), try await stage.node("b"),
        try await stage.node("c", "--drain-timeout", "0"),
      ]
      let run = try stage.engage(
        peers: nodes.map(\.port), "--wait-for", "3", "--no-local", "--scan-seconds", "1000",
        "--total", "1000")
      for node in nodes {
        while try await !stage.ask("systems", [node], "--wait", "500ms", "--json").output
          .contains(where: { $0.contains("\"scanning\":[{") })
        {
          try Task.checkCancellation()
        }
      }
      func drain(_ node: RunningNode, _ timeout: String) throws -> RunningProcess {
        try stage.skynet(
          "drain", "--no-discovery", "--peers", "127.0.0.1:\(node.port)", node.name, "--wait",
          "--wait-timeout", timeout)
      }
      let (killed, undrained, stopped) = (
        try drain(nodes[0], "20s"), try drain(nodes[1], "5m"), try drain(nodes[2], "5m")
      )
      for (process, node) in zip([killed, undrained, stopped], nodes) {
        try await process.output { $0.contains { $0.hasPrefix("drained \(node.name): ") } }
      }
      nodes[0].process.send(SIGKILL)
      try await killed.line("lost a: ")
      let lost = try await killed.end()
      #expect(lost.status == 1 && !lost.output.contains { $0.contains("has left") })
      #expect(
        lost.errors.contains("error: a was lost and not found again: scans may still run there"))

      #expect(try await stage.ask("undrain", [nodes[1]], "b").status == 0)
      let again = try await undrained.end()
      #expect(again.status == 1)
      #expect(again.errors.contains("error: b was undrained meanwhile, and takes scans"))

      nodes[2].process.send(SIGTERM)
      let left = try await stopped.end()
      #expect(left.status == 0 && left.output.last == "c has left")
      run.process.send(SIGKILL)
    }
  }

  @Test("An unknown name, and one of two systems, are refused with the systems that are there")
  func names() async throws {
    try await Stage.with { stage in
      let (a, b) = (try await stage.node("a"), try await stage.node("b"))
      let twin = try await stage.node("b")
      let unknown = try await stage.ask("drain", [a], "c")
      #expect(unknown.status == 2 && unknown.output.isEmpty)
      #expect(unknown.errors.last == "error: no system has the name c: there is a")
      let twice = try await stage.ask("drain", [b, twin], "b")
      #expect(twice.status == 2)
      let addresses = [b.port, twin.port].map { "b@127.0.0.1:\($0)" }.sorted()
      #expect(
        twice.errors.last
          == "error: 2 systems have the name b: give one of \(addresses.joined(separator: ", "))")
      #expect(try await stage.ask("drain", [b, twin], addresses[0]).status == 0)
    }
  }
}

extension Stage {
  /// Runs `drain`, `undrain` or another command with these nodes in reach, without DNS-SD.
  func ask(
    _ command: String, _ nodes: [RunningNode], _ arguments: String...
  ) async throws -> RunningProcess.Story {
    let peers = nodes.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    return try await skynet([command, "--no-discovery", "--peers", peers] + arguments).end()
  }
}
