import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

/// What a program relies on that hands out its scans itself.
@Suite("The first available system", .timeLimit(.minutes(20)))
struct AvailableSystemTests {
  @Test("The local system comes first, and then a peer; each scans alike")
  func granted() async throws {
    try await TestCluster.with(local: 1, nodes: ["b": 1]) { test, cluster in
      let first = try await cluster.systems.firstAvailableSystem(for: ProbeScan.self)
      let second = try await cluster.systems.firstAvailableSystem(for: ProbeScan.self)
      #expect([first.name, second.name] == ["local", "b"])
      #expect(try await first.run(1, settings: "probed") == "probed 1")
      #expect(try await second.run(2, settings: "probed") == "probed 2")
      #expect(test.stage.finished.value.map(\.host) == ["local", "b"])
    }
  }

  @Test("While no slot is free, the call waits; a scan that ends frees its slot")
  func waits() async throws {
    try await TestCluster.with(local: 1) { _, cluster in
      let first = try await cluster.systems.firstAvailableSystem(for: ProbeScan.self)
      async let second = cluster.systems.firstAvailableSystem(for: ProbeScan.self)
      try await until { await cluster.systems.waiters.count == 1 }
      _ = try await first.run(1, settings: "probed")
      let system = try await second
      #expect(system.name == "local")
    }
  }

  @Test("A slot that was not used is free when its system is let go of")
  func unused() async throws {
    try await TestCluster.with(local: 1) { _, cluster in
      for _ in 0..<3 {
        let system = try await cluster.systems.firstAvailableSystem(for: ProbeScan.self)
        #expect(system.name == "local")
      }
      try await until { await cluster.systems.loads.map(\.inFlight) == [0] }
    }
  }

  @Test("A slot is used and freed once", arguments: [false, true])
  func usedOnce(isFailing: Bool) async throws {
    let stage = Stage { _ in if isFailing { throw ProbeFailure() } }
    try await TestCluster.with(local: 2, stage: stage) { _, cluster in
      do {
        let used = try await cluster.systems.firstAvailableSystem(for: ProbeScan.self)
        let other = try await cluster.systems.firstAvailableSystem(for: ProbeScan.self)
        #expect(await cluster.systems.loads.map(\.inFlight) == [2])
        _ = try? await used.run(1, settings: "probed")
        #expect(await cluster.systems.loads.map(\.inFlight) == [1])
        let error = await #expect(throws: FailedAttempt.self) {
          try await used.run(2, settings: "probed")
        }
        #expect(
          error?.reason
            == "the slot on local was used: ask for the first available system again")
        #expect(await cluster.systems.loads.map(\.inFlight) == [1])
        #expect(other.name == "local")
      }
      try await until { await cluster.systems.loads.map(\.inFlight) == [0] }
      #expect(stage.started.value.count == 1)
    }
  }

  @Test("A failed scan says why, and is tried again on another system, before new scans")
  func again() async throws {
    let stage = Stage { if $0.sector == 1 { throw ProbeFailure() } }
    try await TestCluster.with(nodes: ["a": 1, "b": 1], stage: stage) { _, cluster in
      let failed = try await cluster.systems.firstAvailableSystem(for: ProbeScan.self)
      await #expect(throws: FailedAttempt(system: failed.name, reason: "the probe broke")) {
        try await failed.run(1, settings: "probed")
      }
      let next = try await cluster.systems.firstAvailableSystem(for: ProbeScan.self, after: failed)
      #expect(next.name != failed.name)
      #expect(next.tried == [failed.slot.system])

      let held = try await cluster.systems.firstAvailableSystem(for: ProbeScan.self)
      #expect(held.name == failed.name)
      async let new = cluster.systems.firstAvailableSystem(for: ProbeScan.self)
      try await until { await cluster.systems.waiters.count == 1 }
      async let retried = cluster.systems.firstAvailableSystem(for: ProbeScan.self, after: failed)
      try await until { await cluster.systems.waiters.count == 2 }
      // Each gets the slot that the other one does not: the retry that of the other system.
      _ = try await next.run(2, settings: "probed")
      let retrying = try await retried
      #expect(retrying.name == next.name)
      _ = try await held.run(3, settings: "probed")
      let last = try await new
      #expect(last.name == held.name)
    }
  }

  @Test("A scan that the cluster was joined without is refused, and not waited for")
  func unknown() async throws {
    try await TestCluster.with(local: 1) { _, cluster in
      let unknown = EngagementError.unknownScan(
        OtherScan.kind, joinedWith: [NumbersScan.kind, ProbeScan.kind, SumScan.kind])
      await #expect(throws: unknown) {
        try await cluster.systems.firstAvailableSystem(for: OtherScan.self)
      }
    }
  }

  @Test("A call that is cancelled while it waits takes no slot")
  func cancelled() async throws {
    try await TestCluster.with(local: 1) { _, cluster in
      let first = try await cluster.systems.firstAvailableSystem(for: ProbeScan.self)
      let waiting = Task { try await cluster.systems.firstAvailableSystem(for: ProbeScan.self) }
      try await until { await cluster.systems.waiters.count == 1 }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      #expect(await cluster.systems.waiters.isEmpty)
      _ = try await first.run(1, settings: "probed")
      #expect(await cluster.systems.loads.map(\.inFlight) == [0])
    }
  }
}
