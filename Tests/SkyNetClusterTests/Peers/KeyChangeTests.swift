import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

/// Changes of the cluster's key while an engagement runs.
@Suite("Changes of the keys", .timeLimit(.minutes(20)))
struct KeyChangeTests {
  private func peer(_ host: String, _ fingerprints: [String]) -> DiscoveredPeer {
    DiscoveredPeer(
      name: host, endpoints: [Endpoint(host: host, port: 7000)], protocolVersion: 1,
      fingerprints: fingerprints)
  }

  @Test("A node that gets this program's key is connected, and one that loses it is left")
  func foreignAndOwn() async throws {
    try await TestCluster.with(keys: ["one"]) { test, cluster in
      let keys = InMemoryKeys(["two"])
      test.start("b", slots: 1, keys: keys, isFound: false)
      test.discovery.found(peer("b", ["two"]))
      try await until { await cluster.foreignNodes.map(\.name) == ["b"] }
      #expect(test.network.connects(to: "b") == 0)
      // This program gets the node's key.
      test.keys.change(to: ["two", "one"])
      try await cluster.coordinator().waitForSystems(1)
      #expect(await cluster.foreignNodes.isEmpty)
      #expect(cluster.ownFingerprint == "two")
      // And has it no longer.
      test.keys.change(to: ["one"])
      try await until { await cluster.systems.connected.isEmpty }
      #expect(await cluster.foreignNodes.map(\.name) == ["b"])
    }
  }

  @Test("A connection by a retired key ends, and its tasks are handed out again over a new one")
  func retired() async throws {
    let gate = Gate()
    let stage = Stage { visit in
      if visit.sector == 7 { try await gate.pass() }
    }
    try await TestCluster.with(stage: stage, keys: ["old"]) { test, cluster in
      let node = InMemoryKeys(["old"])
      test.start("b", slots: 1, keys: node)
      try await cluster.coordinator().waitForSystems(1)
      test.keys.change(to: ["new", "old"])
      node.change(to: ["new", "old"])
      try await test.engage(cluster, sectors: 3).expectComplete()
      #expect(test.network.connects(to: "b") == 1, "a key that is added ends no connection")
      // The node retires the old key while it scans for the program.
      let run = Task { try await test.engage(cluster, sectors: 20) }
      try await stage.started.wait { $0.contains { $0.sector == 7 } }
      node.change(to: ["new"])
      try await stage.cancelled.wait { $0.contains { $0.sector == 7 } }
      gate.open()
      try await until { await cluster.systems.connected.isEmpty }
      try await test.clock.advance(by: .milliseconds(100)) { try await run.value }.expectComplete()
      #expect(test.network.connects(to: "b") == 2)
    }
  }

  @Test("A node whose keys change advertises itself anew with all of them")
  func advertised() async throws {
    try await TestCluster.with { test, _ in
      let keys = InMemoryKeys(["one"])
      let advertiser = ManualAdvertiser()
      test.start("b", slots: 1, advertiser: advertiser, keys: keys)
      #expect(try await advertiser.advertisement().fingerprints == ["one"])
      advertiser.registered(as: "b")
      try await until { test.network.connects(to: "b") > 0 }
      keys.change(to: ["two", "one"])
      try await advertiser.withdrawal()
      #expect(try await advertiser.advertisement().fingerprints == ["two", "one"])
    }
  }
}
