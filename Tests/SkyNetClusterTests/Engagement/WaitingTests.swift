import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("The wait for systems", .timeLimit(.minutes(20)))
struct WaitingTests {
  @Test("An engagement ends with an error if no system connects for ten seconds")
  func noSystem() async throws {
    try await TestCluster.with { test, cluster in
      let engagement = Task { try await test.engage(cluster, sectors: 3) }
      try await test.clock.sleepers(atLeast: 1)
      test.clock.advance(by: .seconds(10))
      await #expect(throws: EngagementError.noSystem(waited: .seconds(10))) {
        try await engagement.value
      }
    }
  }

  @Test("A system that does not know the scan does not count, and is reported at once")
  func unknownScan() async throws {
    try await TestCluster.with(nodes: ["b": 1], scans: [OtherScan()]) { test, cluster in
      let run = Task {
        try await cluster.coordinator().run(OtherJob()) { [reports = test.reports] update in
          reports.update { $0.append(update.event) }
        }.tally
      }
      try await test.reports.wait { events in
        events.contains { event in
          if case .unsuited("b", _) = event { true } else { false }
        }
      }
      // The sleepers are the heartbeat and the engagement's time limit for the first system.
      try await test.clock.sleepers(atLeast: 2, within: .seconds(10))
      test.clock.advance(by: .seconds(10))
      await #expect(
        throws: EngagementError.noSuitableSystem(
          reasons: [
            "b: does not know scans of kind \(OtherScan.kind): its program has no such scan, or was "
              + "started without it"
          ], waited: .seconds(10))
      ) { try await run.value }
    }
  }

  @Test("The error for too few systems says how many were found")
  func tooFew() async throws {
    try await TestCluster.with(nodes: ["b": 1]) { test, cluster in
      let waiting = Task {
        try await cluster.coordinator().waitForSystems(2, timeout: .seconds(7))
      }
      try await test.clock.sleepers(atLeast: 2, within: .seconds(7))
      test.clock.advance(by: .seconds(7))
      await #expect(
        throws: EngagementError.tooFewSystems(wanted: 2, found: 1, waited: .seconds(7))
      ) { try await waiting.value }
    }
  }

  @Test("Waiting for zero systems returns at once")
  func noneWanted() async throws {
    try await TestCluster.with { _, cluster in
      try await cluster.coordinator().waitForSystems(0)
    }
  }
}

/// A scan that no system offers.
struct OtherScan: Scan {
  static let kind = ScanKind(name: "other", version: 1)

  func run(_ sector: Int, settings: Int) -> Int { sector }
}

private struct OtherJob: Job {
  typealias Work = OtherScan

  let settings = 0
  let sectorCount = 1

  func sector(for task: TaskID) -> Int { task.sector }
  func receive(_ output: Int, for task: TaskID) -> ReceivedResult { ReceivedResult(result: output) }
}
