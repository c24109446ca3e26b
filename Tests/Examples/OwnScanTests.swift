import ServiceLifecycleTestKit
import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import SkyNetTestKit
import SkyNetTransport
import Testing

import struct Foundation.Data

@Suite("The example with an own scan", .timeLimit(.minutes(20)))
struct OwnScanTests {
  /// Ten rows, with 0…9 bright pixels.
  private let rows = (0..<10).map { Data(repeating: 255, count: $0) + Data(count: 100) }

  @Test("The scan counts the pixels above the threshold, and only those")
  func scan() async throws {
    let sector = BrightScan.Sector(pixels: BulkBytes(Data([0, 200, 201, 255])))
    let output = try await BrightScan().run(sector, settings: .init(threshold: 200))
    #expect(output.count == 2)
  }

  @Test("Two nodes count all bright pixels")
  func twoNodes() async throws {
    try await withNodes { cluster, _, _ in
      let (job, tally) = try await cluster.coordinator().run(BrightJob(rows: rows, threshold: 200))
      #expect(job.total == 45)
      #expect(tally.completed == 10)
    }
  }

  @Test("The count is the same when a node falls silent")
  func silentNode() async throws {
    try await withNodes { cluster, network, clock in
      network.cut("a")
      let busy = Watched<Set<String>>([])
      let counting = Task {
        try await cluster.coordinator().run(BrightJob(rows: rows, threshold: 200)) { update in
          if case .handedOut(let handout) = update.event {
            busy.update { _ = $0.insert(handout.system) }
          }
        }
      }
      try await busy.wait { $0.contains("a") }
      // Two heartbeats sleep, one for each node, until one node is lost.
      let (job, tally) = try await clock.advance(by: .seconds(1), sleepers: 2) {
        try await counting.value
      }
      #expect(job.total == 45)
      #expect(tally.completed == 10)
    }
  }

  /// A long timeout, since hundreds of tests share few threads.
  private static let patient = EngagementSettings(firstSystemTimeout: .seconds(300))

  @Test("The example's functions count over TCP")
  func overTCP() async throws {
    let discovery = ManualDiscovery()
    // A new key: the test must not touch this account's.
    let transport = Transport.tcp(try TransportSecurity(key: ClusterKey()))
    try await testGracefulShutdown { shutdown in
      async let serving: Void = serveBright(
        transport: transport, advertisers: [], signals: []
      ) { name, endpoint in
        discovery.found(name, at: Endpoint(host: "127.0.0.1", port: endpoint.port))
      }
      let count = try await countBright(
        in: rows, transport: transport, discoveries: [discovery], localSlots: 0,
        engagement: Self.patient)
      #expect(count == 45)
      shutdown.triggerGracefulShutdown()
      try await serving
    }
  }

  /// Runs `body` with a cluster that is connected to two nodes, `a` and `b`.
  private func withNodes(
    _ body: @Sendable (Cluster, InMemoryNetwork, ManualClock) async throws -> Void
  ) async throws {
    let (network, discovery, clock) = (InMemoryNetwork(), ManualDiscovery(), ManualClock())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for host in ["a", "b"] {
        let node = Node(
          NodeSettings(name: host, slots: 2, endpoint: Endpoint(host: host, port: 7000)),
          scans: [BrightScan()], transport: network.transport(host: host), clock: ManualClock()
        ) { name, endpoint in
          discovery.found(name, at: endpoint)
        }
        group.addTask { try await node.run() }
      }
      try await Cluster.with(
        ClusterSettings(name: "test", localSlots: 0), scans: [BrightScan()],
        discoveries: [discovery], transport: network.transport(host: "test"), clock: clock
      ) { cluster in
        try await cluster.coordinator().waitForSystems(2)
        try await body(cluster, network, clock)
      }
      group.cancelAll()
    }
  }
}
