import Foundation
import Testing

/// Nodes that are taken out of work and put back while an engagement runs.
@Suite("Nodes that are drained on purpose", .serialized, .timeLimit(.minutes(20)))
struct DrainingTests {
  @Test("A node is drained and undrained during an engagement, and each sector is scanned once")
  func drainAndUndrain() async throws {
    try await Stage.with { stage in
      let (a, b) = (try await stage.node("a"), try await stage.node("b", "--metrics"))
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
      #expect(health.body == "{\"status\":\"draining\",\"drainedBy\":\"\(requester)\"}\n")

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
