import Foundation
import Testing

/// Nodes that are found by names, whose answers change while a run goes on.
@Suite("Peers by names", .serialized, .timeLimit(.ample))
struct NamesTests {
  private static func with(_ test: (Stage, NameServer) async throws -> Void) async throws {
    try await Stage.with { stage in
      let server = try NameServer()
      defer { server.stop() }
      try await test(stage, server)
    }
  }

  /// Nodes with one port, at 127.0.0.2, 127.0.0.3 and so on.
  private static func nodes(_ names: String..., on stage: Stage) async throws -> [RunningNode] {
    var nodes: [RunningNode] = []
    for (number, name) in names.enumerated() {
      let port = nodes.first.map { ["--port", "\($0.port)"] } ?? []
      let arguments = ["node", "--name", name, "--host", "127.0.0.\(number + 2)", "--no-discovery"]
      nodes.append(try await RunningNode(stage.skynet(arguments + port)))
    }
    return nodes
  }

  private static func engage(
    _ peers: String, _ stage: Stage, _ server: NameServer, total: Int
  ) throws -> RunningEngagement {
    let results = stage.file("results")
    return RunningEngagement(
      process: try server.launch(
        Paths.binary,
        [
          "engage", "--no-discovery", "--peers", peers, "--results", results, "--total", "\(total)",
          "--slots", "1", "--scan-seconds", "0.1", "--failing-every", "0",
        ], stage), resultsFile: results)
  }

  @Test(
    "Nodes that appear behind a name join a run, and one that vanishes from it scans on until it ends",
    .enabled(NameServer.impossible) { await NameServer.isPossible })
  func addresses() async throws {
    try await Self.with { stage, server in
      let nodes = try await Self.nodes("a", "b", "c", on: stage)
      let run = try Self.engage("nodes.scan.test:\(nodes[0].port)", stage, server, total: 2000)
      try await run.process.line(
        "nodes.scan.test:\(nodes[0].port) cannot be looked up: the name is not known; trying again")
      server.set("nodes.scan.test", [.a("127.0.0.2"), .a("127.0.0.3")])
      try await run.process.line("connected a")
      try await run.process.line("connected b")
      server.set("nodes.scan.test", [.a("127.0.0.3"), .a("127.0.0.4")])
      try await run.process.line("connected c")
      let before = run.process.soFar.errors.count { $0.hasSuffix(" by a") }
      try await run.completions(before + 3, by: "a")
      nodes[0].process.send(SIGKILL)
      try await run.process.line("disconnected a")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 2000)
      #expect(Set(outcome.shares.keys) == ["a", "b", "c", "local"])
      #expect(outcome.errors.count { $0.contains("cannot be looked up") } == 1)
    }
  }

  /// As a name in .local takes longer where libnss-mdns is installed.
  @Test(
    "A name whose lookup takes longer than a command is told",
    .enabled(NameServer.impossible) { await NameServer.isPossible })
  func unfinished() async throws {
    try await Self.with { stage, server in
      let name = "\(NameServer.silent).scan.test:7777"
      let systems = try await server.launch(
        Paths.binary, ["systems", "--no-discovery", "--wait", "0.5", "--peers", name], stage
      ).end()
      #expect(systems.status == 0)
      #expect(
        systems.errors == ["warning: \(name) was not found: its lookup has not ended yet"])
    }
  }

  @Test(
    "Two addresses of a name that lead to one node are one connection",
    .enabled(NameServer.impossible) { await NameServer.isPossible })
  func twoAddresses() async throws {
    try await Self.with { stage, server in
      let node = try await RunningNode(
        stage.skynet("node", "--name", "a", "--no-discovery", "--host", "0.0.0.0"))
      server.set("nodes.scan.test", [.a("127.0.0.2"), .a("127.0.0.3")])
      let run = try Self.engage("nodes.scan.test:\(node.port)", stage, server, total: 100)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 100)
      #expect(outcome.errors.count { $0.hasPrefix("connected ") } == 1, "\(outcome.errors)")
      #expect(Set(outcome.shares.keys) == ["a", "local"])
    }
  }

  @Test(
    "The nodes of a service's records are found in the search list's domains, and new ones join",
    .enabled(NameServer.impossible) { await NameServer.isPossible })
  func services() async throws {
    try await Self.with { stage, server in
      let a = try await stage.node("a")
      let b = try await stage.node("b")
      let service = "_skynet._tcp.scan.cluster.test"
      server.set("host.test", [.a("127.0.0.1")])
      server.set(service, [.srv("host.test", a.port)])
      let run = try Self.engage("_skynet._tcp.scan", stage, server, total: 100)
      try await run.process.line("connected a")
      server.set(service, [.srv("host.test", a.port), .srv("host.test", b.port)])
      try await run.process.line("connected b")
      try await run.outcome().expectEverySectorOnce(of: 100)
      let systems = try await server.launch(
        Paths.binary,
        ["systems", "--no-discovery", "--peers", "_skynet._tcp.scan", "--expect", "2"], stage
      ).end()
      #expect(systems.status == 0, "\(systems)")
    }
  }
}
