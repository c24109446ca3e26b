import Logging
import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("The connector", .timeLimit(.minutes(20)))
struct ConnectorTests {
  private static let place = Endpoint(host: "b", port: 7000)

  @Test("The connector tries again, each time after twice as long, up to a second")
  func backoff() async throws {
    try await TestCluster.with { test, _ in
      test.discovery.found("b", at: Self.place)
      for (tries, wait) in [(1, 100), (2, 200), (3, 400), (4, 800), (5, 1_000), (6, 1_000)] {
        try await test.clock.sleepers(atLeast: 1, within: .milliseconds(wait))
        #expect(test.network.connects(to: "b") == tries)
        // The next try does not come a millisecond earlier.
        test.clock.advance(by: .milliseconds(wait - 1))
        try await test.clock.sleepers(atLeast: 1, within: .milliseconds(1))
        #expect(test.network.connects(to: "b") == tries)
        test.clock.advance(by: .milliseconds(1))
      }
      try await test.clock.sleepers(atLeast: 1)
      #expect(test.log.warnings.count == 1)
    }
  }

  @Test("A peer that refuses the connection is tried again after seconds, and logged once")
  func refused() async throws {
    try await TestCluster.with { test, _ in
      let other = test.network.transport(host: "b", fingerprint: "other").peers
      let listener = try await other.listen(on: Self.place)
      test.discovery.found("b", at: Self.place)
      for (tries, wait) in [(1, 5), (2, 10), (3, 20), (4, 40), (5, 60), (6, 60)] {
        try await test.clock.sleepers(atLeast: 1, within: .seconds(wait))
        #expect(test.network.connects(to: "b") == tries)
        test.clock.advance(by: .seconds(wait - 1))
        try await test.clock.sleepers(atLeast: 1, within: .seconds(1))
        #expect(test.network.connects(to: "b") == tries)
        test.clock.advance(by: .seconds(1))
      }
      try await test.clock.sleepers(atLeast: 1)
      #expect(test.log.warnings.count == 1)
      listener.close()
    }
  }

