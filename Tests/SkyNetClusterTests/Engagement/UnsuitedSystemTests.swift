import Logging
import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("Systems that are unsuited for a run", .timeLimit(.minutes(20)))
struct UnsuitedSystemTests {
  /// Scans on these hosts find that their systems are unsuited.
  private static func stage(_ hosts: String...) -> Stage {
    Stage { visit in
      if hosts.contains(visit.host) { throw SystemUnsuited("\(visit.host) has no /data") }
    }
  }

  private func unsuited(_ test: TestCluster) -> [String] {
    test.reports.value.compactMap(\.unsuited)
  }

  @Test("All sectors are scanned elsewhere, nothing counts as failed, and people are told once")
  func elsewhere() async throws {
    let stage = Self.stage("b")
    try await TestCluster.with(nodes: ["b": 2, "c": 1], stage: stage) { test, cluster in
      let outcome = try await test.engage(cluster, sectors: 20)
      outcome.expectComplete()
      #expect(outcome.share(of: "c") == 20)
      #expect(outcome.tally.retried == 0)
      #expect(stage.started.value.count { $0.host == "b" } <= 2, "no slot is granted there again")
      #expect(unsuited(test) == ["b: b has no /data"])
      let endings = test.reports.value.compactMap(\.attemptEnding)
      #expect(!endings.isEmpty && endings.allSatisfy { $0 == .withdrawn })
      let status = try #require(try await test.node("b").node.system.servingStatus)
      #expect(status.retried == 0 && status.done.values.reduce(0, +) == 0)
      try await test.log.entries.wait { entries in
        entries.contains {
          $0.level == .notice
            && $0.text.contains("takes no scans of this run: b has no /data")
            && $0.text.contains("scan=probe/1")
        }
      }
    }
  }

  @Test("The beginning of the reason is logged, once for a client")
  func logged() async throws {
    let stage = Stage { visit in
      if visit.host == "b" { throw SystemUnsuited("no " + String(repeating: "x", count: 5000)) }
    }
    try await TestCluster.with(nodes: ["b": 1, "c": 1], stage: stage) { test, cluster in
      for _ in 0..<2 { try await test.engage(cluster, sectors: 5).expectComplete() }
      #expect(stage.started.value.count { $0.host == "b" } >= 2)
      try await test.log.entries.wait { entries in
        entries.count { $0.text.contains("takes no scans of this run: no xxx") } >= 2
      }
      let lines = test.log.entries.value.filter { $0.text.contains("takes no scans of this run") }
      #expect(lines.allSatisfy { $0.text.count < 1500 })
      #expect(lines.count { $0.level == .notice } == 1)
    }
  }

  @Test("A later run is tried there again")
  func laterRun() async throws {
    let isMended = Watched(false)
    let stage = Stage { visit in
      if visit.host == "b", !isMended.value { throw SystemUnsuited("b has no /data") }
    }
    try await TestCluster.with(nodes: ["b": 1, "c": 1], stage: stage) { test, cluster in
      try await test.engage(cluster, sectors: 5).expectComplete()
      isMended.update { $0 = true }
      let outcome = try await test.engage(cluster, sectors: 5)
      outcome.expectComplete()
      #expect(outcome.share(of: "b") > 0)
    }
  }

  @Test("If no system is suited, the run ends with the reasons of all", arguments: [0, 1])
  func noneSuited(localSlots: Int) async throws {
    let stage = Self.stage("b", "c", "local")
    try await TestCluster.with(local: localSlots, nodes: ["b": 2, "c": 1], stage: stage) {
      test, cluster in
      let run = Task { try await test.engage(cluster, sectors: 9) }
      try await test.reports.wait { $0.count { $0.unsuited != nil } == 2 + localSlots }
      var reasons = ["b: b has no /data", "c: c has no /data"]
      if localSlots > 0 { reasons.append("local: local has no /data") }
      let expected = EngagementError.noSuitableSystem(reasons: reasons, waited: .seconds(10))
      // Two heartbeats sleep, one for each node.
      try await test.clock.advance(by: .seconds(10), sleepers: 2) {
        await #expect(throws: expected) { try await run.value }
      }
      #expect("\(expected)".hasSuffix("these cannot: \(reasons.joined(separator: "; "))"))
      #expect(unsuited(test).sorted() == reasons)
      #expect(stage.started.value.count <= 3 + localSlots)
    }
  }

  @Test("The program's own system may be unsuited")
  func ownSystem() async throws {
    let stage = Self.stage("local")
    try await TestCluster.with(local: 2, nodes: ["b": 1], stage: stage) { test, cluster in
      let outcome = try await test.engage(cluster, sectors: 10)
      outcome.expectComplete()
      #expect(outcome.share(of: "b") == 10)
      #expect(outcome.tally.retried == 0)
      #expect(unsuited(test) == ["local: local has no /data"])
    }
  }

  @Test("A system that connects later, and is suited, ends the wait")
  func connectsLater() async throws {
    let stage = Self.stage("b")
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      let run = Task { try await test.engage(cluster, sectors: 3) }
      try await test.reports.wait { $0.contains { $0.unsuited != nil } }
      test.start("c", slots: 1)
      let outcome = try await run.value
      outcome.expectComplete()
      #expect(outcome.share(of: "c") == 3)
      #expect(stage.started.value.count { $0.host == "b" } == 1)
    }
  }

  @Test(
    "A system that becomes unsuited when some sectors are scanned is waited for like a lost one")
  func afterScans() async throws {
    let stage = Stage { visit in if visit.sector >= 2 { throw SystemUnsuited("/data is gone") } }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      let run = Task { try await test.engage(cluster, sectors: 4) }
      try await test.reports.wait { events in
        events.contains { event in
          guard case .waitingForSystem(let patience, let leaving, let unsuited) = event
          else { return false }
          return patience == .seconds(60) && leaving.isEmpty && unsuited == ["b"]
        }
      }
      let outcome = try await test.clock.advance(by: .seconds(60)) { try await run.value }
      #expect(outcome.completed.map(\.sector).sorted() == [0, 1])
      #expect(outcome.failed.map(\.sector).sorted() == [2, 3])
      let reasons = outcome.failed.first { $0.sector == 2 }?.failures.map(\.reason)
      #expect(reasons == ["/data is gone", "no system was left to scan it"])
    }
  }
}

extension EngagementEvent {
  /// The system that is unsuited, and the reason.
  fileprivate var unsuited: String? {
    if case .unsuited(let name, let reason) = self { "\(name): \(reason)" } else { nil }
  }

  fileprivate var attemptEnding: EngagementEvent.Ending? {
    if case .attemptEnded(_, let ending, _) = self { ending } else { nil }
  }
}
