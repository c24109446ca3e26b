import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("Systems that have no room for a scan", .timeLimit(.minutes(20)))
struct FullSystemTests {
  private func full(_ test: TestCluster) -> [String] {
    test.reports.value.compactMap { event in
      if case .full(let name, let reason) = event { "\(name): \(reason)" } else { nil }
    }
  }

  @Test(
    "What finds no room is scanned elsewhere, nothing counts as failed, and people are told once")
  func elsewhere() async throws {
    let stage = Stage { visit in
      if visit.host == "b" { throw SystemFull("no process for it") }
    }
    try await TestCluster.with(nodes: ["b": 2, "c": 1], stage: stage) { test, cluster in
      let outcome = try await test.engage(cluster, sectors: 20)
      outcome.expectComplete()
      #expect(outcome.share(of: "c") == 20)
      #expect(outcome.tally.retried == 0)
      #expect(full(test) == ["b: no process for it"])
      try await test.log.entries.wait { entries in
        entries.contains { $0.text.contains("has no room for a scan: no process for it") }
      }
    }
  }

  @Test(
    "A run whose only system has no room waits, uses no attempts, and goes on when there is room")
  func waits() async throws {
    let hasRoom = Watched(false)
    let stage = Stage { _ in if !hasRoom.value { throw SystemFull("no process for it") } }
    try await TestCluster.with(nodes: ["b": 2], stage: stage) { test, cluster in
      let run = Task { try await test.engage(cluster, sectors: 5) }
      try await test.reports.wait { !$0.isEmpty }
      let outcome = try await test.clock.advance(by: .seconds(1)) {
        // Far more often than there are attempts.
        try await stage.started.wait { $0.count >= 12 }
        hasRoom.update { $0 = true }
        return try await run.value
      }
      outcome.expectComplete()
      #expect(outcome.tally.retried == 0)
    }
  }
}