  @Test("Nodes of other clusters are known while they are there, and logged once, together")
  func foreignNodes() async throws {
    try await TestCluster.with { test, cluster in
      func found(_ name: String) {
        test.discovery.found(
          DiscoveredPeer(
            name: name, endpoints: [Self.place], protocolVersion: 1,
            fingerprints: ["d8f2000011112222"]))
      }
      found("b")
      found("c")
      try await test.clock.sleepers(atLeast: 1, within: .seconds(1))
      try await until { await cluster.foreignNodes.map(\.name) == ["b", "c"] }
      test.clock.advance(by: .seconds(1))
      try await test.log.entries.wait { $0.contains { $0.level == .notice } }
      found("d")
      test.discovery.lost("c")
      try await until { await cluster.foreignNodes.map(\.name) == ["b", "d"] }
      let notices = test.log.entries.value.filter { $0.level == .notice }.map(\.text)
      #expect(notices.count == 1)
      #expect(
        notices.first?.hasPrefix("2 nodes of another cluster: b, c (key d8f2…, you have none)")
          == true)
      // The node gets this cluster's key, or rather loses its own.
      test.discovery.found("b", at: Self.place)
      try await until { await cluster.foreignNodes.map(\.name) == ["d"] }
    }
  }

  @Test("A peer that is advertised with another key is left alone until it has the right one")
  func otherCluster() async throws {
    try await TestCluster.with { test, cluster in
      var peer = DiscoveredPeer(
        name: "b", endpoints: [Self.place], protocolVersion: 1, fingerprints: ["other"])
      test.discovery.found(peer)
      test.start("c", slots: 1)
      try await cluster.coordinator().waitForSystems(1)
      #expect(test.network.connects(to: "b") == 0)
      #expect(test.log.warnings.isEmpty)
      peer.fingerprints = []
      test.discovery.found(peer)
      test.start("b", slots: 1)
      try await cluster.coordinator().waitForSystems(2)
    }
  }

  @Test("A node that was restarted is connected again as another incarnation")
  func restart() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let first = try #require(await cluster.systems.connected.first)
      try test.node("b").crash()
      try await until { await cluster.systems.connected.isEmpty }
      try await test.clock.sleepers(atLeast: 1)
      test.start("b", slots: 2)
      try await cluster.coordinator().waitForSystems(1)
      let second = try #require(await cluster.systems.connected.first)
      #expect(second.name == "b")
      #expect(second.slots == 2)
      #expect(second.incarnation != first.incarnation)
    }
  }

  @Test("A node that discovery has lost stays connected, but is not connected again")
  func lost() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      test.discovery.lost("b")
      try await test.engage(cluster, sectors: 3).expectComplete()
      try test.node("b").crash()
      try await until { await cluster.systems.connected.isEmpty }
      try await test.clock.sleepers(atLeast: 1)
      test.clock.advance(by: .seconds(10))
      try await until { test.clock.sleeperCount == 0 }
      #expect(test.network.connects(to: "b") == 1)
    }
  }

  @Test("A new address ends the connector's wait, and the first one that answers is taken")
  func addresses() async throws {
    try await TestCluster.with { test, cluster in
      test.network.refuse("b")
      test.start("b", slots: 1)
      try await test.clock.sleepers(atLeast: 1)
      test.network.accept("b")
      let nowhere = Endpoint(host: "nowhere", port: 7000)
      test.discovery.found(DiscoveredPeer(name: "b", endpoints: [nowhere, Self.place]))
      try await cluster.coordinator().waitForSystems(1)
      #expect(await cluster.systems.connected.map(\.address) == ["b:7000"])
      #expect(test.network.connects(to: "nowhere") == 1)
    }
  }

  @Test("What discovery says of a peer now is dialled now, while its old address gives no answer")
  func movedMeanwhile() async throws {
    try await TestCluster.with { test, cluster in
      test.network.silence("old")
      test.discovery.found("b", at: Endpoint(host: "old", port: 7000))
      try await until { test.network.connects(to: "old") == 1 }
      test.start("b", slots: 1)
      // No time passes.
      try await cluster.coordinator().waitForSystems(1)
      #expect(await cluster.systems.connected.map(\.address) == ["b:7000"])
    }
  }

  @Test("An address without an answer holds up the next one for a second")
  func nextAddress() async throws {
    try await TestCluster.with { test, cluster in
      test.network.silence("old")
      test.start("b", slots: 1, isFound: false)
      try await test.node("b").listens()
      let old = Endpoint(host: "old", port: 7000)
      test.discovery.found(DiscoveredPeer(name: "b", endpoints: [old, Self.place]))
      try await until { test.network.connects(to: "old") >= 1 }
      #expect(test.network.connects(to: "b") == 0)
      try await test.clock.advance(by: .seconds(1)) {
        try await cluster.coordinator().waitForSystems(1, timeout: .seconds(300))
      }
    }
  }

  @Test("Discovery is asked again for a peer that is gone, and for one that does not answer")
  func asksAgain() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      #expect(test.discovery.lookedAgainFor.value.isEmpty)
      try test.node("b").crash()
      try await test.discovery.lookedAgainFor.wait { $0 == ["b"] }
      try await test.clock.sleepers(atLeast: 1)
      test.clock.advance(by: .milliseconds(100))
      try await test.discovery.lookedAgainFor.wait { $0 == ["b", "b"] }
    }
  }

  @Test("A peer that is found under two names is connected once, and again when it comes back")
  func twoNames() async throws {
    try await TestCluster.with(nodes: ["b": 2]) { test, cluster in
      test.secondDiscovery.found("b:7000", at: Self.place)
      try await until { test.network.connects(to: "b") == 2 }
      try await test.engage(cluster, sectors: 10).expectComplete()
      #expect(await cluster.systems.connected.count == 1)
      #expect(test.network.connects(to: "b") == 2)

      try test.node("b").crash()
      try await until { await cluster.systems.connected.isEmpty }
      test.start("b", slots: 2)
      try await cluster.coordinator().waitForSystems(1)
      try await test.engage(cluster, sectors: 10).expectComplete()
      #expect(await cluster.systems.connected.count == 1)
    }
  }

  @Test("The connector makes no connection to an incarnation that is connected already")
  func knownIncarnation() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let id = try #require(await cluster.systems.connected.first?.incarnation)
      test.secondDiscovery.found("b again", at: Self.place, incarnation: id)
      test.secondDiscovery.found("c", at: Endpoint(host: "c", port: 7000))
      // The connector takes events in order, so it has seen the first one when it tries `c`.
      try await until { test.network.connects(to: "c") > 0 }
      try await test.engage(cluster, sectors: 10).expectComplete()
      #expect(test.network.connects(to: "b") == 1)
    }
  }

  @Test("An address that leads to another peer than the one meant is passed over for the next")
  func sharedAddress() async throws {
    try await TestCluster.with { test, cluster in
      test.start("a", slots: 1)
      test.start("b", slots: 1, isFound: false)
      for host in ["a", "b"] { try await test.node(host).listens() }
      let (a, b) = (try test.node("a").node.asSystem, try test.node("b").node.asSystem)
      let places = ["a", "b"].map { Endpoint(host: $0, port: 7000) }
      test.secondDiscovery.found(
        DiscoveredPeer(name: "b", endpoints: places, incarnation: b.incarnation))
      try await test.clock.advance(by: .seconds(1)) {
        try await cluster.coordinator().waitForSystems(2, timeout: .seconds(300))
      }
      let connected = await cluster.systems.connected
      #expect(Set(connected.map(\.incarnation)) == [a.incarnation, b.incarnation])
    }
  }

  @Test("Nodes that share a name get distinct names")
  func sameName() async throws {
    try await TestCluster.with { test, cluster in
      test.start("h1", slots: 1, as: "b")
      try await cluster.coordinator().waitForSystems(1)
      test.start("h2", slots: 1, as: "b")
      test.start("h3", slots: 1, as: "local")
      try await cluster.coordinator().waitForSystems(3)
      let names = await cluster.systems.connected.map(\.name).sorted()
      #expect(names == ["b@h1:7000", "b@h2:7000", "local@h3:7000"])
    }
  }
}
