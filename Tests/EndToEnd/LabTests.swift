import Foundation
import Testing

/// Three virtual hosts on their own network, each with its own Avahi: with real multicast and
/// cables that can be pulled.
@Suite("Virtual hosts on a separate network", .timeLimit(.ample))
struct LabTests {
  @Test(
    "A run survives a host whose cable is pulled", .enabled(Lab.impossible) { await Lab.isPossible }
  )
  func aRunSurvivesAPulledCable() async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 3) { lab in
        for host in ["h2", "h3"] {
          // By default a node has its host's name.
          let node = try await RunningNode(
            stage.launch(Lab.script, ["run", host, Paths.binary, "node"], lab.environment))
          #expect(node.name == host)
        }
        let results = stage.file("results")
        // The run is so long that it notices a silence of two seconds.
        let run = RunningEngagement(
          process: try stage.launch(
            Lab.script,
            [
              "run", "h1", Paths.binary, "engage", "--wait-for", "2", "--scan-seconds", "0.2",
              "--total", "600", "--timeout", "2", "--results", results,
            ], lab.environment), resultsFile: results)
        try await run.completions(by: "h3")
        try await lab.run("cut", "h3")
        try await run.process.line("disconnected h3: not heard from")
        let outcome = try await run.outcome()
        try outcome.expectEverySectorOnce(of: 600)
        #expect(Set(outcome.shares.keys).isSubset(of: ["h2", "h3", "local"]))

        try await expectReturn(of: "h3", to: lab, on: stage)
      }
    }
  }

  /// Without any other system, the run would end a minute after it has lost its nodes.
  @Test(
    "Nodes whose host gets another address are back for a run and a watch that are under way",
    .enabled(Lab.impossible) { await Lab.isPossible })
  func nodesWhoseHostMovesAreBack() async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 2) { lab in
        for name in ["a", "b"] {
          _ = try await RunningNode(
            lab.launch(Paths.binary, ["node", "--name", name, "--slots", "1"], on: "h2", stage))
        }
        let watch = try lab.launch(Paths.binary, ["watch"], on: "h1", stage)
        let results = stage.file("results")
        let run = RunningEngagement(
          process: try lab.launch(
            Paths.binary,
            [
              "engage", "--no-local", "--wait-for", "2", "--scan-seconds", "0.2", "--total", "300",
              "--failing-every", "0", "--results", results,
            ], on: "h1", stage), resultsFile: results)
        for name in ["a", "b"] { try await run.completions(by: name) }
        try await lab.run("move", "h2")
        for name in ["a", "b"] { try await run.process.lines(2) { $0 == "connected \(name)" } }
        try await watch.output(where: { lines in
          ["a ", "b "].allSatisfy { name in
            lines.contains { $0.hasPrefix(name) && $0.contains(" 10.77.0.102:") }
          }
        })
        let outcome = try await run.outcome()
        try outcome.expectEverySectorOnce(of: 300)
        #expect(Set(outcome.shares.keys) == ["a", "b"])
      }
    }
  }

  /// The cache of the other hosts' Avahi is wrong then, for up to two minutes.
  @Test(
    "A node that restarts while a host is cut off is found soon afterwards",
    .enabled(Lab.impossible) { await Lab.isPossible }, arguments: ["h1", "h2"])
  func aNodeThatRestartsWhileAHostIsCutOffIsFoundSoon(cut: String) async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 2) { lab in
        func start() async throws -> RunningNode {
          try await RunningNode(lab.launch(Paths.binary, ["node"], on: "h2", stage))
        }
        func expectFound() async throws {
          let found = try await lab.launch(
            Paths.binary, ["engage", "--no-local", "--wait-for", "1", "--total", "4"], on: "h1",
            stage
          ).end()
          #expect(found.status == 0, "\(found)")
        }
        let first = try await start()
        try await expectFound()
        try await lab.run("cut", cut)
        first.process.send(SIGKILL)
        _ = try await first.process.end()
        _ = try await start()
        // A new node is announced three times within three seconds. The other hosts must hear none
        // of them.
        try await Endurance.pass(.seconds(4))
        try await lab.run("heal", cut)
        try await expectFound()
      }
    }
  }

  /// Expects that a host whose cable is plugged in again is found again, even by a run that has no
  /// other system.
  private func expectReturn(of host: String, to lab: Lab, on stage: Stage) async throws {
    let results = stage.file("results-of-return")
    try await lab.run("heal", host)
    let run = RunningEngagement(
      process: try stage.launch(
        Lab.script,
        [
          "run", "h1", Paths.binary, "engage", "--no-local", "--scan-seconds", "0.2",
          "--total", "1000", "--timeout", "2", "--results", results,
        ], lab.environment), resultsFile: results)
    try await run.completions(by: host)
    run.process.send(SIGINT)
    #expect(try await run.outcome().status == 130)
  }
}
