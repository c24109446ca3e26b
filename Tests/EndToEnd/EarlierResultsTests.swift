import Foundation
import Testing

/// A run's results and events take the place of an earlier run's only when there is a run, and only one run at a
/// time writes to a file.
@Suite("Files with an earlier run's results and events", .timeLimit(.ample))
struct EarlierResultsTests {
  @Test("A run that never had a system leaves them as they are, and the next run replaces them")
  func kept() async throws {
    try await Stage.with { stage in
      let (results, events) = (stage.file("results.jsonl"), stage.file("events.jsonl"))
      for file in [results, events] {
        try "an earlier run\n".write(toFile: file, atomically: false, encoding: .utf8)
      }
      func run(_ options: String...) throws -> RunningProcess {
        try stage.skynet(
          ["engage", "--no-discovery", "--results", results, "--events", events] + options)
      }
      func texts() throws -> [String] {
        try [results, events].map { try String(contentsOfFile: $0, encoding: .utf8) }
      }

      let waiting = ["--no-local", "--peers", "127.0.0.1:1"]
      let refused = try await run(
        waiting[0], waiting[1], waiting[2], "--wait-for", "1", "--wait-timeout", "100ms"
      ).end()
      #expect(refused.status == 2)
      #expect(try texts() == ["an earlier run\n", "an earlier run\n"])

      let alone = try run(waiting[0], waiting[1], waiting[2])
      try await alone.line("cannot be reached")
      alone.send(SIGTERM)
      let stopped = try await alone.end()
      #expect(stopped.status == 143)
      #expect(!stopped.errors.contains { $0.hasPrefix("wrote ") }, "\(stopped.errors)")
      #expect(try texts() == ["an earlier run\n", "an earlier run\n"])

      let done = try await run("--total", "3", "--scan-seconds", "0").end()
      #expect(done.status == 0)
      let replaced = try texts().map { $0.split(separator: "\n") }
      #expect(replaced[0].count == 3 && replaced[0].allSatisfy { $0.hasPrefix(#"{"sector":"#) })
      #expect(replaced[1].first?.contains(#""event":"began""#) == true, "\(replaced[1])")
      #expect(replaced[1].last?.contains(#""event":"finished""#) == true)
    }
  }

  @Test("A file that a run writes to is refused to a second one", arguments: ["results", "events"])
  func locked(option: String) async throws {
    try await Stage.with { stage in
      let first = try stage.engage("--scan-seconds", "0.05", "--total", "100000")
      try await first.completions(by: "local")
      let second = try await stage.skynet(
        "engage", "--no-discovery", "--total", "3", "--\(option)", first.resultsFile
      ).end()
      #expect(second.status == 2)
      #expect(
        second.errors.last
          == "error: --\(option): \(first.resultsFile): another run writes to it; wait until that has ended, or name another file"
      )
      try await first.stopUndisturbed()
    }
  }
}
