import Foundation
import Testing

/// What becomes of a run whose nodes come, die, hang and leave: real processes on loopback.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct SharingTests {
  @Test func everySectorIsScannedOnceByNodesAndLocally() async throws {
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

  /// It lasts until each has.
  @Test func everySystemTakesPart() async throws {
    try await Stage.with { stage in
      let (a, b) = (try await stage.node("a"), try await stage.node("b"))
      let run = try stage.engage(
        peers: [a.port, b.port], "--wait-for", "2", "--scan-seconds", "0.2", "--total", "100000")
      for system in ["a", "b", "local"] { try await run.completions(by: system) }
      try await run.stopUndisturbed()
    }
  }

  @Test func aNodeThatIsKilledIsDoneWithout() async throws {
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

  /// With scans of no length the engagement runs where one of these connections' answers arrive.
  @Test func nodesThatAreKilledAmidShortScansAreDoneWithout() async throws {
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

  @Test func aNodeThatHangsIsDoneWithout() async throws {
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

      // It wakes to find that nobody is there, and is none the worse for it.
      b.process.send(SIGCONT)
      b.process.send(SIGTERM)
      #expect(try await b.process.end().status == 0)
    }
  }

  /// One attempt is all that each sector has: leaving counts as no failure.
  @Test func aNodeThatLeavesFinishesAndCostsNothing() async throws {
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

  /// Nothing can be scanned but by the node, first the one and then the other.
  @Test func aNodeThatIsStartedAgainTakesPartAgain() async throws {
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

  @Test func aNodeThatComesLateTakesPart() async throws {
    try await Stage.with { stage in
      let b = try await stage.node("b", "--slots", "1")
      // Its port is known, as it was there before.
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

  @Test func twoEngagementsShareANode() async throws {
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

  /// What was answered meanwhile took half a minute, as it seemed: so much was then sent ahead, over a
  /// connection that was dead, and told as lost one by one.
  @Test func aRunThatWasStoppedForLongLosesNoMoreThanWhatRan() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--slots", "4")
      let run = try stage.engage(
        peers: [a.port], "--name", "client", "--no-local", "--scan-seconds", "0.5", "--total", "60",
        "--failing-every", "0")
      try await run.completions(by: "a")
      run.process.send(SIGSTOP)
      // The node does not wait for ever.
      try await a.process.line("disconnected (client client")
      run.process.send(SIGCONT)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 60)
      let told = outcome.errors.count { $0.hasPrefix("re-run ") }
      #expect(told <= 4)
      #expect(try outcome.summary.retried == told)
    }
  }

  /// Nodes of one slot reach any count of calls in step, and a sector's next try used to meet the
  /// next of them that was to fail.
  @Test func theUsualFailuresNeverCostASector() async throws {
    try await Stage.with { stage in
      var nodes: [RunningNode] = []
      for number in 0..<25 { nodes.append(try await stage.node("n\(number)", "--slots", "1")) }
      let run = try stage.engage(
        peers: nodes.map(\.port), "--wait-for", "25", "--no-local", "--total", "500",
        "--scan-seconds", "0.05")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 500)
      #expect(outcome.results.allSatisfy { $0.attempts >= 1 && $0.error == nil })
      // By the seed, not by who scanned what: sector 13 fails twice, and sector 38 once.
      let attempts = Dictionary(
        outcome.results.map { ($0.sector, $0.attempts) }, uniquingKeysWith: max)
      #expect((attempts[13] ?? 0) >= 3 && (attempts[38] ?? 0) >= 2)
      let failures = outcome.errors.filter { $0.contains("simulated failure") }
      #expect(failures.count { $0.hasPrefix("re-run 13:") } == 2)
      #expect(failures.count { $0.hasPrefix("re-run 38:") } == 1)
      #expect(failures.count { $0.hasPrefix("re-run 0:") } == 0)
    }
  }

  /// Its scans would take minutes, and fill the node.
  @Test func aRunThatIsKilledLeavesItsSlotsToOthers() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      // By this seed sector 1 fails at once, which tells that sector 0 was taken.
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
