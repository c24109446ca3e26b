import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("Cancellation and shutdown of an engagement", .timeLimit(.minutes(20)))
struct StoppingTests {
  @Test("Cancelling an engagement cancels its running scans, also on other systems")
  func cancelling() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(local: 1, nodes: ["b": 2], stage: stage) { test, cluster in
      let engagement = Task { try await test.engage(cluster, sectors: 10) }
      try await gate.arrivals(atLeast: 3)
      engagement.cancel()
      await #expect(throws: CancellationError.self) { try await engagement.value }
      let cancelled = try await stage.cancelled.wait { $0.count == 3 }
      #expect(cancelled.map(\.host).sorted() == ["b", "b", "local"])

      // Every slot is free again, local and remote.
      gate.open()
      try await test.engage(cluster, sectors: 10).expectComplete()
    }
  }

  @Test("Cancelling an engagement at any moment frees every slot")
  func cancellingAnytime() async throws {
    try await TestCluster.with(local: 1, nodes: ["b": 1]) { test, cluster in
      for moment in 1...40 {
        // More than a busy machine's test can be late by.
        let engagement = Task { try await test.engage(cluster, sectors: 100_000) }
        let before = test.stage.finished.value.count
        try await test.stage.finished.wait { $0.count >= before + moment }
        engagement.cancel()
        await #expect(throws: CancellationError.self) { try await engagement.value }
      }
      try await test.engage(cluster, sectors: 20).expectComplete()
    }
  }

  @Test("A graceful shutdown hands out no more tasks, and lets running scans finish")
  func interrupting() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(local: 1, nodes: ["b": 2], stage: stage) { test, cluster in
      let shutdown = ShutdownTrigger()
      async let outcome = test.engage(cluster, sectors: 100_000, shutdown: shutdown)
      try await gate.arrivals(atLeast: 3)
      shutdown.shutDown()
      gate.open()
      let end = try await outcome
      #expect(end.tally.completed < 100_000)
      #expect(end.tally.failed == 0)
      #expect(end.completed.count == stage.started.value.count)
      #expect(stage.cancelled.value.isEmpty)
      #expect(Set(end.completed.map(\.sector)).isSuperset(of: [0, 1, 2]))
    }
  }
}
