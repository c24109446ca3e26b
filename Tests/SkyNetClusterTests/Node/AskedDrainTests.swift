import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("Nodes that are asked to drain, and to take scans again", .timeLimit(.minutes(20)))
struct AskedDrainTests {
  @Test("A node that is asked to drain hands back waiting calls, finishes running ones, and stays")
  func drains() async throws {
    let gate = Gate()
    try await TestCluster.with(nodes: ["b": 1], stage: Stage { _ in try await gate.pass() }) {
      test, cluster in
      let system = try await cluster.systems.commitment(for: ProbeScan.kind).system
      let running = Task { try await system.run(.probe(0)) }
      try await gate.arrivals(atLeast: 1)
      let waiting = Task { try await system.run(.probe(1)) }
      try await until { try await system.count == 2 }

      let status = try await drain("b", for: "ada@lab", in: test)
      #expect(status.isDraining && status.drainedBy == "ada@lab")
      #expect(status.running == ["engage": 1] && status.waiting.isEmpty)
      let failure = await #expect(throws: CallFailure.self) { try await waiting.value }
      #expect(failure?.fault == .draining)
      gate.open()
      #expect(try await running.value.output as? String == "probed 0")
      #expect(try await system.status().drainedBy == "ada@lab")
      #expect(
        test.log.entries.value.map(\.text).contains {
          $0.contains("drained") && $0.contains("client=ada@lab")
        })
    }
  }

  @Test("An engagement is told which client has drained a node, and uses it again afterwards")
  func engagement() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.host == "c" { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 1, "c": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 3)
      try await gate.arrivals(atLeast: 1)
      _ = try await drain("b", for: "ada", in: test)
      try await test.reports.wait { events in
        events.contains { if case .leaving("b", by: "ada") = $0 { true } else { false } }
      }
      _ = try await undrain("b", for: "ada", in: test)
      try await test.clock.advance(by: .milliseconds(100)) {
        try await test.reports.wait { events in
          events.count { if case .connected(let system) = $0 { system.name == "b" } else { false } }
            == 2
        }
      }
      gate.open()
      try await outcome.expectComplete()
    }
  }

  @Test("An engagement waits for its only node for as long as that is drained")
  func onlyNode() async throws {
    let gate = Gate()
    try await TestCluster.with(nodes: ["b": 1], stage: Stage { _ in try await gate.pass() }) {
      test, cluster in
      let engagement = Task { try await test.engage(cluster, sectors: 3) }
      try await gate.arrivals(atLeast: 1)
      _ = try await drain("b", for: "ada", in: test)
      try await test.reports.wait { events in
        events.contains { event in
          guard case .waitingForSystem(let patience, let leaving, _) = event else { return false }
          return patience == nil && leaving == ["b"]
        }
      }
      gate.open()
      try await test.pass(Array(repeating: .seconds(1), count: 120))
      #expect(!test.reports.value.contains { if case .failed = $0 { true } else { false } })
      _ = try await undrain("b", for: "ada", in: test)
      let outcome = try await test.clock.advance(by: .milliseconds(100)) {
        try await engagement.value
      }
      outcome.expectComplete()
    }
  }

  @Test("A peer that connects to a drained node learns that it is drained")
  func laterPeer() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, _ in
      _ = try await drain("b", for: "ada", in: test)
      let peer = try await test.rawPeer(to: "b")
      peer.sayHello()
      #expect(try await peer.message(.drain).decodeDrainingClient() == "ada")
      #expect(peer.received.value.map(\.kind).prefix(2) == [.hello, .drain])
    }
  }

  @Test("A node that takes scans again keeps a peer's connection until its scans are answered")
  func undrainsLater() async throws {
    let gate = Gate()
    try await TestCluster.with(nodes: ["b": 2], stage: Stage { _ in try await gate.pass() }) {
      test, _ in
      let body = try BodyCoder(
        registry: ScanRegistry([ProbeScan(host: "b", stage: test.stage)])
      )
      .encode(ScanTask.probe(7), as: .call).body
      let (busy, idle) = (try await test.rawPeer(to: "b"), try await test.rawPeer(to: "b"))
      for peer in [busy, idle] { peer.sayHello() }
      busy.send(Message(.call, target: CallTargets.run, call: 5, body: body))
      try await gate.arrivals(atLeast: 1)
      _ = try await drain("b", for: "ada", in: test)
      _ = try await undrain("b", for: "ada", in: test)
      _ = try await idle.message(.goodbye)
      #expect(!busy.received.value.contains { $0.kind == .goodbye })
      gate.open()
      #expect(try await busy.message(.reply).call == 5)
      _ = try await busy.message(.goodbye)
    }
  }

  @Test("A node that stops cannot be asked to take scans again")
  func stopping() async throws {
    let gate = Gate()
    try await TestCluster.with(nodes: ["b": 1], stage: Stage { _ in try await gate.pass() }) {
      test, cluster in
      let system = try await cluster.systems.commitment(for: ProbeScan.kind).system
      let running = Task { try await system.run(.probe(0)) }
      try await gate.arrivals(atLeast: 1)
      try await test.node("b").beginShutdown()
      let peer = try await #require(cluster.connectedSystems.first)
      try await until { try await cluster.undrain(peer).isDraining }
      gate.open()
      _ = try await running.value
      try await test.node("b").ended()
    }
  }

  @Test("A node that refuses to drain is named with its reason")
  func refused() async throws {
    try await TestCluster.with { test, _ in
      try await test.rawListener("raw") { peer in
        peer.sayHello(name: "raw")
        Task {
          let call = try await peer.message(.call)
          peer.send(
            Message(
              .failure, call: call.call,
              encoding: CallFailure(.system, "it is busy")))
        }
      }
      test.discovery.found("raw", at: Endpoint(host: "raw", port: 7000))
      await #expect(throws: DrainRefusal(description: "raw refuses: it is busy")) {
        _ = try await drain("raw", for: "ada", in: test)
      }
    }
  }

  private func drain(
    _ host: String, for client: String, in test: TestCluster
  ) async throws -> SystemStatus {
    try await ask(host, for: client, in: test) { try await $0.drain($1) }
  }

  private func undrain(
    _ host: String, for client: String, in test: TestCluster
  ) async throws -> SystemStatus {
    try await ask(host, for: client, in: test) { try await $0.undrain($1) }
  }

  /// Asks as a program of its own.
  private func ask(
    _ host: String, for client: String, in test: TestCluster,
    _ call: @escaping @Sendable (Cluster, RemoteSystem) async throws -> SystemStatus
  ) async throws -> SystemStatus {
    let answer = Watched<SystemStatus?>(nil)
    try await test.engaging(as: client, clock: ManualClock()) { cluster in
      try await until { await cluster.connectedSystems.contains { $0.name == host } }
      let peer = try await #require(cluster.connectedSystems.first { $0.name == host })
      let status = try await call(cluster, peer)
      answer.update { $0 = status }
    }
    return try #require(answer.value)
  }
}
