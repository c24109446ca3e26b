import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

@Suite("Scans that hang", .timeLimit(.minutes(20)))
struct HangingScanTests {
  /// How often the engagement looks for stalled attempts. These tests have no peers, and so no heartbeats.
  private static let interval = Duration.seconds(30)

  @Test("Scans that run while no scan ends are reported, with their systems and durations")
  func stalled() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(local: 1, stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 3)
      try await gate.arrivals(atLeast: 1)
      await test.network.settle()
      let events = try await test.clock.advance(by: Self.interval) {
        try await test.reports.wait { $0.contains { $0.stalled != nil } }
      }
      let attempts = try #require(events.lazy.compactMap(\.stalled).first)
      #expect(attempts.map(\.handout.system) == ["local"])
      #expect(try #require(attempts.first?.ran) >= .seconds(60))
      gate.open()
      try await outcome.expectComplete()
    }
  }

  @Test("A scan that hangs is cancelled at the limit of its kind")
  func kindsLimit() async throws {
    let gate = Gate()
    let stage = Stage(limit: .seconds(100)) { _ in
      if gate.arrivals == 0 { try await gate.pass() }
    }
    try await TestCluster.with(local: 1, stage: stage) { test, cluster in
      let engagement = Task { try await test.engage(cluster, sectors: 2) }
      try await gate.arrivals(atLeast: 1)
      await test.network.settle()
      // The steps are three looks for stalled attempts, and the limit. No time passes after that: if the scan
      // took some seconds more to end, its slot would be written off.
      try await test.pass([Self.interval, Self.interval, Self.interval, .seconds(10)])
      let outcome = try await engagement.value
      outcome.expectComplete()
      #expect(outcome.tally.retried == 1)
      let reasons = test.reports.value.compactMap(\.rerun).map(\.reason)
      #expect(reasons == ["the scan took longer than 100.0 s, its kind's limit"])
    }
  }

  @Test("A node that stays connected and hands back every call counts as leaving")
  func draining() async throws {
    try await TestCluster.with { test, cluster in
      _ = try await test.lyingNode(
        "b", .failure, answering: #"{"fault":"draining","message":"no","seconds":0}"#)
      try await cluster.coordinator().waitForSystems(1)
      let engagement = Task { try await test.engage(cluster, sectors: 2) }
      try await test.reports.wait { events in
        events.contains { event in
          guard case .waitingForSystem(let patience, let leaving, let unsuited) = event
          else { return false }
          return patience == .seconds(60) && leaving == ["b"] && unsuited.isEmpty
        }
      }
      let outcome = try await test.clock.advance(by: .seconds(60)) { try await engagement.value }
      #expect(outcome.failed.map(\.sector).sorted() == [0, 1])
      #expect(
        outcome.failed.allSatisfy { $0.failures.last?.reason == "no system was left to scan it" })
      #expect(test.reports.value.contains { if case .leaving("b", _) = $0 { true } else { false } })
    }
  }

  /// Engages a local system of one slot, whose first scan exceeds its limit and ignores its cancellation.
  private func withStuckScan(
    _ body:
      @Sendable (TestCluster, Task<Outcome, any Error>, _ release: Watched<Bool>) async throws
      -> Void
  ) async throws {
    let release = Watched(false)
    let stage = Stage { visit in
      guard visit.sector == 0 else { return }
      // The cancellation does not reach this unstructured task.
      _ = await Task { try? await release.wait { $0 } }.value
    }
    try await TestCluster.with(local: 1, stage: stage) { test, cluster in
      let engagement = Task {
        try await test.engage(
          cluster, sectors: 3, settings: EngagementSettings(scanTimeout: .seconds(10)))
      }
      // The steps are the scan's limit, and the time after which its slot is written off.
      try await test.pass([.seconds(10), ScanSystem.cancellationGrace])
      try await test.reports.wait { events in
        events.contains { if case .waitingForSystem = $0 { true } else { false } }
      }
      try await body(test, engagement, release)
      release.update { $0 = true }
    }
  }

  @Test("A run whose slots are all held by cancelled scans ends, with reasons for each sector")
  func allStuck() async throws {
    try await withStuckScan { test, engagement, _ in
      let outcome = try await test.clock.advance(by: .seconds(60)) { try await engagement.value }
      #expect(outcome.failed.map(\.sector).sorted() == [0, 1, 2])
      let first = try #require(outcome.failed.first { $0.sector == 0 })
      #expect(first.failures.first?.reason == "the scan took longer than 10.0 s")
      #expect(
        outcome.failed.allSatisfy { $0.failures.last?.reason == "no system was left to scan it" })
    }
  }

  @Test("A slot that a cancelled scan held is used again when the scan ends")
  func unstuck() async throws {
    try await withStuckScan { _, engagement, release in
      release.update { $0 = true }
      try await engagement.value.expectComplete()
    }
  }
}

extension EngagementEvent {
  fileprivate var stalled: [EngagementEvent.StalledAttempt]? {
    if case .stalled(let attempts, _, _) = self { attempts } else { nil }
  }

  fileprivate var rerun: FailedAttempt? {
    if case .retried(_, let failure) = self { failure } else { nil }
  }
}
