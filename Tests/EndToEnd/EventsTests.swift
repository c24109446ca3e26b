import Foundation
import Testing

/// What `engage --events` writes, and what nodes know of a run.
@Suite("The events of runs", .timeLimit(.ample))
struct EventsTests {
  /// One line of the file.
  private struct Line: Decodable {
    let v: Int
    let time: Double
    let run: String
    let event: String
    let sector: Int?
    let pass: Int?
    let attempt: Int?
    let system: String?
    let reason: String?
    let ending: String?
    let count: Int?
    let completed: Int?
  }

  private func lines(of file: String) throws -> [Line] {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.hasSuffix("\n"), "the last line is not whole")
    return try text.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  /// Every attempt that was handed out has one end, with the same system.
  private func expectEveryAttemptEnds(_ lines: [Line]) {
    struct Place: Hashable {
      let sector: Int?
      let pass: Int?
      let system: String?
    }
    var open: [Place: Int] = [:]
    for line in lines {
      let place = Place(sector: line.sector, pass: line.pass, system: line.system)
      switch line.event {
      case "handed_out", "hedged": open[place, default: 0] += 1
      case "completed", "pass_completed", "attempt_ended": open[place, default: 0] -= 1
      default: break
      }
    }
    #expect(open.values.allSatisfy { $0 == 0 })
  }

  @Test("The file has every event of a run, and the node's log the same run")
  func theFileIsWhole() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("b", "--log-level", "debug")
      let file = stage.file("events.jsonl")
      let run = try stage.engage(
        peers: [node.port], "--total", "100", "--scan-seconds", "0.05", "--failing-every", "5",
        "--events", file)
      let outcome = try await run.outcome()
      #expect(outcome.status == 0)
      let lines = try lines(of: file)
      #expect(lines.allSatisfy { $0.v == 1 })
      #expect(Set(lines.map(\.run)).count == 1)
      #expect(lines.map(\.time) == lines.map(\.time).sorted())
      #expect(lines.first?.event == "began" && lines.last?.event == "finished")
      #expect(lines.last?.reason == "done" && lines.last?.completed == 100)
      let completed = lines.filter { $0.event == "completed" }
      #expect(completed.compactMap(\.sector).sorted() == Array(0..<100))
      let bySector = Dictionary(uniqueKeysWithValues: completed.map { ($0.sector, $0.system) })
      #expect(outcome.results.allSatisfy { bySector[$0.sector] == $0.system })
      #expect(lines.count { $0.event == "retried" } == (try outcome.summary.retried))
      #expect(lines.contains { $0.event == "connected" && $0.system == "b" })
      expectEveryAttemptEnds(lines)
      let id = try #require(lines.first?.run)
      _ = try await node.process.line("run \(id)")
    }
  }

  @Test("A node that is killed is an event, and each of its attempts ends as lost")
  func aKilledNodeIsAnEvent() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("b", "--slots", "2")
      let file = stage.file("events.jsonl")
      let run = try stage.engage(
        peers: [node.port], "--total", "200", "--scan-seconds", "0.3", "--failing-every", "0",
        "--slots", "2", "--events", file)
      try await run.completions(by: "b")
      node.process.send(SIGKILL)
      #expect(try await run.outcome().status == 0)
      let lines = try lines(of: file)
      #expect(lines.contains { $0.event == "disconnected" && $0.system == "b" })
      #expect(lines.contains { $0.ending == "lost" && $0.system == "b" })
      #expect(lines.count { $0.event == "completed" } == 200)
      expectEveryAttemptEnds(lines)
    }
  }

  @Test("A pipe that nobody reads loses events, and does not hold the run up")
  func aPipeThatIsNotReadLosesEvents() async throws {
    try await Stage.with { stage in
      let pipe = stage.file("events")
      // The shell keeps the pipe open for reading, and never reads.
      let script = #"mkfifo "$0" && exec 3<>"$0" && exec "$@" --events "$0""#
      let run = try stage.launch(
        "/bin/bash",
        [
          "-c", script, pipe, Paths.binary, "engage", "--no-discovery", "--total", "20000",
          "--scan-seconds", "0", "--failing-every", "0",
        ])
      let story = try await run.end()
      #expect(story.status == 0)
      #expect(story.errors.contains { $0.contains(" events were lost") })
      #expect(story.errors.last?.contains("20000 of 20000 sectors") == true)
    }
  }

  @Test("A second Ctrl-C leaves a whole file, whose last line says so")
  func aStoppedRunEndsItsFile() async throws {
    try await Stage.with { stage in
      let file = stage.file("events.jsonl")
      let run = try stage.engage(
        "--total", "100", "--scan-seconds", "600", "--failing-every", "2", "--slots", "8",
        "--events", file)
      // An attempt that failed at once shows that the run has begun. Of eight, others go on.
      try await run.process.line("re-run ")
      run.process.send(SIGINT)
      // Two signals in a row may arrive as one.
      try await run.process.line("stopping: waiting for ")
      run.process.send(SIGINT)
      #expect(try await run.process.end().status == 130)
      let last = try #require(try lines(of: file).last)
      #expect(last.event == "finished" && last.reason == "stopped")
    }
  }

  @Test("Events that would mix with another output, or that cannot be written, are refused")
  func impossibleOutputsAreRefused() async throws {
    try await Stage.with { stage in
      let mixed = try await stage.skynet("engage", "--no-discovery", "--json", "--events", "-")
        .end()
      #expect(mixed.status == 64)
      #expect(mixed.errors.contains { $0.contains("--json and --events would both write") })
      let missing = try await stage.skynet(
        "engage", "--no-discovery", "--total", "1", "--events", stage.file("no/such/folder")
      ).end()
      #expect(missing.status == 2)
      #expect(missing.errors.last?.contains("--events: ") == true)
    }
  }
}
