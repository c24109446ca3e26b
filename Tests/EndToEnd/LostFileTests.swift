import Foundation
import Testing

/// A journal or a results file that is deleted, replaced or truncated in mid-run: the run says so at
/// once, and not that all is well.
@Suite(.timeLimit(.minutes(20)))
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

  /// Returns when a file has a line: `tail` waits for the kernel to tell of it.
  private static func aLine(of path: String, on stage: Stage) async throws {
    let tail = try stage.launch("/bin/sh", ["-c", #"exec tail -n +1 -f "$0" >&2"#, path])
    try await tail.line("{")
    tail.send(SIGKILL)
    _ = try await tail.end()
  }

  /// Long enough never to end by itself within the test's time.
  private static let endless = [
    "--total", "1000000", "--scan-seconds", "0.01", "--failing-every", "0", "--slots", "2",
  ]

  @Test(arguments: meddlings)
  func aResultsFileThatIsNotWhatItWasEndsTheRun(how: String, words: String) async throws {
    try await Stage.with { stage in
      let run = try stage.engage(Self.endless)
      try await run.completions(1, by: "local")
      // The line is written a moment later; a file without it could be truncated to no effect.
      try await Self.aLine(of: run.resultsFile, on: stage)
      try meddle(how, with: run.resultsFile)
      let story = try await run.process.end()
      #expect(story.status == 2)
      let told = try #require(story.errors.last)
      #expect(
        told.hasPrefix("error: --results: \(run.resultsFile): ") && told.contains(words), "\(told)")
    }
  }

  @Test(arguments: meddlings)
  func aJournalThatIsNotWhatItWasEndsTheRun(how: String, words: String) async throws {
    try await Stage.with { stage in
      let journal = stage.file("run.sqlite")
      let run = try stage.engage(Self.endless + ["--journal", journal])
      try await run.completions(1, by: "local")
      try meddle(how, with: journal)
      let story = try await run.process.end()
      #expect(story.status == 2)
      let told = try #require(story.errors.last)
      #expect(told.hasPrefix("error: \(journal): ") && told.contains(words), "\(told)")
    }
  }

  /// It is told to stop while its file is gone: that it was told does not excuse the file.
  @Test func anInterruptedRunTellsOfItToo() async throws {
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
