import Foundation
import Testing

/// Runs that cannot begin, and sectors whose scans fail.
@Suite("Failing runs and sectors", .timeLimit(.ample))
struct FailureTests {
  @Test(
    "A run without the systems that it needs fails with an error",
    arguments: [
      (
        ["--no-local", "--peers", "127.0.0.1:1", "--total", "4"],
        "no system was found within 10.0 s"
      ),
      (
        ["--wait-for", "1", "--peers", "127.0.0.1:1", "--total", "4"],
        "0 of 1 remote systems were found within 10.0 s"
      ),
      (
        ["--wait-for", "1", "--wait-timeout", "0.5", "--peers", "127.0.0.1:1", "--total", "4"],
        "0 of 1 remote systems were found within 0.5 s"
      ),
    ])
  func aRunWithoutSystemsFails(options: [String], complaint: String) async throws {
    try await Stage.with { stage in
      let run = try stage.skynet(["engage", "--no-discovery"] + options)
      let story = try await run.end()
      #expect(story.status == 2)
      let line = try #require(story.errors.last)
      #expect(line.hasPrefix("error: ") && line.contains(complaint))
      // The error says what to do next.
      #expect(line.contains("skynet node"))
      // So does a run that waits without a word of its own.
      #expect(
        story.errors.contains { $0.hasPrefix("waiting for a node, ") && $0.contains("skynet node") }
          == options.contains("--no-local"), "\(story.errors)")
    }
  }

  /// Such a run would wait for ever.
  @Test("A run that has no way to find a system is refused")
  func aRunThatCanFindNoSystemIsRefused() async throws {
    try await Stage.with { stage in
      let story = try await stage.skynet("engage", "--no-local", "--no-discovery").end()
      #expect(story.status == 64)
      #expect(
        story.errors.contains { $0.contains("--no-local and --no-discovery leave no system") })
    }
  }

  @Test("A scan that always exceeds its timeout fails with its reasons")
  func aScanThatTakesTooLongFails() async throws {
    try await Stage.with { stage in
      let run = try stage.engage(
        "--scan-seconds", "30", "--scan-timeout", "0.5", "--attempts", "2", "--total", "2",
        "--failing-every", "0")
      let outcome = try await run.outcome()
      #expect(outcome.status == 1)
      #expect(outcome.results.map(\.sector).sorted() == [0, 1])
      for line in outcome.results {
        #expect(line.result == nil && line.attempts == 2)
        let reason = SectorLine.Failure(
          system: "local", reason: "the scan took longer than 0.5 s")
        #expect(line.error == [reason, reason])
      }
      let summary = try outcome.summary
      #expect(summary.completed == 0 && summary.failed == 2 && summary.retried == 2)
    }
  }

  @Test("A sector whose scans all fail is given up with its reasons")
  func aSectorThatAlwaysFailsIsGivenUpWithItsReasons() async throws {
    try await Stage.with { stage in
      let run = try stage.engage("--failing-every", "1", "--attempts", "3", "--total", "2")
      let outcome = try await run.outcome()
      #expect(outcome.status == 1)
      #expect(outcome.results.map(\.sector).sorted() == [0, 1])
      for line in outcome.results {
        #expect(line.attempts == 3 && line.error?.count == 3)
        #expect(line.error?.allSatisfy { $0.system == "local" && !$0.reason.isEmpty } == true)
      }
      #expect(outcome.errors.count { $0.hasPrefix("re-run ") } == 4)
      #expect(try outcome.summary.failed == 2)
    }
  }

  @Test("Standard output gets the same lines as the results file")
  func standardOutputGetsTheSameLinesAsTheFile() async throws {
    try await Stage.with { stage in
      let run = try stage.engage("--json", "--scan-seconds", "0.01", "--total", "30")
      let outcome = try await run.outcome()
      try outcome.expectEverySectorOnce(of: 30)
      #expect(outcome.output.map { $0 + "\n" }.joined() == outcome.resultsText)
      let line = try #require(outcome.output.first)
      let form =
        /\{"sector":(\d+),"result":"\1","system":"local","attempts":\d+,"seconds":\d+\.\d{3}\}/
      #expect(line.wholeMatch(of: form) != nil, "\(line)")
    }
  }

  /// The disk is found full only when a line is written.
  @Test(
    "A results file on a full disk ends the run",
    .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/full"), "no /dev/full here"))
  func aFullResultsFileEndsTheRun() async throws {
    try await Stage.with { stage in
      let run = try stage.skynet(
        "engage", "--no-discovery", "--results", "/dev/full", "--total", "100000",
        "--scan-seconds", "0.01")
      let story = try await run.end()
      #expect(story.status == 2)
      let line = try #require(story.errors.last)
      #expect(line.hasPrefix("error: --results: /dev/full"), "\(line)")
      #expect(line.contains("No space left on device"), "\(line)")
    }
  }
}
