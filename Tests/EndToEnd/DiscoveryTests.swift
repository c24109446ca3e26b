import Foundation
import SkyNetCore
import SkyNetKeys
import TestSupport
import Testing

/// Tests of DNS-SD with a private daemon, since other people's nodes may be on the network.
///
/// Other tests may restart the daemon meanwhile, so queries are repeated. Tests that run at the
/// same time on this machine share its loopback interface, so their nodes may take part.
@Suite(
  "Discovery by DNS-SD", .serialized, .timeLimit(.ample),
  .enabled(if: PrivateAvahi.isThere, PrivateAvahi.missing))
struct DiscoveryTests {
  @Test("Nodes are found by DNS-SD, and one may be killed")
  func nodesAreFoundAndOneMayBeKilled() async throws {
    try await Stage.with { stage in
      let (a, b) = (try await advertised("a", on: stage), try await advertised("b", on: stage))
      let results = stage.file("results")
      let run = RunningEngagement(
        process: try stage.skynet(
          "engage", "--slots", "4", "--wait-for", "2", "--scan-seconds", "0.2", "--total", "600",
          "--results", results), resultsFile: results)
      try await run.completions(by: a.name)
      try await run.completions(by: b.name)
      b.process.send(SIGKILL)
      try await run.process.line("disconnected \(b.name)")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 600)
      #expect(Set(outcome.shares.keys).isSuperset(of: [a.name, b.name]))
    }
  }

  @Test("A node that appears during a run joins in")
  func aNodeThatAppearsDuringTheRunJoinsIn() async throws {
    try await Stage.with { stage in
      let a = try await advertised("a", on: stage)
      let results = stage.file("results")
      let run = RunningEngagement(
        process: try stage.skynet(
          "engage", "--no-local", "--scan-seconds", "0.2", "--total", "300", "--results", results),
        resultsFile: results)
      try await run.completions(by: a.name)
      let c = try await advertised("c", on: stage)
      try await run.completions(by: c.name)
      // A node that leaves withdraws its registration, and the coordinator does not connect to it
      // again.
      c.process.send(SIGTERM)
      #expect(try await c.process.end().status == 0)
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 300)
      #expect(Set(outcome.shares.keys).isSuperset(of: [a.name, c.name]))
    }
  }

  @Test("`skynet systems` lists the nodes on the network")
  func systemsListsTheNodes() async throws {
    try await Stage.with { stage in
      let (a, b) = (try await advertised("a", on: stage), try await advertised("b", on: stage))
      let listed = try await listing([a.name, b.name], on: stage)
      #expect(listed.map(\.name).sorted() == [a.name, b.name].sorted())
      #expect(listed.allSatisfy { $0.slots == 3 && !$0.version.isEmpty })
      let ports = listed.compactMap { Endpoint($0.address)?.port }
      #expect(ports.sorted() == [a.port, b.port].sorted())
    }
  }

  @Test("Two nodes with the same name are both used")
  func twoNodesOfOneNameAreBothUsed() async throws {
    try await Stage.with { stage in
      let name = Self.uniqueName("twin")
      let first = try await RunningNode(stage.skynet("node", "--name", name))
      let second = try await RunningNode(stage.skynet("node", "--name", name))
      #expect(first.name == name && second.name != name && second.name.hasPrefix(name))
      let results = stage.file("results")
      let run = RunningEngagement(
        process: try stage.skynet(
          "engage", "--slots", "4", "--wait-for", "2", "--scan-seconds", "0.2", "--total", "100000",
          "--results", results), resultsFile: results)
      for system in [first.name, second.name, "local"] { try await run.completions(by: system) }
      try await run.stopUndisturbed()
    }
  }

  @Test("Clusters with different keys do not engage each other, and name each other with both keys")
  func clustersOfTwoKeysNameEachOther() async throws {
    try await Stage.with { stage in
      let a = try await advertised("a", on: stage)
      let key = ClusterKey()
      let other = ["SKYNET_KEY": key.text]
      let named =
        "\(a.name) (key \(try await fingerprint(on: stage)), yours \(key.fingerprint.prefix(4))…)"
      let systems = try await stage.launch(
        Paths.binary, ["systems", "--json"], other
      ).end()
      // Other tests' nodes may be among them.
      #expect(systems.output == [])
      #expect(
        systems.errors.contains {
          $0.contains("of another cluster: ") || $0.contains("other clusters: ")
        })
      let report = try await stage.launch(Paths.binary, ["watch", "--once"], other).end()
      #expect(report.status == 0 && report.errors == [])
      #expect(report.output.first?.contains("  0 systems, ") == true)
      #expect(
        report.output.contains {
          $0.hasPrefix("to join ") && $0.contains(": run `skynet invite` ")
        })
      let run = try stage.launch(
        Paths.binary, ["engage", "--total", "16", "--slots", "1", "--scan-seconds", "0.5"], other)
      let story = try await run.end()
      #expect(story.status == 0)
      #expect(!story.errors.contains { $0.contains("warning") })
      #expect(
        story.errors.count { $0.contains("other cluster") && $0.contains("`skynet invite`") }
          == 1)
      #expect(try Summary(try #require(story.errors.last)).shares == ["local": 16])
      // The node of the other cluster names this one's, and is not disturbed by it.
      let name = Self.uniqueName("other")
      let node = try await RunningNode(
        stage.launch(Paths.binary, ["node", "--name", name, "--slots", "3"], other))
      let line = try await node.process.line(named)
      #expect(line.contains("1 node of another cluster: "))
      #expect(line.contains("; to let it in: run `skynet invite` here, "))
      try await a.process.line(
        "1 node of another cluster: \(name) (key \(key.fingerprint.prefix(4))…, yours ")
      #expect(try await listing([a.name], on: stage).map(\.name) == [a.name])
      #expect(!a.process.soFar.errors.contains { $0.contains("refused") })
      node.process.send(SIGTERM)
      try await node.process.line("info: stopping")
      try await node.process.line("info: stopped")
    }
  }

  private func fingerprint(on stage: Stage) async throws -> String {
    let line = try await stage.skynet("key", "show").line("fingerprint ")
    return "\(line.dropFirst("fingerprint ".count).prefix(4))…"
  }

  @Test("A node registers again after the daemon has restarted")
  func aNodeRegistersAgainWhenTheDaemonIsRestarted() async throws {
    try await Stage.with { stage in
      let a = try await advertised("a", on: stage)
      try PrivateAvahi.restart()
      try await a.process.lines(2) { $0.contains("info: registered") }
      #expect(try await listing([a.name], on: stage).map(\.name) == [a.name])
    }
  }

  private static func uniqueName(_ name: String) -> String {
    "\(name)-\(UUID().uuidString.prefix(8))"
  }

  /// A node that is registered under a name that no other node has.
  private func advertised(_ name: String, on stage: Stage) async throws -> RunningNode {
    let name = Self.uniqueName(name)
    let node = try await RunningNode(stage.skynet("node", "--name", name, "--slots", "3"))
    try #require(node.name == name)
    try await node.process.line("info: registered")
    return node
  }

  private struct Row: Decodable {
    let name: String
    let address: String
    let slots: Int
    let version: String
  }

  /// The rows of `skynet systems` for these names, once it lists all of them.
  private func listing(_ names: Set<String>, on stage: Stage) async throws -> [Row] {
    var rows: [Row] = []
    for _ in 0..<100 {
      let story = try await stage.skynet("systems", "--json").end()
      try #require(story.status == 0)
      rows = try story.output.map { line in
        try JSONDecoder().decode(Row.self, from: Data(line.utf8))
      }.filter { names.contains($0.name) }
      if rows.count == names.count { break }
    }
    return rows
  }
}
