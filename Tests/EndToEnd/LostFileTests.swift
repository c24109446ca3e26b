import Foundation
import SkySQLite
import Testing

/// When a journal or a results file is deleted, replaced or truncated during a run, the run ends at
/// once with an error.
@Suite("Lost journals and results files", .timeLimit(.ample))
struct LostFileTests {
  private static let meddlings: [(name: String, words: String)] = [
    ("delete", "it was deleted"), ("move", "it was moved away"), ("replace", "another file"),
    ("truncate", "it was truncated"),
  ]

  private func meddle(_ how: String, with path: String) throws {
    switch how {
    case "delete": try FileManager.default.removeItem(atPath: path)
    case "move": try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
    case "replace": try Data("x".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    default: #expect(truncate(path, 0) == 0)
    }
  }

  /// Returns when a file has a line. `tail` waits for the kernel's notification.
  private static func aLine(of path: String, on stage: Stage) async throws {
    let tail = try stage.launch("/bin/sh", ["-c", #"exec tail -n +1 -f "$0" >&2"#, path])
    try await tail.line("{")
    tail.send(SIGKILL)
    _ = try await tail.end()
  }

  /// A run that does not end by itself within the test's time.
  private static let endless = [
    "--total", "1000000", "--scan-seconds", "0.01", "--failing-every", "0", "--slots", "2",
  ]

  @Test("A results file that is deleted, replaced or truncated ends the run", arguments: meddlings)
  func aLostResultsFileEndsTheRun(how: String, words: String) async throws {
    try await Stage.with { stage in
      let run = try stage.engage(Self.endless)
      try await run.completions(1, by: "local")
      // The line is written some milliseconds later; truncating an empty file would have no effect.
      try await Self.aLine(of: run.resultsFile, on: stage)
      try meddle(how, with: run.resultsFile)
      let story = try await run.process.end()
      #expect(story.status == 2)
      let message = try #require(story.errors.last)
      #expect(
        message.hasPrefix("error: --results: \(run.resultsFile): ") && message.contains(words),
        "\(message)")
    }
  }

  @Test("A journal that is deleted, replaced or truncated ends the run", arguments: meddlings)
  func aLostJournalEndsTheRun(how: String, words: String) async throws {
    try await Stage.with { stage in
      let journal = stage.file("run.sqlite")
      let run = try stage.engage(Self.endless + ["--journal", journal])
      try await run.completions(1, by: "local")
      try meddle(how, with: journal)
      let story = try await run.process.end()
      #expect(story.status == 2)
      let message = try #require(story.errors.last)
      #expect(message.hasPrefix("error: \(journal): ") && message.contains(words), "\(message)")
    }
  }

  @Test("A program that locks a journal, and moves its log into the file, does not end the run")
  func aBrowsedJournal() async throws {
    try await Stage.with { stage in
      let journal = stage.file("run.sqlite")
      let run = try stage.engage(
        ["--total", "100", "--scan-seconds", "0.05", "--failing-every", "0", "--slots", "2"]
          + ["--journal", journal])
      try await run.completions(1, by: "local")
      let browser = try Database(journal, wait: LockWait(limit: .seconds(60)) {})
      try browser.execute("PRAGMA wal_checkpoint(TRUNCATE); BEGIN IMMEDIATE")
      try await run.process.line("\(journal): another program has locked it: waiting")
      try browser.execute("ROLLBACK; PRAGMA wal_checkpoint(TRUNCATE)")
      try browser.close()
      let outcome = try await run.outcome()
      #expect(outcome.status == 0)
      try outcome.expectEverySectorOnce(of: 100)
      #expect(try await stage.skynet("runs", journal).end().status == 0)
    }
  }

  /// The run is stopped by a signal while its file is gone, and must still report the file.
  @Test("An interrupted run reports a lost file too")
  func anInterruptedRunReportsALostFile() async throws {
    try await Stage.with { stage in
      let run = try stage.engage(Self.endless)
      try await run.completions(1, by: "local")
      run.process.send(SIGSTOP)
      try FileManager.default.removeItem(atPath: run.resultsFile)
      run.process.send(SIGINT)
      run.process.send(SIGCONT)
      let story = try await run.process.end()
      #expect(story.status == 2, "\(story.errors.suffix(3))")
      #expect(story.errors.last?.contains("it was deleted") == true, "\(story.errors.suffix(3))")
    }
  }
}
