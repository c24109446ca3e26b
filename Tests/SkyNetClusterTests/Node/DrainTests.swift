import ServiceLifecycle
import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("Nodes that drain and stop", .timeLimit(.minutes(20)))
struct DrainTests {
  @Test("A draining node finishes running scans, hands back waiting calls, and returns")
  func finishesAndHandsBack() async throws {
    let gate = Gate()
    try await TestCluster.with(nodes: ["b": 1], stage: Stage { _ in try await gate.pass() }) {
      test, cluster in
      let node = try test.node("b")
      let system = try await cluster.systems.commitment(for: ProbeScan.kind).system
      let running = Task { try await system.run(.probe(0)) }
      try await gate.arrivals(atLeast: 1)
      let waiting = Task { try await system.run(.probe(1)) }
      try await until { try await system.count == 2 }

      try await node.beginShutdown()
      let failure = await #expect(throws: CallFailure.self) { try await waiting.value }
      #expect(failure?.fault == .draining)
      gate.open()
      #expect(try await running.value.output as? String == "probed 0")
      try await node.ended()
      #expect(test.stage.started.value.map(\.sector) == [0])
    }
  }

  @Test("An engagement loses only the slots of a node that drains")
  func engagement() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.host == "b" { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 2, "c": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 20)
      try await gate.arrivals(atLeast: 2)
      try await test.node("b").beginShutdown()
      // The third sleeper is the drain timeout, so the node has begun to drain.
      try await test.nodeClock.sleepers(atLeast: 3, within: .seconds(10))
      gate.open()
      try await outcome.expectComplete()
      #expect(try await outcome.share(of: "b") == 2)
      try await test.node("b").ended()
    }
  }

  @Test("A scan that runs past the drain timeout is cancelled, and its sector is scanned elsewhere")
  func drainTimeout() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.host == "b" { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 1, "c": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 5)
      try await gate.arrivals(atLeast: 1)
      try await test.node("b").beginShutdown()
      try await test.nodeClock.sleepers(atLeast: 3, within: .seconds(10))
      test.nodeClock.advance(by: .seconds(10))
      let end = try await outcome
      end.expectComplete()
      #expect(end.share(of: "c") == 5)
      try await test.node("b").ended()
      #expect(test.log.warnings.contains("scans that still run are given up"))
      try await stage.cancelled.wait { $0.map(\.host) == ["b"] }
    }
  }

  @Test("A draining node finishes the scan of a peer that has said hello and is only about to join")
  func aboutToJoin() async throws {
    let gate = Gate()
    let scan = ProbeScan(host: "b", stage: Stage { _ in try await gate.pass() })
    let clock = DeafClock()
    let network = InMemoryNetwork()
    let endpoint = Watched<Endpoint?>(nil)
    let log = LogRecord()
    let node = Node(
      NodeSettings(name: "b", slots: 1, endpoint: Endpoint(host: "b", port: 0)), scans: [scan],
      transport: network.transport(host: "b"), clock: clock, logger: log.logger
    ) { _, ready in endpoint.update { $0 = ready } }
    let group = ServiceGroup(services: [node], logger: log.logger)
    let running = Task { try await group.run() }

    let connection = try await network.transport(host: "raw").peers.connect(
      to: try await endpoint.take { $0 }, timeout: .seconds(1))
    let peer = RawPeer(connection)
    peer.sayHello()
    let body = try BodyCoder(registry: ScanRegistry([scan])).encode(ScanTask.probe(7), as: .call)
      .body
    peer.send(Message(.call, target: CallTargets.run, call: 5, body: body))
    try await gate.arrivals(atLeast: 1)
    // The task that waited for the hello still sleeps, so the peer has not joined.
    #expect(await node.clientCount == 0)

    await group.triggerGracefulShutdown()
    _ = try await peer.message(.drain)
    gate.open()
    #expect(try await peer.message(.reply).call == 5)
    clock.wake()
    try await running.value
  }

  @Test("A node in a service group stops with the group")
  func serviceGroup() async throws {
    let network = InMemoryNetwork()
    let advertiser = ManualAdvertiser()
    let log = LogRecord()
    let node = Node(
      NodeSettings(name: "b", slots: 1, endpoint: Endpoint(host: "b", port: 0)), scans: [],
      transport: network.transport(host: "b"), advertisers: [advertiser], clock: ManualClock(),
      logger: log.logger)
    let group = ServiceGroup(services: [node], logger: log.logger)
    let running = Task { try await group.run() }
    _ = try await advertiser.advertisement()
    advertiser.registered(as: "b")
    await group.triggerGracefulShutdown()
    try await advertiser.withdrawal()
    try await running.value
  }

  @Test("A node that was never registered stops too")
  func neverRegistered() async throws {
    try await TestCluster.with { test, _ in
      let advertiser = ManualAdvertiser()
      test.start("b", slots: 1, advertiser: advertiser)
      _ = try await advertiser.advertisement()
      try await test.node("b").beginShutdown()
      try await test.node("b").ended()
    }
  }

  @Test("A node stops without waiting for a peer that has connected and says nothing")
  func silentPeer() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, _ in
      let peer = try await test.rawPeer(to: "b")
      _ = try await peer.message(.hello)
      try await test.node("b").beginShutdown()
      try await test.node("b").ended()
      try await peer.isClosed.wait { $0 }
    }
  }
}

/// A clock that stands still. A task that sleeps by it notices that it was cancelled only when the test wakes it.
private final class DeafClock: ClusterClock {
  typealias Instant = SkyNetCore.Instant
  typealias Duration = Swift.Duration

  private let isAwake = Watched(false)

  var now: Instant { Instant() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    // The cancellation of the sleeper does not reach this task.
    _ = try await Task { [isAwake] in try await isAwake.wait { $0 } }.value
    throw CancellationError()
  }

  /// Ends all sleeps, as if the sleepers were cancelled.
  func wake() { isAwake.update { $0 = true } }
}
