import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Synchronization

/// A program that engages, and the nodes that it finds, in one process on an in-memory network.
///
/// The program has one clock and the nodes have another, so that a test can let time pass for one side alone. A
/// node whose clock stands still answers, and takes no peer for gone.
final class TestCluster: Sendable {
  let network = InMemoryNetwork()
  let discovery = ManualDiscovery()
  let secondDiscovery = ManualDiscovery()
  let clock = ManualClock()
  let nodeClock = ManualClock()
  let log = LogRecord()
  /// The events that the program's engagements have reported.
  let reports = Watched<[EngagementEvent]>([])
  let stage: Stage
  /// The fingerprints of the program's keys.
  let keys: InMemoryKeys
  private let nodes = Mutex<[String: TestNode]>([:])

  private init(stage: Stage, keys: [String]) {
    self.stage = stage
    self.keys = InMemoryKeys(keys)
  }

  /// Starts the nodes, connects the program to all of them, runs `body`, and ends everything.
  ///
  /// - Parameters:
  ///   - nodes: the hosts of the nodes, with the slots of each. They encrypt nothing.
  ///   - keys: the fingerprints of the program's keys; empty if it encrypts nothing.
  ///   - scans: those that the program has and the nodes have not.
  static func with(
    local localSlots: Int = 0, nodes: KeyValuePairs<String, Int> = [:], stage: Stage = Stage(),
    keys: [String] = [], scans: [any Scan] = [],
    _ body: @Sendable (TestCluster, Cluster) async throws -> Void
  ) async throws {
    let test = TestCluster(stage: stage, keys: keys)
    do {
      for (host, slots) in nodes { test.start(host, slots: slots) }
      try await test.engaging(local: localSlots, scans: scans) { cluster in
        try await cluster.coordinator().waitForSystems(nodes.count)
        try await body(test, cluster)
      }
    } catch {
      await test.end()
      throw error
    }
    await test.end()
  }

  /// Runs `body` as one more program that is connected to these nodes.
  ///
  /// - Parameter clock: the program's own clock; with `nil`, it shares the clock of the first program.
  func engaging(
    as name: String = "engage", local localSlots: Int = 0, clock: ManualClock? = nil,
    scans ownScans: [any Scan] = [], _ body: @Sendable (Cluster) async throws -> Void
  ) async throws {
    try await Cluster.with(
      ClusterSettings(name: name, localSlots: localSlots), scans: scans(on: "local") + ownScans,
      discoveries: [discovery, secondDiscovery],
      transport: network.transport(host: name, keys: keys),
      clock: clock ?? self.clock, logger: log.logger, body)
  }

  // MARK: Nodes

  /// Starts a node, or starts it anew, and lets the program discover it if `isFound`.
  func start(
    _ host: String, slots: Int, as name: String? = nil, advertiser: (any Advertiser)? = nil,
    keys: InMemoryKeys = InMemoryKeys([]), isFound: Bool = true,
    _ change: (inout NodeSettings) -> Void = { _ in }
  ) {
    var settings = NodeSettings(
      name: name ?? host, slots: slots, endpoint: Endpoint(host: host, port: 7000))
    change(&settings)
    let ready = Watched(false)
    let node = Node(
      settings, scans: scans(on: host), transport: network.transport(host: host, keys: keys),
      advertisers: advertiser.map { [$0] } ?? [], clock: nodeClock, logger: log.logger
    ) { [discovery] _, endpoint in
      ready.update { $0 = true }
      if isFound { discovery.found(host, at: endpoint) }
    }
    let testNode = TestNode(host: host, node: node, network: network, ready: ready)
    nodes.withLock { $0[host] = testNode }
    testNode.start()
  }

  func node(_ host: String) throws -> TestNode {
    try nodes.withLock { nodes in
      guard let node = nodes[host] else { throw NoSuchNode(host: host) }
      return node
    }
  }

  private func scans(on host: String) -> [any Scan] {
    [ProbeScan(host: host, stage: stage), SumScan(), NumbersScan()]
  }

  private func end() async {
    for node in nodes.withLock({ Array($0.values) }) { await node.end() }
  }

  // MARK: Time

  /// Lets time pass for the program in these steps, and each step only when a task sleeps that would wake in it.
  func pass(_ steps: [Duration]) async throws {
    for step in steps {
      try await clock.sleepers(atLeast: 1, within: step)
      clock.advance(by: step)
    }
  }

  /// Lets time pass for the program until a silent node counts as gone. No engagement need be there to report it: what
  /// the node had not begun, as far as the program knows, may have been scanned elsewhere.
  func silence(of host: String, in cluster: Cluster, heartbeats: Int) async throws {
    try await clock.advance(by: .seconds(1), sleepers: heartbeats) {
      try await until { await !cluster.systems.connected.map(\.name).contains(host) }
    }
  }

  struct NoSuchNode: Error {
    let host: String
  }
}

/// Yields until the condition holds. It is for conditions that no test can wait for in another way.
func until(_ condition: @Sendable () async throws -> Bool) async throws {
  while try await !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}
