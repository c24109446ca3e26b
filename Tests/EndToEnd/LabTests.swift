import Foundation
import Testing

/// Three hosts on a network of their own, each with its own Avahi: real multicast, real cables.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct LabTests {
  @Test(.enabled(Lab.impossible) { await Lab.isPossible })
  func aHostWhoseCableIsPulledIsDoneWithout() async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 3) { lab in
        for host in ["h2", "h3"] {
          // Unless told otherwise, a node has its host's name.
          let node = try await RunningNode(
            stage.launch(Lab.script, ["run", host, Place.binary, "node"], lab.environment))
          #expect(node.name == host)
        }
        let results = stage.file("results")
        let run = Engaging(
          process: try stage.launch(
            Lab.script,
            [
              "run", "h1", Place.binary, "engage", "--wait-for", "2", "--scan-seconds", "0.2",
              "--total", "100", "--timeout", "2", "--results", results,
            ], lab.environment), resultsFile: results)
        try await run.completions(by: "h3")
        try await lab.run("cut", "h3")
        try await run.process.line("disconnected h3: not heard from")
        let outcome = try await run.outcome()
        try outcome.expectEverySectorOnce(of: 100)
        #expect(Set(outcome.shares.keys) == ["h2", "h3", "local"])

        try await expectReturn(of: "h3", to: lab, on: stage)
      }
    }
  }

  /// A host whose cable is plugged in again is found again, also by those who cannot do without.
  private func expectReturn(of host: String, to lab: Lab, on stage: Stage) async throws {
    let results = stage.file("results-of-return")
    try await lab.run("heal", host)
    let run = Engaging(
      process: try stage.launch(
        Lab.script,
        [
          "run", "h1", Place.binary, "engage", "--no-local", "--scan-seconds", "0.2",
          "--total", "1000", "--timeout", "2", "--results", results,
        ], lab.environment), resultsFile: results)
    try await run.completions(by: host)
    run.process.send(SIGINT)
    #expect(try await run.outcome().status == 130)
  }
}

/// A lab of the test's own, beside whatever other labs there are.
private struct Lab {
  static let impossible: Comment =
    "needs root, Avahi, and a kernel that lets it make networks: see deploy/lab"
  static let script = Place.package.appendingPathComponent("deploy/lab").path

  let environment = ["SKYNET_LAB": "test-\(UUID().uuidString.prefix(8))"]

  static var isPossible: Bool {
    get async {
      guard geteuid() == 0 else { return false }
      return (try? await with(hosts: 1) { _ in }) != nil
    }
  }

  /// A lab while `body` runs.
  static func with(hosts: Int, _ body: (Lab) async throws -> Void) async throws {
    let lab = Lab()
    let result: Result<Void, any Error>
    do {
      try await lab.run("up", "\(hosts)")
      result = .success(try await body(lab))
    } catch {
      result = .failure(error)
    }
    // In a task that outlives this one's cancellation: what a lab leaves nobody else removes.
    try await Task { try await lab.run("down") }.value
    try result.get()
  }

  /// The script says itself how it ended: to Foundation's `Process` it runs for as long as any of
  /// the daemons that it started.
  func run(_ arguments: String...) async throws {
    let command = try Running(
      "/bin/sh", ["-c", #""$0" "$@"; echo "exit status $?" >&2"#, Self.script] + arguments,
      environment: environment)
    let line = try await command.line("exit status ")
    guard line == "exit status 0" else { throw Unexpected(command.account) }
  }
}
