import Foundation
import Testing

/// Nodes that only dial another node, through which engagements reach them.
@Suite("Nodes behind a node", .timeLimit(.ample))
struct RelayTests {
  /// Starts a node that listens, and nodes that only dial it.
  private static func nodes(
    _ stage: Stage, behind names: [String]
  ) async throws -> (login: RunningNode, behind: [RunningProcess]) {
    let login = try await stage.node("login", "--no-discovery")
    var behind: [RunningProcess] = []
    for name in names {
      let node = try stage.skynet(
        "node", "--name", name, "--slots", "4", "--no-discovery", "--no-listen", "--join",
        "127.0.0.1:\(login.port)")
      try await node.line("programs reach this node through it, unless it is an engagement's")
      try await login.process.line("programs reach it through this node (peer \(name))")
      behind.append(node)
    }
    return (login, behind)
  }

  @Test("They do their share, with large sectors too, also when one is killed, drained or stopped")
  func share() async throws {
    try await Stage.with { stage in
      let (login, behind) = try await Self.nodes(stage, behind: ["a", "b", "c", "d"])
      let run = try stage.engage(
        peers: [login.port], "--wait-for", "5", "--no-local", "--total", "2000",
        "--scan-seconds", "0.1", "--sector-bytes", "100000", "--failing-every", "0")
      for name in ["a", "b", "c", "d", "login"] { try await run.completions(by: name) }
      behind[0].send(SIGKILL)
      behind[1].send(SIGTERM)
      let drained = try await stage.ask("drain", [login], "c")
      #expect(drained.status == 0, "\(drained)")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 2000)
      #expect((outcome.shares["d"] ?? 0) > 200, "\(outcome.shares)")
      #expect(try await behind[1].end().status == 0)
      let systems = try await stage.skynet(
        "systems", "--no-discovery", "--peers", "127.0.0.1:\(login.port)", "--expect", "3"
      ).end()
      #expect(systems.status == 0, "\(systems)")
      #expect(systems.output.contains { $0.hasPrefix("c ") && $0.contains("drained by ") })
    }
  }

  @Test(
    "If the node that relays is killed, no sector is lost, and they are back with its successor")
  func relayKilled() async throws {
    try await Stage.with { stage in
      let (login, _) = try await Self.nodes(stage, behind: ["a", "b"])
      let run = try stage.engage(
        peers: [login.port], "--wait-for", "3", "--slots", "2", "--total", "2400",
        "--scan-seconds", "0.1", "--failing-every", "0")
      try await run.completions(by: "a")
      login.process.send(SIGKILL)
      _ = try await login.process.end()
      let next = try await RunningNode(
        stage.skynet(
          "node", "--name", "next", "--no-discovery", "--host", "127.0.0.1", "--port",
          "\(login.port)"))
      try await run.process.lines(2) { $0 == "connected a" }
      try await run.completions(by: "next")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 2400)
      #expect(next.port == login.port)
    }
  }

  @Test("Nodes of one name behind a node are told apart, and each can be drained")
  func twins() async throws {
    try await Stage.with { stage in
      let (login, _) = try await Self.nodes(stage, behind: ["a", "a"])
      let systems = try await stage.ask("systems", [login], "--expect", "3")
      #expect(systems.status == 0, "\(systems)")
      let addresses = systems.output.filter { $0.hasPrefix("a") }
        .compactMap { $0.firstMatch(of: /127\.0\.0\.1:\d+#[0-9a-f]{8}/)?.output }
      #expect(Set(addresses).count == 2, "\(systems.output)")
      let refused = try await stage.ask("drain", [login], "a")
      #expect(refused.status == 2 && refused.errors.contains { $0.contains("2 systems") })
      for address in addresses {
        let drained = try await stage.ask("drain", [login], "a@\(address)")
        #expect(drained.status == 0, "\(drained)")
      }
    }
  }

  @Test("Two addresses of one node are one connection, which is not closed for the other")
  func twoAddresses() async throws {
    try await Stage.with { stage in
      let node = try await RunningNode(
        stage.skynet("node", "--name", "a", "--no-discovery", "--host", "0.0.0.0"))
      for _ in 1...10 {
        let run = try stage.engage(
          peers: [],
          [
            "--no-discovery", "--peers", "127.0.0.1:\(node.port),127.0.0.2:\(node.port)",
            "--no-local", "--total", "20", "--scan-seconds", "0.02", "--failing-every", "0",
          ])
        let outcome = try await run.outcome()
        try outcome.expectEverySectorOnce(of: 20)
        #expect(outcome.errors.count { $0.hasPrefix("connected ") } == 1, "\(outcome.errors)")
      }
    }
  }

  @Test("Without encryption nothing is relayed, and both nodes say what to do")
  func insecure() async throws {
    try await Stage.with { stage in
      let login = try await stage.node("login", "--no-discovery", "--insecure")
      let node = try stage.skynet(
        "node", "--name", "a", "--no-discovery", "--no-listen", "--insecure", "--join",
        "127.0.0.1:\(login.port)")
      for process in [login.process, node] {
        try await process.line("nodes relay connections only if these are encrypted")
      }
    }
  }
}
