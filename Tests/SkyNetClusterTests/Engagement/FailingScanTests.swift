import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("Failing scans", .timeLimit(.minutes(20)))
struct FailingScanTests {
  @Test("A sector that fails on one system is scanned by another one")
  func elsewhere() async throws {
    let stage = Stage { visit in if visit.host == "b" { throw ProbeFailure() } }
    try await TestCluster.with(nodes: ["b": 1, "c": 1], stage: stage) { test, cluster in
      let outcome = try await test.engage(cluster, sectors: 20)
      outcome.expectComplete()
      #expect(outcome.share(of: "c") == 20)
      #expect(outcome.tally.retried == stage.started.value.count { $0.host == "b" })
    }
  }

  @Test("A sector that always fails is given up with all reasons, and other sectors complete")
  func givenUp() async throws {
    let stage = Stage { visit in if visit.sector == 3 { throw ProbeFailure() } }
    try await TestCluster.with(local: 1, nodes: ["b": 1], stage: stage) { test, cluster in
      let outcome = try await test.engage(
        cluster, sectors: 6, settings: EngagementSettings(attempts: 3))
      #expect(outcome.completed.map(\.sector).sorted() == [0, 1, 2, 4, 5])
      let failure = try #require(outcome.failed.first)
      #expect(failure.sector == 3)
      #expect(failure.attempts == 3)
      #expect(
        failure.failures.map(\.reason) == ["the probe broke", "the probe broke", "the probe broke"])
      #expect(Set(failure.failures.map(\.system)) == ["local", "b"])
      #expect(outcome.tally.failed == 1)
    }
  }

  @Test("A scan over its time limit is cancelled, and its sector is tried on another system")
  func timeout() async throws {
    let gate = Gate()
    let stage = Stage { _ in if gate.arrivals == 0 { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 1, "c": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(
        cluster, sectors: 1, settings: EngagementSettings(scanTimeout: .seconds(10)))
      try await gate.arrivals(atLeast: 1)
      // The sleepers are two heartbeats and the scan's timeout.
      try await test.clock.sleepers(atLeast: 3, within: .seconds(10))
      test.clock.advance(by: .seconds(10))
      let end = try await outcome
      end.expectComplete()
      #expect(end.result(of: 0)?.attempts == 2)
      let first = try #require(stage.started.value.first)
      #expect(end.result(of: 0)?.system != first.host)
      try await stage.cancelled.wait { $0 == [first] }
    }
  }

  @Test("A sector that the job cannot make fails like a scan")
  func noSector() async throws {
    try await TestCluster.with(local: 1) { _, cluster in
      let failures = Watched<[SectorFailure]>([])
      let (_, tally) = try await cluster.coordinator().run(UnmadeJob()) { update in
        if let failure = update.event.failure { failures.update { $0.append(failure) } }
      }
      #expect(tally.failed == 1)
      #expect(failures.value.first?.failures.first?.reason == "the probe broke")
    }
  }

  @Test("A job that throws when it receives an output ends the run, and frees every slot")
  func receiveThrows() async throws {
    try await TestCluster.with(local: 1, nodes: ["b": 1]) { test, cluster in
      for _ in 0..<30 {
        await #expect(throws: ProbeFailure.self) {
          _ = try await cluster.coordinator().run(RefusingJob())
        }
      }
      try await test.engage(cluster, sectors: 10).expectComplete()
    }
  }
}

/// A job whose sectors cannot be made.
private struct UnmadeJob: Job {
  typealias Work = SumScan

  let settings = SumScan.Settings(factor: 1, label: nil)
  let sectorCount = 1

  func sector(for task: TaskID) throws -> SumScan.Sector { throw ProbeFailure() }
  func receive(_ output: SumScan.Output, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: nil)
  }
}

/// A job that throws when it receives an output.
private struct RefusingJob: Job {
  typealias Work = ProbeScan

  let settings = "refused"
  let sectorCount = 10

  func sector(for task: TaskID) -> Int { task.sector }
  func receive(_ output: String, for task: TaskID) throws -> ReceivedResult { throw ProbeFailure() }
}
