import Foundation
import Testing

/// Nodes that dial engagements.
@Suite("Nodes that dial", .timeLimit(.ample))
struct DiallingTests {
  private static func engage(
    _ stage: Stage, listening port: Int, _ options: String..., total: Int
  ) throws -> RunningEngagement {
    try stage.engage(
      peers: [],
      [
        "--listen", "127.0.0.1:\(port)", "--total", "\(total)", "--scan-seconds", "0.02",
        "--failing-every", "0",
      ] + options)
  }

  @Test("A node that does not listen serves one engagement after the other, and stops in order")
  func oneAfterTheOther() async throws {
    try await Stage.with { stage in
      let port = try freePort()
      let node = try stage.skynet(
        "node", "--name", "a", "--no-discovery", "--no-listen", "--join", "127.0.0.1:\(port)")
      let ready = try await node.line(" ready ")
      #expect(ready.hasPrefix("node a ready to dial 127.0.0.1:\(port) with "))
      for _ in 1...3 {
        let run = try Self.engage(stage, listening: port, "--no-local", total: 100)
        try await run.process.line(
          "listening for nodes on 127.0.0.1:\(port): skynet node --join 127.0.0.1:\(port)")
        try await run.process.line("connected a")
        let outcome = try await run.outcome()
        try outcome.expectEverySectorOnce(of: 100)
        #expect(outcome.shares == ["a": 100])
      }
      let run = try stage.engage(
        peers: [],
        [
          "--listen", "127.0.0.1:\(port)", "--slots", "1", "--total", "300", "--scan-seconds",
          "0.2", "--failing-every", "0",
        ])
      try await run.completions(by: "a")
      node.send(SIGTERM)
      let story = try await node.end()
      #expect(story.status == 0)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 300)
      #expect(!outcome.errors.contains { $0.contains("re-run") }, "\(outcome.errors)")
    }
  }

  @Test("A node and an engagement that reach each other both ways have one connection")
  func bothWays() async throws {
    try await Stage.with { stage in
      let port = try freePort()
      let node = try await stage.node("a", "--join", "localhost:\(port)")
      for _ in 1...5 {
        let run = try Self.engage(
          stage, listening: port, "--no-local", "--peers", "127.0.0.1:\(node.port)", total: 200)
        let outcome = try await run.outcome()
        try outcome.expectEverySectorOnce(of: 200)
        #expect(outcome.errors.count { $0.hasPrefix("connected ") } == 1, "\(outcome.errors)")
        #expect(!outcome.errors.contains { $0.hasPrefix("disconnected ") }, "\(outcome.errors)")
      }
    }
  }

  @Test("A node with another key is refused by the engagement that it dials, and both say so")
  func otherKey() async throws {
    try await Stage.with { stage in
      let port = try freePort()
      let other = try stage.launch(
        Paths.binary,
        ["node", "--no-discovery", "--no-listen", "--join", "127.0.0.1:\(port)"],
        ["XDG_CONFIG_HOME": stage.file("other account")])
      let run = try stage.engage(
        peers: [], ["--listen", "127.0.0.1:\(port)", "--scan-seconds", "1", "--total", "100000"])
      try await run.process.line("a connection was refused")
      try await other.line("peer 127.0.0.1:\(port): ")
      try await run.stopUndisturbed()
    }
  }

  @Test("An address that cannot be listened on ends the command before it changes a file")
  func occupied() async throws {
    try await Stage.with { stage in
      let (descriptor, port) = try makeListener()
      defer { close(descriptor) }
      let results = stage.file("results")
      try "earlier".write(toFile: results, atomically: true, encoding: .utf8)
      let story = try await stage.skynet(
        "engage", "--no-discovery", "--listen", "127.0.0.1:\(port)", "--results", results
      ).end()
      #expect(story.status == 2)
      #expect(
        story.errors.last == "error: cannot listen on 127.0.0.1:\(port): address already in use")
      #expect(try String(contentsOfFile: results, encoding: .utf8) == "earlier")
    }
  }

  @Test(
    "Options for dialling that say nothing are refused",
    arguments: [
      ["node", "--no-listen"], ["node", "--no-listen", "--join", "a:1", "--port", "7"],
      ["node", "--join", "a"], ["engage", "--listen", "a"],
    ])
  func refusedOptions(arguments: [String]) async throws {
    try await Stage.with { stage in
      let story = try await stage.skynet(arguments).end()
      #expect(story.status == 64)
    }
  }
}

/// A host that nothing can connect to.
@Suite("A node behind a firewall", .timeLimit(.ample))
struct FirewallTests {
  /// Drops what would open a connection to the host.
  private static let firewall = "iptables -A INPUT -p tcp --syn -j DROP"

  @Test(
    "A node that only dials, on a host that drops incoming connections, does its share",
    .enabled(Lab.unfiltered) { await Lab.filtersPackets })
  func share() async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 2) { lab in
        let firewall = try await lab.launch(
          "/bin/sh", ["-c", Self.firewall], on: "h2", stage
        ).end()
        #expect(firewall.status == 0)
        // It starts first, is advertised by DNS-SD too, and the engagement tries in vain to connect to it.
        let node = try await RunningNode(
          lab.launch(
            Paths.binary, ["node", "--join", "\(Lab.address(of: "h1")):7979"], on: "h2", stage))
        #expect(node.name == "h2")
        let results = stage.file("results")
        let run = RunningEngagement(
          process: try lab.launch(
            Paths.binary,
            [
              "engage", "--listen", "7979", "--slots", "2", "--total", "200", "--scan-seconds",
              "0.1", "--failing-every", "0", "--results", results,
            ], on: "h1", stage), resultsFile: results)
        let outcome = try await run.outcome()
        try outcome.expectEverySectorOnce(of: 200)
        #expect((outcome.shares["h2"] ?? 0) >= 60, "\(outcome.shares)")
        #expect(outcome.errors.count { $0.hasPrefix("connected h2") } == 1)
      }
    }
  }

  @Test(
    "A node behind a firewall that dials another node does its share for an engagement elsewhere",
    .enabled(Lab.unfiltered) { await Lab.filtersPackets })
  func shareThroughANode() async throws {
    try await Stage.with { stage in
      try await Lab.with(hosts: 3) { lab in
        let firewall = try await lab.launch(
          "/bin/sh", ["-c", Self.firewall], on: "h2", stage
        ).end()
        #expect(firewall.status == 0)
        let login = try await RunningNode(
          lab.launch(Paths.binary, ["node", "--port", "7979"], on: "h3", stage))
        let node = try await RunningNode(
          lab.launch(
            Paths.binary, ["node", "--join", "\(Lab.address(of: "h3")):7979"], on: "h2", stage))
        let results = stage.file("results")
        let run = RunningEngagement(
          process: try lab.launch(
            Paths.binary,
            [
              "engage", "--no-local", "--wait-for", "2", "--total", "200", "--scan-seconds",
              "0.1", "--failing-every", "0", "--results", results,
            ], on: "h1", stage), resultsFile: results)
        let outcome = try await run.outcome()
        try outcome.expectEverySectorOnce(of: 200)
        #expect((outcome.shares[node.name] ?? 0) >= 60, "\(outcome.shares)")
        #expect(Set(outcome.shares.keys) == [login.name, node.name])
      }
    }
  }
}
