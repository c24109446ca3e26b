import Foundation
import Testing

/// How processes stop when they are told to.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct StoppingTests {
  @Test func anInterruptedRunFinishesWhatRunsAndSumsUp() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let run = try stage.engage(
        peers: [a.port], "--scan-seconds", "0.5", "--total", "1000", "--failing-every", "0")
      try await run.completions(by: "a")
      run.process.send(SIGINT)
      let outcome = try await run.outcome()
      #expect(outcome.status == 130)
      let summary = try outcome.summary
      #expect(summary.total == 1000 && summary.failed == 0)
      #expect(summary.completed == outcome.results.count && summary.shares == outcome.shares)
      #expect(Set(outcome.results.map(\.sector)).count == outcome.results.count)
      // What ran on the node was finished too.
      #expect(outcome.results.count >= 4 && outcome.results.count < 1000)
    }
  }

  /// As at SIGTERM.
  @Test func aClosedTerminalEndsARunInOrder() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let run = try stage.engage(
        peers: [a.port], "--scan-seconds", "0.5", "--total", "1000", "--failing-every", "0")
      try await run.completions(by: "a")
      run.process.send(SIGHUP)
      let outcome = try await run.outcome()
      #expect(outcome.status == 143)
      #expect(try outcome.summary.completed == outcome.results.count)
    }
  }

  @Test func underNohupARunOutlivesItsTerminal() async throws {
    try await Stage.with { stage in
      let results = stage.file("results")
      let run = try stage.launch(
        "/usr/bin/env",
        [
          "nohup", Place.binary, "engage", "--no-discovery", "--slots", "2", "--total", "6",
          "--scan-seconds", "0.3", "--failing-every", "0", "--results", results,
        ])
      try await run.line(" by local")
      run.send(SIGHUP)
      #expect(try await run.end().status == 0)
      let lines = try String(contentsOfFile: results, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 6)
    }
  }

  /// One SIGINT right after another may be seen as one, so the second signal is SIGTERM. A run that
  /// waited for its scans would not end while the test lasts.
  @Test func aSecondSignalStopsARunAtOnce() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let run = try stage.engage(peers: [a.port], "--scan-seconds", "3600", "--total", "8")
      try await run.process.line("connected a")
      run.process.send(SIGINT)
      run.process.send(SIGTERM)
      let status = try await run.process.end().status
      #expect(status == 130 || status == 143)

      // What ran on the node was cancelled too.
      let next = try stage.engage(
        peers: [a.port], "--no-local", "--scan-seconds", "0.1", "--total", "10")
      try await next.outcome().expectEverySectorOnce(of: 10)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func anIdleNodeStops(signal: Int32) async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      a.process.send(signal)
      #expect(try await a.process.end().status == 0)
    }
  }

  /// The scans would take minutes, and the node would give them 10 s; then it would end with 0.
  @Test func aSecondSignalStopsANodeAtOnce() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--slots", "2")
      // The second of its two scans fails at once by this seed, so that it is known that the other
      // was taken too.
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

  /// As in a container: no process above it, and no default action for signals.
  @Test(.enabled(PIDNamespace.impossible) { await PIDNamespace.isPossible })
  func aNodeStopsAsTheFirstProcess() async throws {
    try await Stage.with { stage in
      let unshare = try stage.launch(
        "/usr/bin/env",
        PIDNamespace.command + [
          Place.binary, "node", "--name", "a", "--host", "127.0.0.1", "--no-discovery",
        ])
      _ = try await RunningNode(unshare)
      try kill(PIDNamespace.firstProcess(under: unshare.id), SIGTERM)
      #expect(try await unshare.end().status == 0)
    }
  }
}

/// A namespace of process ids of its own.
private enum PIDNamespace {
  static let impossible: Comment = "not root, or no process id namespaces here"

  static let command = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]

  static var isPossible: Bool {
    get async {
      guard geteuid() == 0, let trial = try? Running("/usr/bin/env", command + ["true"]) else {
        return false
      }
      return (try? await trial.end().status) == 0
    }
  }

  /// `unshare` waits for the process that it started, and passes on no signals.
  static func firstProcess(under parent: pid_t) throws -> pid_t {
    let file = "/proc/\(parent)/task/\(parent)/children"
    let children = try String(contentsOfFile: file, encoding: .utf8)
    return try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
  }
}
