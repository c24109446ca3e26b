import Foundation
import SkyScan
import Testing

/// Shares of an image, each scanned by an engagement of its own.
@Suite("Engagements over shares of an image", .timeLimit(.ample))
struct ShareTests {
  private func sky(_ stage: Stage, side: Int = 500) async throws -> String {
    let path = stage.file("sky.fits")
    try await SyntheticSky(width: side, height: side, starCount: 100).write(to: path)
    return path
  }

  private func data(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func run(_ stage: Stage, _ arguments: [String]) async throws -> RunningProcess.Story {
    let story = try await stage.skynet(arguments).end()
    #expect(story.status == 0, "\(arguments): \(story.errors)")
    return story
  }

  /// The background of an image, in sectors of 64 pixels, from one engagement.
  private func background(_ stage: Stage, of image: String, _ options: [String] = []) async throws
    -> String
  {
    let (parts, whole) = (stage.file("background.jsonl"), stage.file("background.json"))
    _ = try await run(
      stage,
      ["engage", "--no-discovery", "--image", image, "--sector-size", "64", "--background"]
        + ["--output", parts])
    _ = try await run(
      stage,
      ["merge", "--image", image, "--sector-size", "64", "--background", "--output", whole, parts]
        + options)
    return whole
  }

  @Test("Engagements over shares make the catalogue of one engagement, though a node is killed")
  func sharesMakeTheSameCatalogue() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let (whole, merged) = (stage.file("whole.csv"), stage.file("merged.csv"))
      _ = try await run(
        stage, ["engage", "--no-discovery", "--image", image, "--clean", "--catalog", whole])
      let background = try await background(stage, of: image, ["--clean"])
      let (a, b) = (try await stage.node("a"), try await stage.node("b"))
      // 64 sectors: half of them as a share, the others as a list.
      let choices = [["--share", "0/2"], ["--sectors", "63,32-62"]]
      for (number, choice) in choices.enumerated() {
        let engagement = try stage.engage(
          peers: [a.port, b.port],
          ["--no-local", "--wait-for", number == 0 ? "2" : "1", "--timeout", "1"]
            + ["--image", image, "--background-file", background]
            + ["--output", stage.file("sources-\(number).jsonl")] + choice)
        if number == 0 {
          try await engagement.process.lines(1) { $0.hasPrefix("completed ") }
          b.process.send(SIGKILL)
        }
        let outcome = try await engagement.outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try outcome.summary.completed == 32)
        let sectors = number == 0 ? 0..<32 : 32..<64
        #expect(outcome.results.map(\.sector).sorted() == Array(sectors))
      }
      let merging = try await run(
        stage,
        ["merge", "--image", image, "--background-file", background, "--catalog", merged]
          + [stage.file("sources-*.jsonl")])
      #expect(merging.errors.last == "64 of 64 sectors merged")
      #expect(try data(merged) == data(whole))
    }
  }

  @Test("A killed engagement over a share goes on, and its sectors can be replayed")
  func aKilledShareGoesOn() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage, side: 1500)
      let background = try await background(stage, of: image)
      let (output, journal) = (stage.file("sources.jsonl"), stage.file("run.sqlite"))
      let step = ["--image", image, "--background-file", background, "--slots", "1"]
      let options = step + ["--share", "1/3", "--output", output, "--journal", journal]
      let killed = try stage.engage(options)
      try await killed.process.slowed { try await killed.completions(5, by: "local") }
      killed.process.send(SIGKILL)
      _ = try await killed.process.end()
      let outcome = try await stage.engage(options).outcome()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let summary = try outcome.summary
      #expect(summary.completed == 192 && summary.before > 0)
      // 576 sectors in three shares.
      #expect(outcome.results.map(\.sector).sorted() == Array(192..<384))
      #expect(try data(output).count { $0 == UInt8(ascii: "\n") } == 192)

      let overview = try await run(stage, ["runs", journal])
      #expect(overview.output.contains("192 of 192 sectors done, 0 failed, 0 left"))
      let replay = try await run(stage, ["replay", journal, "--sector", "200"])
      #expect(replay.output.last == "the same as in the run")
      let other = try await stage.skynet("replay", journal, "--sector", "3").end()
      #expect(other.status == 2)
      #expect(try #require(other.errors.last).contains("did not choose sector 3"))
      let pass = try await stage.skynet("replay", journal, "--sector", "200", "--pass", "1").end()
      #expect(try #require(pass.errors.last).contains("sector 200 has no pass 1"))
      let moved = stage.file("moved.json")
      try FileManager.default.moveItem(atPath: background, toPath: moved)
      let lost = try await stage.skynet("replay", journal, "--sector", "200").end()
      #expect(lost.status == 2)
      #expect(try #require(lost.errors.last).contains("name it with --background-file FILE"))
      let found = try await run(
        stage, ["replay", journal, "--sector", "200", "--background-file", moved])
      #expect(found.output.last == "the same as in the run")
      try FileManager.default.moveItem(atPath: moved, toPath: background)
      let next = try await stage.skynet(
        ["engage", "--no-discovery"] + step
          + ["--share", "2/3", "--output", output, "--journal", journal]
      ).end()
      #expect(next.status == 2)
      #expect(
        try #require(next.errors.last).contains("chosen sectors: 192-383, now 384-575"))
    }
  }

  @Test("An incomplete share leaves the former file, unless what there is is wanted")
  func anIncompleteShareLeavesTheFile() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage, side: 2048)
      let output = stage.file("background.jsonl")
      try Data("former".utf8).write(to: URL(fileURLWithPath: output))
      // No scan takes so little time.
      let options = [
        "engage", "--no-discovery", "--image", image, "--background", "--share", "0/1",
        "--output", output, "--scan-timeout", "1ms", "--attempts", "1", "--sector-size", "2048",
      ]
      let story = try await stage.skynet(options).end()
      #expect(story.status == 1)
      #expect(
        story.errors.contains {
          $0.hasPrefix("left as it was: \(output); 1 of 1 sectors have no result")
        }, "\(story.errors)")
      #expect(try data(output) == Data("former".utf8))
      let partial = try await stage.skynet(options + ["--partial"]).end()
      #expect(partial.status == 1)
      #expect(partial.errors.contains { $0.contains("has 0 of 1 sectors only") })
      #expect(try data(output).isEmpty)
    }
  }

  @Test("Of more shares than sectors some are empty")
  func someSharesAreEmpty() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let output = stage.file("empty.jsonl")
      let story = try await run(
        stage,
        ["engage", "--no-discovery", "--image", image, "--background", "--share", "0/9"]
          + ["--output", output, "--peers", "127.0.0.1:9", "--wait-for", "1"])
      #expect(try #require(story.errors.last).hasPrefix("0 of 0 sectors in "))
      #expect(try data(output).isEmpty)
    }
  }
}
