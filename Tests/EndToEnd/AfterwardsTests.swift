import Foundation
import SkySQLite
import SkyScan
import Testing

/// `skynet report` and `skynet replay`, with journals of real runs.
@Suite("After a run", .timeLimit(.ample))
struct AfterwardsTests {
  /// The parts of a report's data that the tests look at.
  private struct Data1: Decodable {
    struct Attempts: Decodable {
      let sector: [Int]
      let took: [Int]
    }
    struct System: Decodable {
      struct Change: Decodable {
        let word: String

        init(from decoder: any Decoder) throws {
          var container = try decoder.unkeyedContainer()
          _ = try container.decode(Int.self)
          word = try container.decode(String.self)
        }
      }
      let name: String
      let slots: Int?
      let presence: [Change]
    }
    struct Grid: Decodable { let columns: Int, rows: Int, side: Int }
    let run: String?
    let sectors: Int
    let completed: Int
    let end: String
    let passes: [String]
    let grid: Grid?
    let attempts: Attempts
    let systems: [System]
  }

  /// The data in a page.
  private func data(_ page: String) throws -> Data1 {
    let html = try String(contentsOfFile: page, encoding: .utf8)
    let start = try #require(html.range(of: #"<script type="application/json" id="report">"#))
    let end = try #require(html[start.upperBound...].range(of: "</script>"))
    return try JSONDecoder().decode(
      Data1.self, from: Data(html[start.upperBound..<end.lowerBound].utf8))
  }

  /// A journal of a run on two systems that was killed.
  private func killedRun(_ stage: Stage) async throws -> String {
    let journal = stage.file("run.sqlite")
    let a = try await stage.node("a", "--slots", "3")
    let run = try stage.engage(
      peers: [a.port],
      ["--journal", journal, "--total", "300", "--scan-seconds", "0.2", "--failing-every", "0"])
    try await run.completions(5, by: "a")
    try await run.completions(5, by: "local")
    run.process.send(SIGKILL)
    _ = try await run.process.end()
    return journal
  }

  @Test("A killed run has a report: its page holds the attempts and the systems of the journal")
  func aKilledRunHasAReport() async throws {
    try await Stage.with { stage in
      let journal = try await killedRun(stage)
      let page = stage.file("night.html")
      let before = try Data(contentsOf: URL(fileURLWithPath: journal))
      let report = try await stage.skynet("report", journal, "-o", page).end()
      #expect(report.status == 0 && report.output.isEmpty, "\(report.errors)")
      #expect(report.errors.first?.hasPrefix("simulated sky: ") == true, "\(report.errors)")
      #expect(report.errors.contains { $0.hasPrefix("makespan ") }, "\(report.errors)")
      let told = try data(page)
      #expect(told.sectors == 300 && told.completed >= 10 && told.end == "unfinished")
      #expect(told.attempts.sector.count == told.attempts.took.count)
      // Those that were under way ended with their process.
      #expect(told.attempts.took.count { $0 >= 0 } >= told.completed)
      let a = try #require(told.systems.first { $0.name == "a" })
      #expect(a.slots == 3 && a.presence.first?.word == "connected")
      #expect(try Data(contentsOf: URL(fileURLWithPath: journal)) == before)

      // The same on standard output.
      let printed = try await stage.skynet("report", journal).end()
      #expect(printed.status == 0 && printed.output.count > 1)
      try Data(printed.output.joined(separator: "\n").utf8).write(
        to: URL(fileURLWithPath: page))
      let again = try data(page)
      #expect(again.completed == told.completed && again.run == told.run)
      #expect(told.run?.count == 16)
    }
  }

