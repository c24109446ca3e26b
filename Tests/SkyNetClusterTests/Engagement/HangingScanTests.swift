import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("Nothing is waited for in silence", .timeLimit(.minutes(20)))
struct HangingScanTests {
  /// Between two looks of the engagement at what is under way. There is no heartbeat to be moved past.
  private static let interval = Duration.seconds(30)

  @Test("scans that run while none ends are told of, with where and for how long")
  func stalled() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(local: 1, stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 3)
      try await gate.arrivals(atLeast: 1)
      let events = try await test.pass(Self.interval) {
        try await test.reports.wait { $0.contains { $0.stalled != nil } }
      }
      let attempts = try #require(events.lazy.compactMap(\.stalled).first)
      #expect(attempts.map(\.attempt.slot.name) == ["local"])
      #expect(try #require(attempts.first?.ran) >= .seconds(60))
      gate.open()
      try await outcome.expectComplete()
    }
  }

  @Test("a scan that hangs ends by its kind's own limit")
  func kindsLimit() async throws {
    let gate = Gate()
    let stage = Stage(limit: .seconds(100)) { _ in
      if gate.arrivals == 0 { try await gate.pass() }
    }
    try await TestCluster.with(local: 1, stage: stage) { test, cluster in
      let engagement = Task { try await test.engage(cluster, sectors: 2) }
      try await gate.arrivals(atLeast: 1)
      // Three looks, the limit, and no time after it: the slot of a scan that takes longer than a second
      // to end is counted out.
      try await test.pass([Self.interval, Self.interval, Self.interval, .seconds(10)])
      let outcome = try await engagement.value
      outcome.expectComplete()
      #expect(outcome.tally.retried == 1)
      let reasons = test.reports.value.compactMap(\.rerun).map(\.reason)
      #expect(reasons == ["the scan took longer than 100.0 s, its kind's limit"])
    }
  }

  @Test("a node that hands back every call and stays is no system")
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
      let outcome = try await test.pass(.seconds(60)) { try await engagement.value }
      #expect(outcome.failed.map(\.sector).sorted() == [0, 1])
      #expect(
        outcome.failed.allSatisfy { $0.failures.last?.reason == "no system was left to scan it" })
      #expect(test.reports.value.contains { if case .leaving("b") = $0 { true } else { false } })
    }
  }

  /// Engages a local system of one slot, whose first scan is over its limit and ignores that it is
  /// cancelled.
  private func stuck(
    _ body:
      @Sendable (TestCluster, Task<Outcome, any Error>, _ release: Watched<Bool>) async throws
      -> Void
  ) async throws {
    let release = Watched(false)
    let stage = Stage { visit in
      guard visit.sector == 0 else { return }
      // Nobody cancels a task of its own.
      _ = await Task { try? await release.wait { $0 } }.value
    }
    try await TestCluster.with(local: 1, stage: stage) { test, cluster in
      let engagement = Task {
        try await test.engage(
          cluster, sectors: 3, settings: EngagementSettings(scanTimeout: .seconds(10)))
      }
      // Its limit, and a second more.
      try await test.pass([.seconds(10), .seconds(1)])
      try await test.reports.wait { events in
        events.contains { if case .waitingForSystem = $0 { true } else { false } }
      }
      try await body(test, engagement, release)
      release.update { $0 = true }
    }
  }

  @Test("when scans that ignore being cancelled hold all slots the run ends, with reasons")
  func allStuck() async throws {
    try await stuck { test, engagement, _ in
      let outcome = try await test.pass(.seconds(60)) { try await engagement.value }
      #expect(outcome.failed.map(\.sector).sorted() == [0, 1, 2])
      let first = try #require(outcome.failed.first { $0.sector == 0 })
      #expect(first.failures.first?.reason == "the scan took longer than 10.0 s")
      #expect(
        outcome.failed.allSatisfy { $0.failures.last?.reason == "no system was left to scan it" })
    }
  }

  @Test("and a slot that comes back is used again")
  func unstuck() async throws {
    try await stuck { _, engagement, release in
      release.update { $0 = true }
      try await engagement.value.expectComplete()
    }
  }
}

extension EngagementEvent {
  fileprivate var stalled: [StalledAttempt]? {
    if case .stalled(let attempts, _, _) = self { attempts } else { nil }
  }

  fileprivate var rerun: FailedAttempt? {
    if case .rerun(_, let failure) = self { failure } else { nil }
  }
}
