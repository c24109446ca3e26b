import Foundation
import Testing

/// Engagements that lend their own slots to each other, on machines without a node.
@Suite("Engagements that serve others", .timeLimit(.ample))
struct LendingTests {
  @Test(
    "Of two hosts that engage, the one with idle slots helps the other",
    .enabled(Lab.impossible) { await Lab.isPossible })
  func idleHostHelps() async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 2) { lab in
        // It is busy for much longer than the other one, however late that starts.
        let little = try lending(
          on: "h1", of: lab, stage, "--slots", "4", "--total", "2", "--scan-seconds", "30")
        try await little.process.line("serving others on port ")
        let much = try lending(
          on: "h2", of: lab, stage, "--slots", "2", "--total", "60", "--scan-seconds", "0.2",
          "--wait-for", "1")
        try await little.process.lines(1) { $0 == "connected h2" }
        try await little.process.lines(1) { $0 == "helping h2" }
        let outcome = try await much.outcome()
        try outcome.expectEverySectorOnce(of: 60)
        #expect(outcome.errors.last?.contains(" by 2 systems (") == true)
        #expect(try outcome.summary.retried == 0)
        try await little.process.lines(1) { $0 == "helped h2" }
        try await little.outcome().expectEverySectorOnce(of: 2)
      }
    }
  }

  @Test(
    "Two hosts that help each other lose nothing when one of them is cut off",
    .enabled(Lab.impossible) { await Lab.isPossible })
  func cutOff() async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 2) { lab in
        let runs = try ["h1", "h2"].map { host in
          try lending(
            on: host, of: lab, stage, "--slots", "2", "--total", "200", "--scan-seconds", "0.1",
            "--timeout", "2", "--wait-for", "1")
        }
        try await runs[0].completions(by: "h2")
        try await runs[1].completions(by: "h1")
        try await lab.run("cut", "h2")
        for (run, other) in zip(runs, ["h2", "h1"]) {
          try await run.process.line("disconnected \(other): not heard from")
          let outcome = try await run.outcome()
          try outcome.expectEverySectorOnce(of: 200)
          #expect(Set(outcome.shares.keys) == [other, "local"])
        }
      }
    }
  }

  @Test("One that leaves early waits for nobody, and what it had running is scanned elsewhere")
  func leavesEarly() async throws {
    try await Stage.with { stage in
      let ports = [try freePort(), try freePort()]
      // Both are told of both, as one list of all machines would.
      let peers = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
      func start(_ name: String, _ port: Int, _ options: String...) throws -> RunningEngagement {
        try stage.engage(
          [
            "--serve", "--name", name, "--listen", "127.0.0.1:\(port)", "--peers", peers,
            "--wait-for", "1", "--failing-every", "0",
          ] + options)
      }
      let long = try start(
        "a", ports[0], "--slots", "2", "--total", "4", "--scan-seconds", "8")
      let leaving = try start(
        "b", ports[1], "--slots", "3", "--total", "20", "--scan-seconds", "0.2")
      try await expectNobodyWaits(long, "a", leaving, "b")
    }
  }

  @Test(
    "A host that leaves early waits for nobody, and what it had running is scanned on the other",
    .enabled(Lab.impossible) { await Lab.isPossible })
  func hostLeavesEarly() async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 2) { lab in
        let long = try lending(
          on: "h1", of: lab, stage, "--slots", "2", "--total", "4", "--scan-seconds", "8",
          "--wait-for", "1")
        let leaving = try lending(
          on: "h2", of: lab, stage, "--slots", "3", "--total", "20", "--scan-seconds", "0.2",
          "--wait-for", "1")
        try await expectNobodyWaits(long, "h1", leaving, "h2")
      }
    }
  }

  /// - Parameters:
  ///   - long: a run of four scans of eight seconds, on two slots here and as many there.
  ///   - leaving: a run of twenty short scans, with a slot more than that one uses.
  private func expectNobodyWaits(
    _ long: RunningEngagement, _ name: String, _ leaving: RunningEngagement, _ leavingName: String
  ) async throws {
    try await leaving.process.lines(1) { $0 == "helping \(name)" }
    try await leaving.outcome().expectEverySectorOnce(of: 20)
    let outcome = try await long.outcome()
    try outcome.expectEverySectorOnce(of: 4)
    #expect(outcome.shares == ["local": 4], "a long scan could end there only if it was waited for")
    #expect(try outcome.summary.retried == 0)
    let farewell = "disconnected \(leavingName): the node has stopped; "
    #expect(outcome.errors.contains { $0.hasPrefix(farewell) })
  }

  @Test("A node that dials an engagement that serves others is engaged")
  func nodeThatDials() async throws {
    try await Stage.with { stage in
      let port = try freePort()
      _ = try stage.skynet(
        "node", "--name", "a", "--no-discovery", "--no-listen", "--join", "127.0.0.1:\(port)")
      let run = try stage.engage([
        "--serve", "--listen", "127.0.0.1:\(port)", "--slots", "2", "--wait-for", "1", "--total",
        "100", "--scan-seconds", "0.05", "--failing-every", "0",
      ])
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 100)
      #expect(Set(outcome.shares.keys) == ["a", "local"])
    }
  }

  @Test("Without slots of its own, a command has nothing to lend")
  func nothingToLend() async throws {
    try await Stage.with { stage in
      let story = try await stage.skynet("engage", "--serve", "--no-local", "--total", "1").end()
      #expect(story.status == 64)
      #expect(story.errors.first?.contains("--serve lends this machine's slots") == true)
    }
  }

  private func lending(on host: String, of lab: Lab, _ stage: Stage, _ options: String...) throws
    -> RunningEngagement
  {
    let results = stage.file("results-\(host)")
    return RunningEngagement(
      process: try lab.launch(
        Paths.binary,
        ["engage", "--serve", "--failing-every", "0", "--results", results] + options, on: host,
        stage), resultsFile: results)
  }
}
