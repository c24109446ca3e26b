import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("Programs that lend their own systems", .timeLimit(.minutes(20)))
struct LendingTests {
  /// The other tests may keep both cores busy for longer than a program waits unless told otherwise.
  private static let patience = Duration.seconds(300)

  private let network = InMemoryNetwork()
  private let discovery = ManualDiscovery()

  /// Runs `body` as a program on this host that engages, and lends its own system to those that find it.
  private func lending(
    _ host: String, slots: Int = 1, stage: Stage, _ body: @Sendable (Cluster) async throws -> Void
  ) async throws {
    var settings = ClusterSettings(name: host, localSlots: slots, timeout: Self.patience)
    settings.servesOthers = true
    let transport = network.transport(host: host)
    try await Cluster.with(
      settings, scans: [ProbeScan(host: host, stage: stage)], discoveries: [discovery],
      transport: transport,
      listener: try await transport.peers.listen(on: Endpoint(host: host, port: 7000)),
      onServing: { [discovery] name, endpoint in discovery.found(name, at: endpoint) }, body)
  }

  private func run(_ cluster: Cluster, sectors: Int) async throws -> Outcome {
    try await cluster.coordinator().waitForSystems(1, timeout: Self.patience)
    return try await cluster.outcome(ofSectors: sectors)
  }

  @Test("One that has no work helps the one that has some, and is told whom it helps")
  func idleOneHelps() async throws {
    let idleStage = Stage()
    let busyIsDone = Watched(false)
    // The busy one scans nothing before the other has helped it.
    let busyStage = Stage { _ in
      try await idleStage.finished.wait { $0.contains { $0.host == "idle" } }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await lending("idle", stage: idleStage) { cluster in
          var helped: [Systems.Change] = []
          for await change in await cluster.systems.changes() {
            switch change {
            case .helping, .helped: helped.append(change)
            default: continue
            }
            if helped.count == 2 { break }
          }
          #expect(helped == [.helping("busy"), .helped("busy")])
          try await busyIsDone.wait { $0 }
        }
      }
      group.addTask {
        try await lending("busy", stage: busyStage) { cluster in
          let outcome = try await run(cluster, sectors: 20)
          outcome.expectComplete()
          #expect(outcome.share(of: "idle") > 0 && outcome.share(of: "local") > 0)
          #expect(await cluster.connectedSystems.map(\.name) == ["idle"], "not its own node")
        }
        busyIsDone.update { $0 = true }
      }
      try await group.waitForAll()
    }
  }

  @Test("One that leaves waits for nobody, and what it had running is scanned elsewhere, uncounted")
  func leavesEarly() async throws {
    // What begins on the one that leaves never ends there.
    let leavingStage = Stage { _ in try await Watched(()).wait { false } }
    let stayingStage = Stage { _ in
      try await leavingStage.cancelled.wait { !$0.isEmpty }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await lending("leaving", slots: 2, stage: leavingStage) { _ in
          try await leavingStage.started.wait { $0.count == 2 }
        }
      }
      group.addTask {
        try await lending("staying", stage: stayingStage) { cluster in
          let outcome = try await run(cluster, sectors: 20)
          outcome.expectComplete()
          #expect(outcome.tally.retried == 0)
          #expect(outcome.share(of: "local") == 20)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("A node that dials the port where others are served is engaged by its program")
  func nodeThatDials() async throws {
    let stage = Stage()
    let place = ManualDiscovery()
    place.found("desk", at: Endpoint(host: "desk", port: 7000))
    var settings = NodeSettings(
      name: "a", slots: 1, endpoint: Endpoint(host: "a", port: 7000), timeout: Self.patience)
    settings.listens = false
    let node = TestNode(
      host: "a",
      node: Node(
        settings, scans: [ProbeScan(host: "a", stage: stage)],
        transport: network.transport(host: "a"), joining: place), network: network)
    node.start()
    let local = Stage { _ in try await stage.finished.wait { !$0.isEmpty } }
    try await lending("desk", stage: local) { cluster in
      let outcome = try await run(cluster, sectors: 20)
      outcome.expectComplete()
      #expect(outcome.share(of: "a") > 0 && outcome.share(of: "local") > 0)
      let statuses = await cluster.statuses(of: cluster.connectedSystems, within: Self.patience)
      #expect(statuses.values.map(\.slots) == [1])
    }
    await node.end()
  }

  @Test("A node that is dialled, and dials, is one system")
  func bothWays() async throws {
    let place = ManualDiscovery()
    place.found("desk", at: Endpoint(host: "desk", port: 7000))
    let here = Endpoint(host: "a", port: 7000)
    let stage = Stage()
    let node = TestNode(
      host: "a",
      node: Node(
        NodeSettings(name: "a", slots: 1, endpoint: here, timeout: Self.patience),
        scans: [ProbeScan(host: "a", stage: stage)], transport: network.transport(host: "a"),
        joining: place), network: network)
    node.start()
    discovery.found("a", at: here)
    try await lending("desk", stage: Stage()) { cluster in
      for _ in 1...5 {
        try await run(cluster, sectors: 20).expectComplete()
        #expect(await cluster.connectedSystems.map(\.name) == ["a"])
      }
    }
    await node.end()
  }
}
