import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("Nodes that dial an engagement", .timeLimit(.minutes(20)))
struct DiallingTests {
  private static let desk = Endpoint(host: "desk", port: 7000)
  /// The other tests may keep both cores busy for longer than a program waits unless told otherwise.
  private static let patience = Duration.seconds(300)
  private static let place = Endpoint(host: "a", port: 7000)

  /// Runs a node that dials the program `desk`, while `body` runs.
  private static func withNode(
    _ network: InMemoryNetwork, listens: Bool, _ body: () async throws -> Void
  ) async throws {
    let targets = ManualDiscovery()
    targets.found("desk", at: desk)
    var settings = NodeSettings(name: "a", slots: 2, endpoint: place, timeout: Self.patience)
    settings.listens = listens
    let node = Node(
      settings, scans: [SumScan()], transport: network.transport(host: "a"), joining: targets)
    let test = TestNode(host: "a", node: node, network: network)
    test.start()
    let result: Result<Void, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    await test.end()
    try result.get()
  }

  /// Connects the program `desk`, which listens, while `body` runs.
  private static func engaging(
    _ network: InMemoryNetwork, discovery: ManualDiscovery? = nil,
    _ body: @Sendable (Cluster) async throws -> Void
  ) async throws {
    let transport = network.transport(host: "desk")
    try await Cluster.with(
      ClusterSettings(name: "desk", localSlots: 0, timeout: Self.patience), scans: [SumScan()],
      discoveries: discovery.map { [$0] } ?? [], transport: transport,
      listener: try await transport.peers.listen(on: desk), body)
  }

  @Test("A node that does not listen serves one program after the other")
  func serves() async throws {
    let network = InMemoryNetwork()
    try await Self.withNode(network, listens: false) {
      for _ in 1...3 {
        try await Self.engaging(network) { cluster in
          try await cluster.coordinator().waitForSystems(1, timeout: Self.patience)
          #expect(await cluster.connectedSystems.map(\.name) == ["a"])
        }
      }
    }
  }

  @Test("A node and a program that connect to each other at once end up with one connection")
  func crossing() async throws {
    for _ in 1...200 {
      let network = InMemoryNetwork()
      try await Self.withNode(network, listens: true) {
        let discovery = ManualDiscovery()
        discovery.found("a", at: Self.place)
        try await Self.engaging(network, discovery: discovery) { cluster in
          try await cluster.coordinator().waitForSystems(1, timeout: Self.patience)
          let first = await cluster.connectedSystems
          for _ in 1...100 { await Task.yield() }
          #expect(await cluster.connectedSystems == first)
        }
      }
    }
  }

  @Test(
    "A program without slots that connects to one that engages is no system there, nor that one here"
  )
  func lookerOn() async throws {
    let network = InMemoryNetwork()
    try await Self.engaging(network) { cluster in
      let discovery = ManualDiscovery()
      discovery.found("desk", at: Self.desk)
      let log = LogRecord()
      try await Cluster.with(
        ClusterSettings(name: "other", localSlots: 0, timeout: Self.patience), scans: [],
        discoveries: [discovery], transport: network.transport(host: "other"), logger: log.logger
      ) { other in
        try await log.warning("it is no node, but a program that engages")
        #expect(await other.connectedSystems.isEmpty)
        #expect(await cluster.connectedSystems.isEmpty)
      }
    }
  }
}
