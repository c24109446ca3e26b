import Foundation
import SkyScan
import Testing

/// Runs that are killed and resume from their journal.
@Suite("Runs with a journal", .timeLimit(.ample))
struct JournalTests {
  @Test("A run that is killed again and again has the results of an undisturbed one")
  func aRunKilledAgainAndAgainEndsAsAnUndisturbedOne() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a")
      let journal = stage.file("run.sqlite")
      let options = ["--journal", journal, "--total", "300"]
      // The scans are slow, so that no run ends before it is killed, even on a busy machine.
      for kill in 1...4 {
        let run = try stage.engage(peers: [a.port], options + ["--scan-seconds", "1"])
        try await run.completions(2 * kill, by: "local")
        run.process.send(SIGKILL)
        _ = try await run.process.end()
      }
      let run = try stage.engage(peers: [a.port], options + ["--scan-seconds", "0.02"])
      let outcome = try await run.outcome()
      #expect(outcome.results.compactMap(\.error) == [])
      #expect(outcome.status == 0)
      #expect(outcome.results.map(\.sector).sorted() == Array(0..<300))
      #expect(outcome.results.allSatisfy { $0.result == .text("\($0.sector)") })
      let resumed = try #require(outcome.errors.first)
      let message = try #require(
        try /(\d+) of 300 sectors are done in .*run\.sqlite; the rest follows/
          .wholeMatch(in: resumed))
      let before = try #require(Int(message.1))
      // A completion's line may come before its commit.
      #expect(before > 0)
      let summary = try outcome.summary
      #expect(summary.completed == 300 && summary.before == before)
      #expect(summary.shares.values.reduce(0, +) == 300 - before)

      let overview = try await runs(stage, journal)
      #expect(overview.done == 300 && overview.starts == 5 && overview.deaths == 4)
      #expect(overview.systems.map(\.completed).reduce(0, +) == 300)
    }
  }

  @Test("A resumed run over an image has the same catalogue")
  func aResumedImageHasTheSameCatalogue() async throws {
    try await Stage.with { stage in
      let image = stage.file("sky.fits")
      try await SyntheticSky(width: 2048, height: 2048, starCount: 600).write(to: image)
      let options = ["--image", image, "--sector-size", "64", "--slots", "1", "--catalog"]
      let (whole, resumed) = (stage.file("whole.csv"), stage.file("resumed.csv"))
      let undisturbed = try await stage.engage(options + [whole]).outcome()
      #expect(undisturbed.status == 0)

      let journaled = options + [resumed, "--journal", stage.file("run.sqlite")]
      for _ in 1...3 {
        let run = try stage.engage(journaled)
        try await run.standStill(after: 20, by: "local")
        run.process.send(SIGKILL)
        #expect(try await run.process.end().status != 0)
        #expect(!FileManager.default.fileExists(atPath: resumed))
      }
      let last = try await stage.engage(journaled).outcome()
      #expect(try last.status == 0 && last.summary.before > 0)
      #expect(last.results.count == undisturbed.results.count)
      for results in [last.results, undisturbed.results] {
        #expect(Set(results.map(\.sector)).count == results.count)
      }
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: whole))
          == Data(contentsOf: URL(fileURLWithPath: resumed)))

      // Then another image gets the same name.
      try FileManager.default.removeItem(atPath: image)
      try await SyntheticSky(width: 1500, height: 1500, starCount: 601).write(to: image)
      let results = stage.file("results")
      try Data("kept".utf8).write(to: URL(fileURLWithPath: results))
      let other = try await stage.skynet(
        ["engage", "--no-discovery", "--results", results] + journaled
      ).end()
      #expect(other.status == 2 && other.errors.count == 1)
      #expect(other.errors[0].contains("image contents"), "\(other.errors)")
      #expect(try String(contentsOfFile: results, encoding: .utf8) == "kept")
    }
  }

  @Test("A sector that ran at three deaths of the coordinator is given up")
  func aSectorThatRanAtThreeDeathsIsGivenUp() async throws {
    try await Stage.with { stage in
      let options = [
        "--journal", stage.file("run.sqlite"), "--total", "1", "--scan-seconds", "600",
        "--failing-every", "0",
      ]
      for death in 1...3 {
        let run = try stage.engage(options)
        // The scan runs only after its attempt was committed.
        while try await attempts(stage, stage.file("run.sqlite")) < death {
          try #require(run.process.isRunning)
        }
        run.process.send(SIGKILL)
        _ = try await run.process.end()
      }
      let last = try await stage.engage(options).outcome()
      #expect(last.status == 1)
      let line = try #require(last.results.first)
      #expect(line.attempts == 3 && line.result == nil)
      #expect(
        line.error?.map(\.reason)
          == Array(repeating: "the engagement's own process ended", count: 3))
    }
  }

  /// How many attempts a journal has; 0 before it exists.
  private func attempts(_ stage: Stage, _ journal: String) async throws -> Int {
    let story = try await stage.skynet("runs", journal, "--json").end()
    guard story.status == 0 else { return 0 }
    struct Attempts: Decodable { let attempts: Int }
    return try JSONDecoder().decode(Attempts.self, from: Data(story.output.joined().utf8)).attempts
  }

  @Test("A resumed run scans no finished sector again")
  func finishedSectorsAreNotScannedAgain() async throws {
    try await Stage.with { stage in
      let options = [
        "--journal", stage.file("run.sqlite"), "--total", "40", "--scan-seconds", "0",
        "--failing-every", "0",
      ]
      try await stage.engage(options).outcome().expectEverySectorOnce(of: 40)
      let again = try await stage.engage(options).outcome()
      #expect(again.status == 0)
      #expect(again.results.map(\.sector).sorted() == Array(0..<40))
      #expect(again.errors.first?.contains("nothing is left to do") == true)
      #expect(try again.summary.before == 40 && again.summary.shares.isEmpty)
    }
  }

  @Test("`--retry-failed` tries failed sectors again")
  func failedSectorsAreRetriedOnRequest() async throws {
    try await Stage.with { stage in
      let options = [
        "--journal", stage.file("run.sqlite"), "--total", "3", "--scan-seconds", "0",
        "--attempts", "2", "--failing-every",
      ]
      let first = try await stage.engage(options + ["1"]).outcome()
      #expect(try first.status == 1 && first.summary.failed == 3)
      let text = try await stage.skynet("runs", stage.file("run.sqlite")).end()
      #expect(text.output.contains("sector 2 failed after 2 attempts:"), "\(text.output)")
      #expect(text.output.contains("  on local: simulated failure (every attempt)"))

      let second = try await stage.engage(options + ["0"]).outcome()
      #expect(second.status == 1 && second.results.map(\.attempts) == [2, 2, 2])
      #expect(second.results.allSatisfy { $0.error?.count == 2 })
      let third = try await stage.engage(options + ["0", "--retry-failed"]).outcome()
      #expect(try third.status == 0 && third.summary.completed == 3)
      #expect(try await runs(stage, stage.file("run.sqlite")).failed == 0)
    }
  }

  @Test("A journal in use is refused, and can be read")
  func aJournalInUseIsRefusedAndCanBeRead() async throws {
    try await Stage.with { stage in
      let journal = stage.file("run.sqlite")
      let options = ["--journal", journal, "--total", "100000", "--failing-every", "0"]
      let run = try stage.engage(options)
      try await run.completions(1, by: "local")
      let second = try await stage.engage(options).process.end()
      #expect(second.status == 2)
      let complaint = "it is in use by another engagement (process \(run.process.id))"
      #expect(second.errors.first?.contains(complaint) == true, "\(second.errors)")
      let overview = try await runs(stage, journal)
      #expect(overview.inUse && overview.done >= 1 && overview.deaths == 0)
    }
  }

  @Test("Files that are no journals are left unchanged")
  func filesThatAreNoJournalsAreLeftAsTheyAre() async throws {
    try await Stage.with { stage in
      let text = stage.file("notes.txt")
      try Data("Observed on a clear night.".utf8).write(to: URL(fileURLWithPath: text))
      for arguments in [
        ["engage", "--no-discovery", "--total", "3", "--journal", text], ["runs", text],
        ["runs", stage.file("absent.sqlite")],
      ] {
        let story = try await stage.skynet(arguments).end()
        #expect(story.status == 2 && story.output.isEmpty && story.errors.count == 1)
        #expect(story.errors[0].hasPrefix("error: \(arguments.last ?? ""): "), "\(story.errors)")
      }
      #expect(try String(contentsOfFile: text, encoding: .utf8) == "Observed on a clear night.")
    }
  }

  /// The output of `skynet runs --json`.
  private struct Overview: Decodable {
    struct Share: Decodable { let completed: Int }
    let done: Int
    let failed: Int
    let starts: Int
    let deaths: Int
    let inUse: Bool
    let systems: [Share]
  }

  private func runs(_ stage: Stage, _ journal: String) async throws -> Overview {
    let story = try await stage.skynet("runs", journal, "--json").end()
    try #require(story.status == 0, "\(story.errors)")
    return try JSONDecoder().decode(Overview.self, from: Data(story.output.joined().utf8))
  }
}
