import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("Slow and broken systems", .timeLimit(.minutes(20)))
struct IdleSystemTests {
  @Test("A scan that runs far longer than others is hedged, and the slower attempt is cancelled")
  func hedge() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.host == "b" { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 1, "c": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 5)
      try await gate.arrivals(atLeast: 1)
      try await stage.finished.wait { $0.count == 4 }
      // Two heartbeats sleep, one for each node.
      try await test.clock.advance(by: .seconds(1), sleepers: 2) {
        try await stage.cancelled.wait { $0.map(\.host) == ["b"] }
      }
      let end = try await outcome
      end.expectComplete()
      #expect(end.share(of: "c") == 5)
      #expect(end.completed.map(\.attempts).max() == 2)
    }
  }

  @Test("A task that waits behind another program's scan is moved to an idle system")
  func recall() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.client == "other" { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 1, "c": 1], stage: stage) { test, cluster in
      try await test.engaging(as: "other") { other in
        try await other.coordinator().waitForSystems(2)
        let slots = try await other.systems.commit(upTo: 2, for: ProbeScan.kind)
        let first = try #require(slots.first)
        let busy = Task { try await first.system.run(.probe(99)) }
        try await gate.arrivals(atLeast: 1)
        let occupied = try #require(stage.started.value.first?.host)

        async let outcome = test.engage(cluster, sectors: 5)
        try await stage.finished.wait { $0.count == 4 }
        try await test.clock.sleepers(atLeast: 5, within: .seconds(1))
        test.clock.advance(by: .seconds(1))
        let end = try await outcome
        end.expectComplete()
        #expect(end.share(of: occupied) == 0)
        #expect(stage.started.value.count { $0.host == occupied } == 1)
        busy.cancel()
      }
    }
  }

  @Test("The circuit breaker opens for a system that fails every task")
  func broken() async throws {
    let stage = Stage { visit in if visit.host == "b" { throw ProbeFailure() } }
    try await TestCluster.with(nodes: ["b": 2, "c": 1], stage: stage) { test, cluster in
      try await test.engage(cluster, sectors: 100).expectComplete()
      // Five tasks failed in a row, and one more may have been on its way.
      #expect(stage.started.value.count { $0.host == "b" } <= 6)
    }
  }

  @Test("A system whose circuit breaker has opened gets an attempt again after a rest")
  func mended() async throws {
    let isMended = Watched(false)
    let gate = Gate()
    let stage = Stage { visit in
      if visit.host == "b", !isMended.value { throw ProbeFailure() }
      if visit.host == "c", visit.sector > 50 { try await gate.pass() }
    }
    try await TestCluster.with(nodes: ["b": 1, "c": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 100)
      try await gate.arrivals(atLeast: 1)
      isMended.update { $0 = true }
      try await test.clock.advance(by: .seconds(1), sleepers: 2) {
        try await stage.finished.wait { $0.contains { $0.host == "b" } }
      }
      gate.open()
      try await outcome.expectComplete()
    }
  }
}
