import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("Nodes that leave by themselves", .timeLimit(.minutes(20)))
struct DepartureTests {
  @Test("A node that has had nothing to scan for its idle timeout leaves, connected or not")
  func idle() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(stage: stage) { test, cluster in
      test.start("b", slots: 1) {
        $0.idleTimeout = .seconds(60)
        // The program's clock stands still, so its answers may come late by the node's.
        $0.timeout = .seconds(86_400)
      }
      try await cluster.coordinator().waitForSystems(1)
      let system = try await cluster.systems.commitment(for: ProbeScan.kind).system
      try await pass(59, in: test)
      let running = Task { try await system.run(.probe(0)) }
      try await gate.arrivals(atLeast: 1)
      try await pass(100, in: test)
      gate.open()
      _ = try await running.value
      try await pass(59, in: test)
      #expect(try test.node("b").isRunning)
      try await test.nodeClock.advance(by: .seconds(1)) { try await test.node("b").ended() }
    }
  }

  @Test("A node hands back what its lifetime does not suffice for, and leaves when nothing fits")
  func lifetime() async throws {
    let (first, second) = (Gate(), Gate())
    let stage = Stage { visit in try await (visit.sector < 2 ? first : second).pass() }
    try await TestCluster.with(stage: stage) { test, cluster in
      test.start("b", slots: 1) {
        $0.lifetime = .seconds(300)
        // The program's clock stands still, so its answers may come late by the node's.
        $0.timeout = .seconds(86_400)
      }
      try await cluster.coordinator().waitForSystems(1)
      let system = try await cluster.systems.commitment(for: ProbeScan.kind).system
      let running = Task { try await system.run(.probe(0)) }
      try await first.arrivals(atLeast: 1)
      try await pass(100, in: test)
      // The scan that runs has not run for longer than what is left, so the call may wait.
      let waiting = Task { try await system.run(.probe(1)) }
      try await until { try await system.count == 2 }
      try await pass(60, in: test)
      first.open()
      _ = try await running.value
      // A scan took 160 s, and 140 s are left.
      let failure = await #expect(throws: CallFailure.self) { try await waiting.value }
      #expect(failure?.fault == .draining)
      try await test.nodeClock.advance(by: .seconds(1)) { try await test.node("b").ended() }
    }
  }

  @Test("A node gives up scans that still run when its lifetime is over")
  func givesUp() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.host == "b" { try await gate.pass() } }
    try await TestCluster.with(stage: stage) { test, cluster in
      // The program's clock stands still, so its answers may come late by the nodes'.
      test.start("c", slots: 1) { $0.timeout = .seconds(86_400) }
      test.start("b", slots: 1) {
        $0.lifetime = .seconds(300)
        $0.timeout = .seconds(86_400)
      }
      try await cluster.coordinator().waitForSystems(2)
      let outcome = Task { try await test.engage(cluster, sectors: 5) }
      try await gate.arrivals(atLeast: 1)
      try await test.nodeClock.advance(by: .seconds(1)) { try await test.node("b").ended() }
      let end = try await outcome.value
      end.expectComplete()
      #expect(end.share(of: "c") == 5)
      #expect(test.log.warnings.contains("scans that still run are given up"))
    }
  }

  /// Lets time pass for the nodes, a second at a time, each when the node has looked at its limits.
  private func pass(_ seconds: Int, in test: TestCluster) async throws {
    for _ in 0..<seconds {
      try await test.nodeClock.sleepers(atLeast: 1, within: .seconds(1))
      test.nodeClock.advance(by: .seconds(1))
    }
  }
}
