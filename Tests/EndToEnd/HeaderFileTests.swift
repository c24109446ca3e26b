import Foundation
import SkyScan
import Testing

/// The file beside an image whose cards replace those of its header (HEADER_SUFFIX).
@Suite("Header files", .timeLimit(.ample))
struct HeaderFileTests {
  private static let coordinates = [
    "CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "CRPIX1  = 64.5", "CRPIX2  = 64.5",
    "CRVAL1  = 10.0", "CRVAL2  = 20.0", "CDELT1  = -1E-4", "CDELT2  = 1E-4",
  ]
  private static let columns = "NUMBER,ALPHA_J2000,DELTA_J2000,FLUXERR_ISO"

  private func sky(_ stage: Stage, _ name: String) async throws -> String {
    let path = stage.file(name)
    try await SyntheticSky(width: 128, height: 128, starCount: 20).write(to: path)
    try HeaderEdit.add(Self.coordinates, to: path)
    return path
  }

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func config(_ stage: Stage, _ text: String = "") throws -> String {
    try write("GAIN_KEY EGAIN\n" + text, stage.file("a.sex"))
    return stage.file("a.sex")
  }

  private func rightAscensions(_ path: String) throws -> [Double] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
      .map { Double($0.split(separator: ",")[1]) ?? .nan }
  }

  private func engage(
    _ stage: Stage, _ image: String, _ options: String...
  ) async throws -> (errors: [String], rightAscensions: [Double]) {
    let catalog = stage.file("\(UUID().uuidString).csv")
    let story = try await stage.skynet(
      [
        "engage", "--no-discovery", "--slots", "1", "--image", image, "--catalog", catalog,
        "--columns", Self.columns,
      ] + options
    ).end()
    #expect(story.status == 0, "\(story.errors)")
    return (story.errors, try rightAscensions(catalog))
  }

  @Test("With a configuration its cards count, and without one a note says that they do not")
  func engaged() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage, "sky.fits")
      let config = try config(stage)
      let before = try await engage(stage, image, "--config", config)
      #expect(!before.errors.contains { $0.contains(".head") })
      try write("CRVAL1  = 11.0\nEND\n", stage.file("sky.head"))
      let after = try await engage(stage, image, "--config", config)
      #expect(before.rightAscensions.count > 5)
      #expect(
        zip(before.rightAscensions, after.rightAscensions).allSatisfy { abs($1 - $0 - 1) < 1e-6 })
      let without = try await engage(stage, image)
      #expect(without.rightAscensions == before.rightAscensions)
      #expect(
        without.errors.filter { $0.hasPrefix("note: \(stage.file("sky.head")) is not used") }.count
          == 1)

      try write("CRVAL1  = 12.0\nEND\n", stage.file("sky.ahead"))
      let named = try await engage(
        stage, image, "--config", try self.config(stage, "HEADER_SUFFIX .ahead\n"))
      #expect(abs(named.rightAscensions[0] - before.rightAscensions[0] - 2) < 1e-6)

      try write("END\n", stage.file("sky.ahead"))
      let empty = try await engage(stage, image, "--config", stage.file("a.sex"))
      #expect(empty.errors.contains { $0.contains("sky.ahead has no cards for") })
      #expect(empty.rightAscensions == before.rightAscensions)
    }
  }

  @Test("A journal is of the header file that it was begun with")
  func journal() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage, "sky.fits")
      try write("CRVAL1  = 11.0\nEND\n", stage.file("sky.head"))
      let arguments = [
        "engage", "--no-discovery", "--slots", "1", "--image", image, "--catalog",
        stage.file("a.csv"), "--config", try config(stage), "--journal", stage.file("a.sqlite"),
      ]
      let first = try await stage.skynet(arguments).end()
      #expect(first.status == 0, "\(first.errors)")
      #expect(try await stage.skynet(arguments).end().status == 0)
      // A sector does not depend on it.
      let replay = try await stage.skynet("replay", stage.file("a.sqlite"), "--sector", "0").end()
      #expect(replay.status == 0, "\(replay.errors)")
      try write("CRVAL1  = 12.0\nEND\n", stage.file("sky.head"))
      let changed = try await stage.skynet(arguments).end()
      #expect(changed.status == 2)
      #expect(changed.errors.last?.contains("header file") == true, "\(changed.errors)")
    }
  }

  @Test("A night scans an image anew if its header file has come or changed")
  func night() async throws {
    try await Stage.with { stage in
      let images = [try await sky(stage, "one.fits"), try await sky(stage, "two.fits")]
      let arguments =
        ["engage", "--no-discovery", "--slots", "1", "--image"] + images + [
          "--catalog", stage.file("{name}.csv"), "--config", try config(stage), "--columns",
          Self.columns, "--journal", stage.file("night.sqlite"),
        ]
      func scan() async throws -> [String] {
        let story = try await stage.skynet(arguments).end()
        #expect(story.status == 0, "\(story.errors)")
        return story.errors.filter { $0.contains("it is scanned anew") }
      }
      #expect(try await scan().isEmpty)
      let before = try rightAscensions(stage.file("two.csv"))
      #expect(try await scan().isEmpty)
      for value in [11.0, 12] {
        try write("CRVAL1  = \(value)\nEND\n", stage.file("two.head"))
        let news = try await scan()
        #expect(news.count == 1 && news[0].contains("two.head, which has changed"), "\(news)")
        let after = try rightAscensions(stage.file("two.csv"))
        #expect(abs(after[0] - before[0] - (value - 10)) < 1e-6)
      }
      #expect(try await scan().isEmpty)
      // The second image was dropped twice, with its sectors.
      for sector in ["0", "3"] {
        let replay = try await stage.skynet(
          "replay", stage.file("night.sqlite"), "--sector", sector
        ).end()
        #expect(replay.status == 0, "\(replay.errors)")
      }
    }
  }

  @Test("A batch's catalogue has the positions of its header file")
  func batch() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage, "sky.fits")
      try write("CRVAL1  = 11.0\nEND\n", stage.file("sky.head"))
      let config = try config(stage)
      let whole = try await engage(stage, image, "--config", config)
      func run(_ arguments: String...) async throws -> RunningProcess.Story {
        let story = try await stage.skynet(arguments).end()
        #expect(story.status == 0, "\(arguments): \(story.errors)")
        return story
      }
      let background = stage.file("background.json")
      // The settings come with the second step.
      _ = try await run(
        "scan", "--image", image, "--background", "--share", "0/1", "--output", stage.file("b"))
      let merged = try await run(
        "merge", "--image", image, "--background", "--config", config, "--output", background,
        stage.file("b"))
      #expect(merged.errors.count == 1, "\(merged.errors)")
      _ = try await run(
        "scan", "--image", image, "--background-file", background, "--share", "0/1", "--output",
        stage.file("s"))
      _ = try await run(
        "merge", "--image", image, "--background-file", background, "--catalog",
        stage.file("m.csv"), "--columns", Self.columns, stage.file("s"))
      #expect(try rightAscensions(stage.file("m.csv")) == whole.rightAscensions)

      try FileManager.default.removeItem(atPath: stage.file("sky.head"))
      let without = try await stage.skynet(
        "merge", "--image", image, "--background-file", background, "--catalog",
        stage.file("n.csv"), stage.file("s")
      ).end()
      #expect(without.status == 2)
      #expect(without.errors.last?.contains("header file beside \(image), which is gone") == true)
    }
  }
}
