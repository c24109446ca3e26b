import Foundation
import Testing

/// Runs whose nodes come, die, hang and leave, with real processes on the loopback interface.
@Suite("Nodes that come, die, hang and leave", .timeLimit(.ample))
struct SharingTests {
  @Test("Every sector is scanned once, by nodes and locally")
  func everySectorIsScannedOnceByNodesAndLocally() async throws {
    try await Stage.with { stage in
      let (a, b) = (try await stage.node("a"), try await stage.node("b"))
      let run = try stage.engage(
        peers: [a.port, b.port], "--wait-for", "2", "--scan-seconds", "0.5", "--total", "120")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 120)
      #expect(Set(outcome.shares.keys).isSubset(of: ["a", "b", "local"]))
      // By the seed, some sectors fail at their first attempts.
      #expect(try outcome.summary.retried > 0)
      #expect(outcome.results.contains { $0.attempts > 1 })
      #expect(outcome.results.allSatisfy { $0.seconds >= 0.5 && $0.error == nil })
      #expect(outcome.output.isEmpty)
    }
  }

  /// The run lasts until each system has completed a sector.
  @Test("Every system scans some sectors")
  func everySystemTakesPart() async throws {
    try await Stage.with { stage in
      let (a, b) = (try await stage.node("a"), try await stage.node("b"))
      let run = try stage.engage(
        peers: [a.port, b.port], "--wait-for", "2", "--scan-seconds", "0.2", "--total", "100000")
      for system in ["a", "b", "local"] { try await run.completions(by: system) }
      try await run.stopUndisturbed()
    }
  }

  @Test("A killed node's sectors are scanned elsewhere")
  func aKilledNodeLosesNoSector() async throws {
    try await Stage.with { stage in
      let (a, b) = (try await stage.node("a"), try await stage.node("b"))
      let run = try stage.engage(
        peers: [a.port, b.port], "--wait-for", "2", "--scan-seconds", "0.2", "--total", "600")
      try await run.completions(by: "b")
      b.process.send(SIGKILL)
      try await run.process.line("disconnected b")
      try await run.outcome().expectEverySectorOnce(of: 600)
    }
  }

  /// With scans of no length the engagement runs on the event loop of one of these connections.
  @Test("Nodes that are killed during short scans lose no sector")
  func nodesKilledDuringShortScans() async throws {
    try await Stage.with { stage in
      let (a, b) = (try await stage.node("a"), try await stage.node("b"))
      let c = try await stage.node("c")
      let run = try stage.engage(
        peers: [a.port, b.port, c.port], "--wait-for", "3", "--no-local", "--scan-seconds", "0",
        "--failing-every", "0", "--total", "40000")
      try await run.completions(500, by: "a")
      a.process.send(SIGKILL)
      try await run.completions(1000, by: "b")
      b.process.send(SIGKILL)
      try await run.outcome().expectEverySectorOnce(of: 40_000)
    }
  }

  @Test("A hanging node's sectors are scanned elsewhere")
  func aHangingNodeLosesNoSector() async throws {
    try await Stage.with { stage in
      let (a, b) = (try await stage.node("a"), try await stage.node("b"))
      let run = try stage.engage(
        peers: [a.port, b.port], "--wait-for", "2", "--scan-seconds", "0.2", "--total", "600",
        "--timeout", "1")
      try await run.completions(by: "b")
      b.process.send(SIGSTOP)
      let line = try await run.process.line("disconnected b")
      #expect(line.contains("not heard from"))
      try await run.outcome().expectEverySectorOnce(of: 600)

      // The node wakes without any peer, and still stops in order.
      b.process.send(SIGCONT)
      b.process.send(SIGTERM)
      #expect(try await b.process.end().status == 0)
    }
  }

  /// Each sector has only one attempt, so a node's leaving must not count as a failure.
  @Test("A node that leaves finishes its scans and costs no attempt")
  func aNodeThatLeavesFinishesAndCostsNothing() async throws {
    try await Stage.with { stage in
      let (a, b) = (try await stage.node("a"), try await stage.node("b"))
      let run = try stage.engage(
        peers: [a.port, b.port], "--wait-for", "2", "--scan-seconds", "0.2", "--total", "300",
        "--failing-every", "0", "--attempts", "1", "--timeout", "60")
      try await run.completions(by: "b")
      b.process.send(SIGTERM)
      #expect(try await b.process.end().status == 0)
      try await run.outcome().expectEverySectorOnce(of: 300)
    }
  }

  /// Only this node can scan: first the old process, then the new one.
  @Test("A node that is started again takes part again")
  func aNodeThatIsStartedAgainTakesPartAgain() async throws {
    try await Stage.with { stage in
      let first = try await stage.node("a")
      let run = try stage.engage(
        peers: [first.port], "--no-local", "--scan-seconds", "0.2", "--total", "200")
      try await run.completions(by: "a")
      first.process.send(SIGKILL)
      _ = try await first.process.end()
      _ = try await stage.node("a", "--port", "\(first.port)")
      try await run.process.lines(2) { $0 == "connected a" }
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 200)
      #expect(outcome.shares == ["a": 200])
    }
  }

  @Test("A node that starts late takes part")
  func aNodeThatComesLateTakesPart() async throws {
    try await Stage.with { stage in
      let b = try await stage.node("b", "--slots", "1")
      // The node was there before, so its port is known.
      let c = try await stage.node("c")
      c.process.send(SIGTERM)
      #expect(try await c.process.end().status == 0)
      let run = try stage.engage(
        peers: [b.port, c.port], "--no-local", "--scan-seconds", "0.2", "--total", "120")
      try await run.completions(by: "b")
      _ = try await stage.node("c", "--port", "\(c.port)")
      try await run.completions(by: "c")
      try await run.outcome().expectEverySectorOnce(of: 120)
    }
  }

  @Test("Two engagements share a node")
  func twoEngagementsShareANode() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let runs = try (0..<2).map { number in
        try stage.engage(
          peers: [a.port], "--name", "client-\(number)", "--no-local", "--scan-seconds", "0.1",
          "--total", "30")
      }
      for run in runs { try await run.outcome().expectEverySectorOnce(of: 30) }
    }
  }

  /// To the stopped run, answers seemed to take half a minute. It used to send many attempts ahead
  /// after that, over a dead connection, and reported each one as lost.
  @Test("A run that was stopped for long loses only the attempts that ran")
  func aStoppedRunLosesOnlyRunningAttempts() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--slots", "4")
      let run = try stage.engage(
        peers: [a.port], "--name", "client", "--no-local", "--scan-seconds", "0.5", "--total", "60",
        "--failing-every", "0")
      try await run.completions(by: "a")
      run.process.send(SIGSTOP)
      // The node closes the connection after its timeout.
      try await a.process.line("disconnected (client client")
      run.process.send(SIGCONT)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 60)
      // One line names the sectors of all these attempts, and none has a line of its own.
      #expect(!outcome.errors.contains { $0.hasPrefix("re-run ") })
      #expect(try outcome.summary.retried <= 4)
    }
  }

  /// Nodes with one slot count their calls in step. When failures followed these counts, a sector's
  /// next attempt used to meet the next node whose call was due to fail.
  @Test("The default rate of simulated failures never costs a sector")
  func theUsualFailuresNeverCostASector() async throws {
    try await Stage.with { stage in
      var nodes: [RunningNode] = []
      for number in 0..<25 { nodes.append(try await stage.node("n\(number)", "--slots", "1")) }
      let run = try stage.engage(
        peers: nodes.map(\.port), "--wait-for", "25", "--no-local", "--total", "500",
        "--scan-seconds", "0.05")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 500)
      #expect(outcome.results.allSatisfy { $0.attempts >= 1 && $0.error == nil })
      // Failures follow from the seed alone: sector 13 fails twice, and sector 38 once, on any
      // system.
      let attempts = Dictionary(
        outcome.results.map { ($0.sector, $0.attempts) }, uniquingKeysWith: max)
      #expect((attempts[13] ?? 0) >= 3 && (attempts[38] ?? 0) >= 2)
      let failures = outcome.errors.filter { $0.contains("simulated failure") }
      #expect(failures.count { $0.hasPrefix("re-run 13:") } == 2)
      #expect(failures.count { $0.hasPrefix("re-run 38:") } == 1)
      #expect(failures.count { $0.hasPrefix("re-run 0:") } == 0)
    }
  }

  /// The killed run's scans would take minutes, and fill the node.
  @Test("A killed run's slots are free for other runs")
  func aKilledRunFreesItsSlots() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      // With this seed sector 1 fails at once, which shows that sector 0 is running.
      let first = try stage.engage(
        peers: [a.port], "--no-local", "--scan-seconds", "600", "--total", "3",
        "--failing-every", "2", "--seed", "6", "--attempts", "1")
      try await first.process.line("gave up")
      first.process.send(SIGKILL)
      let second = try stage.engage(
        peers: [a.port], "--no-local", "--scan-seconds", "0.1", "--total", "10")
      try await second.outcome().expectEverySectorOnce(of: 10)
    }
  }
}
