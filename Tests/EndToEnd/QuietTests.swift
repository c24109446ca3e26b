import Foundation
import Testing

/// What a run prints where nobody looks on.
@Suite("Runs by cron", .timeLimit(.ample))
struct QuietTests {
  private static var time: Regex<Substring> { /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\ / }

  @Test("Lines of what happens have the time, and kept ones are bare")
  func linesHaveTheTime() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("a")
      let run = try stage.engage(
        peers: [node.port], "--wait-for", "1", "--total", "20", "--scan-seconds", "0.1",
        "--failing-every", "3")
      let outcome = try await run.outcome()
      #expect(outcome.status == 0)
      let (timed, bare) = (
        run.process.soFar.timedErrors.filter { $0.contains(Self.time) },
        run.process.soFar.timedErrors.filter { !$0.contains(Self.time) }
      )
      #expect(timed.contains { $0.hasSuffix("Z connected a") })
      #expect(timed.contains { $0.contains("Z re-run ") })
      #expect(bare.count { $0.contains(/^completed \d+ by (a|local)$/) } == 20)
      #expect(!bare.contains { $0.hasPrefix("re-run ") || $0.hasPrefix("connected ") })
      #expect(try outcome.summary.completed == 20)
    }
  }

  @Test("A quiet night names the images that have no catalogue")
  func aQuietNight() async throws {
    try await Stage.with { stage in
      let sky = stage.file("sky.fits")
      let made = try await stage.skynet("make-sky", sky, "--size", "256", "--stars", "50").end()
      try #require(made.status == 0)
      let night = try await stage.skynet(
        "engage", "--no-discovery", "-q", "--image", sky, stage.file("none.fits"), "--catalog",
        stage.file("{name}.csv")
      ).end()
      #expect(night.status == 1)
      let lines = night.errors.filter { !$0.hasPrefix("gave up ") }
      #expect(lines.count == 3, "\(lines)")
      #expect(lines.first?.hasPrefix("no catalogue: ") == true, "\(lines)")
      #expect(lines.dropFirst().first?.contains("1 of 2 images, ") == true, "\(lines)")
    }
  }

  @Test("A quiet run prints what failed, what is wrong, and its summary")
  func aQuietRun() async throws {
    try await Stage.with { stage in
      let node = try await stage.node("a", "--slots", "1")
      let run = try stage.engage(
        peers: [node.port], "--quiet", "--wait-for", "1", "--total", "100", "--scan-seconds", "0.3",
        "--failing-every", "4", "--attempts", "1", "--slots", "1")
      // A line of the node's log tells that it has begun.
      try await node.process.line("connected")
      node.process.send(SIGKILL)
      let outcome = try await run.outcome()
      #expect(outcome.status == 1)
      let given = run.process.soFar.timedErrors.dropLast()
      #expect(given.contains { $0.contains("Z disconnected a: ") }, "\(given)")
      #expect(given.count { $0.contains("Z gave up ") } == (try outcome.summary.failed))
      #expect(
        given.allSatisfy { $0.contains(/Z\ (gave up|disconnected a:|warning:)/) }, "\(given)")
    }
  }
}