  /// A copy of a journal as another program would have left it, which records no settings.
  private func withoutSettings(_ journal: String, _ stage: Stage) throws -> String {
    let copy = stage.file("copy.sqlite")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: journal + suffix, toPath: copy + suffix)
    }
    let database = try Database(copy)
    try database.execute("DELETE FROM setup")
    try database.close()
    return copy
  }

  @Test("A report overwrites no journal, and says what is wrong with its arguments")
  func aReportOverwritesNoJournal() async throws {
    try await Stage.with { stage in
      let journal = stage.file("run.sqlite")
      let options = ["--journal", journal, "--total", "3", "--scan-seconds", "0"]
      _ = try await stage.engage(options).outcome()
      let before = try Data(contentsOf: URL(fileURLWithPath: journal))
      for output in [journal, journal + "-wal"] {
        let refused = try await stage.skynet("report", journal, "-o", output).end()
        #expect(refused.status == 64, "\(refused.errors)")
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: journal)) == before)
      let absent = try await stage.skynet("report", stage.file("none")).end()
      #expect(absent.status == 2 && absent.errors.first?.contains("no such file") == true)
    }
  }

  @Test("A report replaces a file only with --overwrite, and a device always")
  func aReportReplacesNoFileInSilence() async throws {
    try await Stage.with { stage in
      let (journal, page) = (stage.file("run.sqlite"), stage.file("night.html"))
      let options = ["--journal", journal, "--total", "3", "--scan-seconds", "0"]
      _ = try await stage.engage(options).outcome()
      try Data("mine".utf8).write(to: URL(fileURLWithPath: page))
      let refused = try await stage.skynet("report", journal, "-o", page).end()
      #expect(refused.status == 2)
      #expect(
        refused.errors.first?.hasPrefix("error: \(page) is there already") == true
          && refused.errors.first?.contains("--overwrite") == true, "\(refused.errors)")
      #expect(try String(contentsOfFile: page, encoding: .utf8) == "mine")
      let replaced = try await stage.skynet("report", journal, "-o", page, "--overwrite").end()
      #expect(replaced.status == 0, "\(replaced.errors)")
      #expect(try data(page).sectors == 3)
      #expect(try await stage.skynet("report", journal, "-o", "/dev/null").end().status == 0)
    }
  }

  @Test("A journal in use has a report")
  func aJournalInUseHasAReport() async throws {
    try await Stage.with { stage in
      let (journal, page) = (stage.file("run.sqlite"), stage.file("now.html"))
      let run = try stage.engage(
        ["--journal", journal, "--total", "100000", "--failing-every", "0"])
      try await run.completions(1, by: "local")
      let report = try await stage.skynet("report", journal, "-o", page).end()
      #expect(report.status == 0, "\(report.errors)")
      #expect(try data(page).sectors == 100_000)
    }
  }

  @Test("A failed sector throws the same here, from the journal and from a saved file")
  func aFailureIsReplayed() async throws {
    try await Stage.with { stage in
      let (journal, saved) = (stage.file("run.sqlite"), stage.file("sector-1"))
      let options = [
        "--journal", journal, "--total", "3", "--scan-seconds", "0", "--attempts", "2",
        "--failing-every", "1",
      ]
      #expect(try await stage.engage(options).outcome().status == 1)
      let replay = try await stage.skynet("replay", journal, "--sector", "1", "--save", saved).end()
      #expect(replay.status == 1, "\(replay.errors)")
      #expect(
        replay.output.first?.hasPrefix("sector 1 of simulated sky, attempt 2, run ") == true,
        "\(replay.output)")
      let told = "in the run: on local: failed: simulated failure (every attempt)"
      #expect(
        replay.output.contains(told)
          && replay.output.contains("in the run: gave up after 2 attempts"))
      let here = try #require(replay.output.last)
      #expect(
        here.hasPrefix("here: failed after ")
          && here.hasSuffix("s: simulated failure (every attempt)"))

      try FileManager.default.removeItem(atPath: journal)
      let again = try await stage.skynet("replay", saved).end()
      #expect(again.status == 1 && again.output.dropLast() == replay.output.dropLast())
      let json = try await stage.skynet("replay", saved, "--json").end()
      let object = try JSONDecoder().decode(
        [String: Value].self, from: Data(json.output.joined().utf8))
      #expect(object["error"] == .text("simulated failure (every attempt)"))
      #expect(object["sector"] == .number(1) && object["attempt"] == .number(2))

      // A saved file that has changed is refused.
      var bytes = try Data(contentsOf: URL(fileURLWithPath: saved))
      bytes[bytes.count - 3] ^= 1
      try bytes.write(to: URL(fileURLWithPath: saved))
      let changed = try await stage.skynet("replay", saved).end()
      #expect(changed.status == 2 && changed.errors.first?.contains("it has changed") == true)
    }
  }

  private enum Value: Decodable, Equatable {
    case text(String)
    case number(Double)
    case other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .other
      }
    }
  }

  @Test("The failure of a simulated attempt depends on its number, which --attempt gives")
  func theAttemptDecides() async throws {
    try await Stage.with { stage in
      let journal = stage.file("run.sqlite")
      let options = [
        "--journal", journal, "--total", "40", "--scan-seconds", "0", "--failing-every", "3",
      ]
      let run = try await stage.engage(options).outcome()
      let retried = try #require(run.results.first { $0.attempts == 2 })
      let sector = "\(retried.sector)"
      let failing = try await stage.skynet("replay", journal, "--sector", sector).end()
      #expect(failing.status == 1 && failing.output.first?.contains("attempt 1") == true)
      let second = try await stage.skynet(
        "replay", journal, "--sector", sector, "--attempt", "2"
      ).end()
      #expect(second.status == 0, "\(second.output)")
      #expect(second.output.suffix(1) == ["the same as in the run"])
      #expect(second.output.contains { $0.hasSuffix(": result \(sector)") }, "\(second.output)")
    }
  }

  @Test("A sector of an image is replayed in its pass, with the outputs of the passes before")
  func aSectorOfAnImageIsReplayed() async throws {
    try await Stage.with { stage in
      let (image, moved) = (stage.file("sky.fits"), stage.file("moved.fits"))
      let (journal, saved) = (stage.file("run.sqlite"), stage.file("sector"))
      try await SyntheticSky(width: 1024, height: 1024, starCount: 300).write(to: image)
      let options = [
        "--image", image, "--sector-size", "256", "--threshold", "2", "--journal", journal,
        "--catalog", stage.file("sources.csv"),
      ]
      #expect(try await stage.engage(options).outcome().status == 0)
      for pass in ["0", "1"] {
        let replay = try await stage.skynet(
          "replay", journal, "--sector", "5", "--pass", pass, "--save", saved
        ).end()
        #expect(replay.status == 0, "\(replay.errors)")
        #expect(replay.output.last == "the same as in the run", "\(replay.output)")
      }
      let page = stage.file("night.html")
      #expect(try await stage.skynet("report", journal, "-o", page).end().status == 0)
      let told = try data(page)
      #expect(
        told.passes.first == "background" && told.grid?.columns == 4 && told.grid?.side == 256)

      try FileManager.default.moveItem(atPath: image, toPath: moved)
      let lost = try await stage.skynet("replay", journal, "--sector", "5").end()
      #expect(
        lost.status == 2 && lost.errors.first?.contains("--image FILE") == true, "\(lost.errors)")
      let found = try await stage.skynet(
        "replay", journal, "--sector", "5", "--pass", "1", "--image", moved
      ).end()
      #expect(found.status == 0 && found.output.last == "the same as in the run", "\(found.errors)")
      // The saved file needs neither the journal nor the image.
      let alone = try await stage.skynet("replay", saved).end()
      #expect(alone.status == 0, "\(alone.errors)")
      #expect(alone.output.contains { $0.contains(" sources, ") })
      #expect(alone.output.last == "the same as in the run")

      try await SyntheticSky(width: 1024, height: 1024, starCount: 301).write(to: image)
      let other = try await stage.skynet("replay", journal, "--sector", "5").end()
      #expect(
        other.status == 2 && other.errors.first?.contains("image contents") == true,
        "\(other.errors)")
    }
  }

  @Test("A night's journal names the image of each sector, in runs, reports and replays")
  func aNightIsTold() async throws {
    try await Stage.with { stage in
      let (journal, page) = (stage.file("night.sqlite"), stage.file("night.html"))
      let images = ["a", "b", "c"].map { stage.file("\($0).fits") }
      for (seed, image) in images.enumerated() where seed != 1 {
        try await SyntheticSky(width: 512, height: 512, starCount: 100 + seed).write(to: image)
      }
      try Data("no image".utf8).write(to: URL(fileURLWithPath: images[1]))
      let options =
        ["--image"] + images + [
          "--sector-size", "256", "--threshold", "2", "--journal", journal,
          "--catalog", stage.file("{name}.csv"),
        ]
      #expect(try await stage.engage(options).outcome().status == 1)
      let runs = try await stage.skynet("runs", journal).end()
      #expect(runs.output.contains("2 of 3 images done, 1 failed, 0 open"), "\(runs.output)")
      #expect(runs.output.contains { $0.hasPrefix("failed: \(images[1]): ") }, "\(runs.output)")
      #expect(
        runs.output.contains { $0 == "sector 4 (sector 0 of \(images[1])) was not scanned:" },
        "\(runs.output)")
      let report = try await stage.skynet("report", journal, "-o", page).end()
      #expect(report.errors.contains("images    2 of 3 done, 1 failed, 0 open"), "\(report.errors)")
      #expect(try data(page).end == "done")
      // The last image's sectors are 5 to 8.
      for pass in ["0", "1"] {
        let replay = try await stage.skynet("replay", journal, "--sector", "7", "--pass", pass)
          .end()
        #expect(replay.status == 0, "\(replay.errors)")
        #expect(replay.output.last == "the same as in the run", "\(replay.output)")
        #expect(
          replay.output.first?.hasPrefix("sector 7, which is sector 2 of \(images[2])") == true,
          "\(replay.output)")
      }
      for (sector, complaint) in [("4", "could not be opened"), ("9", "sectors 0 to 8")] {
        let refused = try await stage.skynet("replay", journal, "--sector", sector).end()
        #expect(
          refused.status == 2 && refused.errors.first?.contains(complaint) == true,
          "\(refused.errors)")
      }
    }
  }

  @Test("An image of a night that was scanned in one task is replayed in one")
  func aWholeImageIsReplayed() async throws {
    try await Stage.with { stage in
      let (journal, saved) = (stage.file("night.sqlite"), stage.file("sector"))
      let images = ["a", "b"].map { stage.file("\($0).fits") }
      for (seed, image) in images.enumerated() {
        try await SyntheticSky(width: 256, height: 256, starCount: 20 + seed).write(to: image)
      }
      let options =
        ["--image"] + images + ["--journal", journal, "--catalog", stage.file("{name}.csv")]
      #expect(try await stage.engage(options).outcome().status == 0)
      let replay = try await stage.skynet("replay", journal, "--sector", "1", "--save", saved).end()
      #expect(
        replay.status == 0 && replay.output.last == "the same as in the run", "\(replay.errors)")
      let alone = try await stage.skynet("replay", saved).end()
      #expect(alone.status == 0 && alone.output.first == replay.output.first, "\(alone.output)")
      try FileManager.default.removeItem(atPath: images[1])
      try await SyntheticSky(width: 256, height: 256, starCount: 50).write(to: images[1])
      let other = try await stage.skynet("replay", journal, "--sector", "1").end()
      #expect(
        other.status == 2 && other.errors.first?.contains("image contents") == true,
        "\(other.errors)")
    }
  }

  @Test("A sector that cannot be replayed is refused with the reason and the next step")
  func whatCannotBeReplayedIsRefused() async throws {
    try await Stage.with { stage in
      let journal = try await killedRun(stage)
      let copy = try withoutSettings(journal, stage)
      for (arguments, complaint) in [
        ([journal], "which sector?"), ([journal, "--sector", "300"], "sectors 0 to 299"),
        ([journal, "--sector", "3", "--pass", "1"], "finish the run first"),
        ([copy, "--sector", "3"], "start the run's command once more"),
        ([journal, "--sector", "3", "--image", "x.fits"], "leave it out"),
      ] {
        let story = try await stage.skynet(["replay"] + arguments).end()
        #expect(story.status == 2, "\(arguments)")
        #expect(story.errors.first?.contains(complaint) == true, "\(story.errors)")
      }
      let negative = try await stage.skynet("replay", journal, "--sector", "-1").end()
      #expect(negative.status == 64)
    }
  }
}
