import Foundation
import Testing

/// Commands that may start few threads. Root is exempt from the limit of an account, so these run under another one.
@Suite("Processes with few threads", .timeLimit(.ample))
struct ThreadLimitTests {
  /// An account that has no other processes.
  private static let account: uid_t = 54321
  private static let prlimit = "/usr/bin/prlimit"
  private static let needs: Comment =
    "needs root, and setpriv and prlimit of util-linux; the account 54321 has to reach the program"

  @Sendable private static func isPossible() -> Bool {
    !Memory.isInstrumented && OtherAccount.isPossible(account, with: prlimit)
  }

  /// 3 threads are too few to begin, and 8 to connect. 100 slots are more than 60 threads have room for.
  @Test(
    "A command that may not start its threads says so, and which limit to raise",
    .enabled(needs, isPossible),
    arguments: [
      (3, ["node", "--no-discovery"]), (3, ["help"]), (8, ["node", "--no-discovery"]),
      (60, ["node", "--no-discovery", "--slots", "100"]),
      (60, ["engage", "--no-discovery", "--slots", "100"]), (8, ["systems", "--no-discovery"]),
    ])
  func fewThreads(limit: Int, command: [String]) async throws {
    try await Stage.with { stage in
      let story = try await stage.launch(
        OtherAccount.setpriv,
        OtherAccount.become(Self.account) + [Self.prlimit, "--nproc=\(limit)", Paths.binary]
          + command
          + (command == ["help"] ? [] : ["--insecure"])
      ).end()
      #expect(story.status == 2, "\(story)")
      let message = story.errors.last ?? ""
      #expect(message.hasPrefix("error: the command needs up to "), "\(message)")
      #expect(
        message.contains("raise the limit of its account, which is \(limit) (ulimit -u)"),
        "\(message)")
      #expect(message.contains("or give at most --slots ") == command.contains("100"), "\(message)")
    }
  }

  @Test(
    "A node in a control group with few processes says so, and runs with the slots that it names",
    .enabled(ControlGroup.impossible) {
      ControlGroup.isPossible { try ControlGroup(processes: 40) }
    })
  func controlGroup() async throws {
    let group = try ControlGroup(processes: 40)
    try await Stage.with { stage in
      func node(slots: Int) throws -> RunningProcess {
        try stage.launch(
          "/bin/sh",
          [
            "-c",
            "echo $$ > \(group.folder)/cgroup.procs && exec \(Paths.binary) node --name a "
              + "--host 127.0.0.1 --no-discovery --slots \(slots)",
          ])
      }
      let story = try await node(slots: 100).end()
      #expect(story.status == 2)
      let message = story.errors.last ?? ""
      #expect(
        message.contains("the limit of its control group, which is 40 (pids.max"), "\(message)")
      let slots = try #require(
        message.firstMatch(of: #/at most --slots (\d+)/#).flatMap { Int($0.1) }, "\(message)")
      let running = try await RunningNode(node(slots: slots))
      let run = try stage.engage(
        peers: [running.port], "--total", "200", "--scan-seconds", "0.01", "--no-local")
      #expect(try await run.outcome().status == 0)
      running.process.send(SIGTERM)
      #expect(try await running.process.end().status == 0)
    }
    group.remove()
  }
}
