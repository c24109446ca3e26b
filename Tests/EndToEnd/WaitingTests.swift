import Foundation
import SkyNetCore
import Testing

/// A run reports what it waits for, and does not wait for ever.
@Suite("Bounded and announced waits", .timeLimit(.ample))
struct WaitingTests {
  @Test("Systems that do not know the scan are named, and the run ends as without systems")
  func systemsThatDoNotKnowTheScan() async throws {
    try await Stage.with { stage in
      let old = try await LyingNode(
        "old", kinds: [ScanKind(name: "sources", version: 1)], on: stage
      ) { _ in nil }
      defer { old.stop() }
      let run = try stage.engage(peers: [old.port], "--no-local", "--total", "4")
      try await run.process.line(
        "old gets nothing of this run: does not know scans of kind simulated/1")
      let story = try await run.process.end()
      #expect(story.status == 2)
      let line = try #require(story.errors.last)
      #expect(line.contains("no system that can scan this was found within 10.0 s"), "\(line)")
      #expect(line.contains("old: does not know scans of kind simulated/1"), "\(line)")
    }
  }

  @Test("A node that refuses every call and stays counts as no system")
  func aNodeThatRefusesEveryCall() async throws {
    try await Stage.with { stage in
      let failure = #"{"fault":"draining","message":"the system is shutting down","seconds":0}"#
      let drainer = try await LyingNode("drainer", handsBack: true, on: stage) { _ in
        (failure, Data())
      }
      defer { drainer.stop() }
      let run = try stage.engage(
        peers: [drainer.port], "--no-local", "--total", "3", "--timeout", LyingNode.timeout)
      try await run.process.line("drainer takes nothing new")
      try await run.process.line(
        "no system is left that takes sectors: 1 system is leaving (drainer); waiting 60.0 s for one"
      )
      let outcome = try Outcome(
        story: try await run.process.end(),
        resultsText: try String(contentsOfFile: run.resultsFile, encoding: .utf8))
      #expect(outcome.status == 1)
      #expect(outcome.results.map(\.sector).sorted() == [0, 1, 2])
      #expect(
        outcome.results.allSatisfy { $0.error?.last?.reason == "no system was left to scan it" })
    }
  }

  @Test("A scan that hangs on a live node is reported and ends by its kind's timeout")
  func aScanThatHangsIsReported() async throws {
    try await Stage.with { stage in
      let hanging = try await LyingNode("hanging", on: stage) { _ in nil }
      defer { hanging.stop() }
      let run = try stage.engage(
        peers: [hanging.port], "--no-local", "--total", "1", "--attempts", "1", "--scan-seconds",
        "0.01", "--timeout", LyingNode.timeout)
      let line = try await run.process.line("no scan has ended for ")
      #expect(line.contains("sector 0 on hanging runs for ") && line.contains("--scan-timeout"))
      let story = try await run.process.end()
      #expect(story.status == 1)
      let results = try String(contentsOfFile: run.resultsFile, encoding: .utf8)
      #expect(results.contains("the scan took longer than 70.0 s, its kind's limit"), "\(results)")
    }
  }
}
