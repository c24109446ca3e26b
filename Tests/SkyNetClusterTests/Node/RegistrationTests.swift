import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("A node's registered name", .timeLimit(.minutes(20)))
struct NodeRegistrationTests {
  @Test("A node whose name is taken serves under the name that it was given")
  func renamed() async throws {
    try await TestCluster.with { test, cluster in
      let advertiser = ManualAdvertiser()
      test.start("b", slots: 3, advertiser: advertiser)
      let advertisement = try await advertiser.advertisement()
      #expect(advertisement.name == "b")
      #expect(advertisement.slots == 3)
      #expect(advertisement.port == 7000)
      advertiser.registered(as: "b #2")
      try await cluster.coordinator().waitForSystems(1)
      let system = try #require(await cluster.systems.connected.first)
      #expect(system.name == "b #2")
      #expect(system.incarnation == advertisement.incarnation)
    }
  }

  @Test("A node that cannot be registered serves under its own name")
  func unavailable() async throws {
    try await TestCluster.with { test, cluster in
      let advertiser = ManualAdvertiser()
      test.start("b", slots: 1, advertiser: advertiser)
      _ = try await advertiser.advertisement()
      advertiser.unavailable(reason: "no daemon")
      try await cluster.coordinator().waitForSystems(1)
      #expect(await cluster.systems.connected.map(\.name) == ["b"])
      try await test.log.warning("not advertised: no daemon")
    }
  }

  @Test("A node that gets no answer from the daemon for five seconds serves under its own name")
  func noAnswer() async throws {
    try await TestCluster.with { test, cluster in
      test.start("b", slots: 1, advertiser: ManualAdvertiser())
      try await test.nodeClock.sleepers(atLeast: 1)
      test.nodeClock.advance(by: .seconds(5))
      try await cluster.coordinator().waitForSystems(1)
      #expect(await cluster.systems.connected.map(\.name) == ["b"])
      try await test.log.warning("the daemon does not answer")
    }
  }

  @Test("A node whose port is taken throws an error")
  func taken() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, _ in
      let node = Node(
        NodeSettings(name: "b", slots: 1, endpoint: Endpoint(host: "b", port: 7000)), scans: [],
        transport: test.network.transport(host: "b"), clock: test.nodeClock,
        logger: test.log.logger)
      let error = await #expect(throws: TransportError.self) { try await node.run() }
      #expect(error?.code == .cannotListen)
    }
  }

  @Test("A node tells nobody of the advertisement that its former process has left")
  func formerProcess() async throws {
    let network = InMemoryNetwork()
    let (discovery, advertiser, log) = (ManualDiscovery(), ManualAdvertiser(), LogRecord())
    let place = Endpoint(host: "b", port: 7000)
    for (name, host) in [("b", "b"), ("c", "c")] {
      discovery.found(
        DiscoveredPeer(
          name: name, endpoints: [Endpoint(host: host, port: 7000)], incarnation: Incarnation(),
          protocolVersion: SkyNetVersion.wireProtocol, fingerprints: ["another"]))
    }
    let node = Node(
      NodeSettings(name: "b", slots: 1, endpoint: place), scans: [],
      transport: network.transport(host: "b"), advertisers: [advertiser], discoveries: [discovery],
      // Its time stands still, so the node waits for its registration however long that takes here.
      clock: ManualClock(), logger: log.logger)
    let test = TestNode(host: "b", node: node, network: network)
    test.start()
    _ = try await advertiser.advertisement()
    advertiser.registered(as: "b")
    try await log.entries.wait { $0.contains { $0.text.contains("of another cluster: c") } }
    discovery.lost("b")
    discovery.lost("c")
    try await log.entries.wait { $0.contains { $0.text.hasPrefix("a node is no longer there") } }
    await test.end()
    let texts = log.entries.value.map(\.text)
    #expect(texts.count { $0.contains("of another cluster: c") } == 1)
    #expect(!texts.contains { $0.contains("of another cluster: b") || $0.contains("peer=b") })
  }
}
