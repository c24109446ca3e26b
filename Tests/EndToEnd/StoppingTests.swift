import Foundation
import Testing

/// How processes stop at signals.
@Suite("Signals", .timeLimit(.ample))
struct StoppingTests {
  @Test("An interrupted run finishes its scans and prints its summary")
  func anInterruptedRunFinishesItsScans() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let run = try stage.engage(
        peers: [a.port], "--scan-seconds", "0.5", "--total", "1000", "--failing-every", "0")
      try await run.completions(by: "a")
      run.process.send(SIGINT)
      let outcome = try await run.outcome()
      #expect(outcome.status == 130)
      #expect(
        outcome.errors.contains {
          $0.contains(/^stopping: waiting for \d+ scans?; Ctrl-C again stops now$/)
        })
      let summary = try outcome.summary
      #expect(summary.total == 1000 && summary.failed == 0)
      #expect(summary.completed == outcome.results.count && summary.shares == outcome.shares)
      #expect(Set(outcome.results.map(\.sector)).count == outcome.results.count)
      // The scans on the node were finished too.
      #expect(outcome.results.count >= 4 && outcome.results.count < 1000)
    }
  }

  /// The run ends as at SIGTERM.
  @Test("A closed terminal ends a run in order")
  func aClosedTerminalEndsARunInOrder() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let run = try stage.engage(
        peers: [a.port], "--scan-seconds", "0.5", "--total", "1000", "--failing-every", "0")
      try await run.completions(by: "a")
      run.process.send(SIGHUP)
      let outcome = try await run.outcome()
      #expect(outcome.status == 143)
      #expect(outcome.errors.contains { $0.hasSuffix("; a second signal stops now") })
      #expect(try outcome.summary.completed == outcome.results.count)
    }
  }

  @Test("A run under nohup outlives its terminal")
  func underNohupARunOutlivesItsTerminal() async throws {
    try await Stage.with { stage in
      let results = stage.file("results")
      let run = try stage.launch(
        "/usr/bin/env",
        [
          "nohup", Paths.binary, "engage", "--no-discovery", "--slots", "2", "--total", "6",
          "--scan-seconds", "0.3", "--failing-every", "0", "--results", results,
        ])
      try await run.line(" by local")
      run.send(SIGHUP)
      #expect(try await run.end().status == 0)
      let lines = try String(contentsOfFile: results, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 6)
    }
  }

  /// Two SIGINT in a row may arrive as one, so the second signal is SIGTERM. A run that waited for
  /// its scans would not end during the test.
  @Test("A second signal stops a run at once")
  func aSecondSignalStopsARunAtOnce() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let run = try stage.engage(peers: [a.port], "--scan-seconds", "3600", "--total", "8")
      try await run.process.line("connected a")
      run.process.send(SIGINT)
      run.process.send(SIGTERM)
      let status = try await run.process.end().status
      #expect(status == 130 || status == 143)

      // The scans on the node were cancelled too.
      let next = try stage.engage(
        peers: [a.port], "--no-local", "--scan-seconds", "0.1", "--total", "10")
      try await next.outcome().expectEverySectorOnce(of: 10)
    }
  }

  /// The process has 0.75 s for that, which a busy machine may not give it at once.
  @Test("A run that a second signal stops says what it has done")
  func aRunStoppedAtOnceSaysWhatItHasDone() async throws {
    try await Stage.with { stage in
      var summary: Summary?
      for _ in 0..<3 where summary == nil {
        let run = try stage.engage(
          "--slots", "2", "--scan-seconds", "0.5", "--failing-every", "0", "--total", "100000")
        try await run.completions(3, by: "local")
        run.process.send(SIGINT)
        run.process.send(SIGTERM)
        let story = try await run.process.end()
        #expect(story.status == 130 || story.status == 143)
        summary = try? Summary(story.errors.last ?? "")
      }
      let told = try #require(summary)
      #expect(told.completed >= 3 && told.total == 100_000)
    }
  }

  @Test("An idle node stops at a signal", arguments: [SIGTERM, SIGINT, SIGHUP])
  func anIdleNodeStops(signal: Int32) async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      a.process.send(signal)
      #expect(try await a.process.end().status == 0)
    }
  }

  /// The scans would take minutes. At one signal the node would give them 10 s and exit with 0.
  @Test("A second signal stops a node at once")
  func aSecondSignalStopsANodeAtOnce() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      // With this seed the second of the two scans fails at once, which shows that the other one is
      // running.
      let run = try stage.engage(
        peers: [a.port], "--no-local", "--scan-seconds", "600", "--total", "2",
        "--failing-every", "2", "--seed", "6", "--attempts", "1")
      try await run.process.line("gave up")
      a.process.send(SIGINT)
      a.process.send(SIGTERM)
      let status = try await a.process.end().status
      #expect(status == 130 || status == 143)
    }
  }

  /// As in a container, the process has no parent and no default action for signals.
  @Test(
    "A node stops at a signal also as process 1",
    .enabled(PIDNamespace.impossible) { await PIDNamespace.isPossible })
  func aNodeStopsAsTheFirstProcess() async throws {
    try await Stage.with { stage in
      let unshare = try stage.launch(
        "/usr/bin/env",
        PIDNamespace.command + [
          Paths.binary, "node", "--name", "a", "--host", "127.0.0.1", "--no-discovery",
        ])
      _ = try await RunningNode(unshare)
      try kill(PIDNamespace.firstProcess(under: unshare.id), SIGTERM)
      #expect(try await unshare.end().status == 0)
    }
  }
}

/// A namespace for process ids.
private enum PIDNamespace {
  static let impossible: Comment = "not root, or no process id namespaces here"

  static let command = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]

  static var isPossible: Bool {
    get async {
      guard geteuid() == 0, let trial = try? RunningProcess("/usr/bin/env", command + ["true"])
      else {
        return false
      }
      return (try? await trial.end().status) == 0
    }
  }

  /// Finds the process that `unshare` has started: it waits for that process and forwards no
  /// signals.
  static func firstProcess(under parent: pid_t) throws -> pid_t {
    let file = "/proc/\(parent)/task/\(parent)/children"
    let children = try String(contentsOfFile: file, encoding: .utf8)
    return try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
  }
}
