import Foundation
import SkyScan
import Testing

/// Catalogues in all formats, made by real processes.
@Suite("Catalogue formats and batches", .timeLimit(.ample))
struct SurveyTests {
  private func sky(_ stage: Stage, width: Int = 500, height: Int = 300) async throws -> String {
    let path = stage.file("sky.fits")
    try await SyntheticSky(width: width, height: height, starCount: 80).write(to: path)
    return path
  }

  private func data(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func run(_ stage: Stage, _ arguments: String...) async throws -> RunningProcess.Story {
    let story = try await stage.skynet(arguments).end()
    #expect(story.status == 0, "\(arguments): \(story.errors)")
    return story
  }

  @Test("The file name's ending chooses the catalogue's format")
  func theEndingChoosesTheFormat() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let files = ["csv", "ecsv", "fits", "reg"].map { stage.file("sources.\($0)") }
      let picture = stage.file("sky.png")
      let outputs = files.flatMap { ["--catalog", $0] } + ["--picture", picture]
      let story = try await stage.skynet(
        ["engage", "--no-discovery", "--image", image, "--columns", "NUMBER,X_IMAGE,KRON_RADIUS"]
          + outputs
      ).end()
      #expect(story.status == 0, "\(story.errors)")
      let starts = [
        "NUMBER,X_IMAGE,KRON_RADIUS\n1,", "# %ECSV 1.0", "SIMPLE  =", "# Region file format: DS9",
      ]
      for (file, start) in zip(files, starts) {
        #expect(try data(file).starts(with: Data(start.utf8)), "\(file)")
      }
      #expect(try data(picture).starts(with: [0x89, 0x50, 0x4e, 0x47]))
    }
  }

  /// The four steps, with one process for each sector, as a batch system runs them.
  @Test("A batch makes the same catalogue as an engagement")
  func aBatchMakesTheSameCatalogue() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let settings = ["--sector-size", "256", "--threshold", "2", "--clean"]
      let (whole, merged) = (stage.file("whole.csv"), stage.file("merged.csv"))
      let engaged = try await stage.skynet(
        ["engage", "--no-discovery", "--image", image, "--catalog", whole] + settings
      ).end()
      #expect(engaged.status == 0)

      let counted = try await run(
        stage, "scan", "--image", image, "--count", "--sector-size", "256")
      let count = try #require(counted.output.first.flatMap { Int($0) })
      #expect(count == 4)
      func file(_ step: String, _ number: Int) -> String { stage.file("\(step)-\(number).json") }
      let background = stage.file("background.json")
      for number in 0..<count {
        _ = try await run(
          stage, "scan", "--image", image, "--background", "--sector", "\(number)",
          "--sector-size", "256", "--output", file("background", number))
      }
      let merging = try await stage.skynet(
        ["merge", "--image", image, "--background", "--output", background] + settings
          + (0..<count).map { file("background", $0) }
      ).end()
      #expect(merging.status == 0, "\(merging.errors)")
      for number in 0..<count {
        _ = try await run(
          stage, "scan", "--image", image, "--background-file", background, "--sector",
          "\(number)", "--output", file("sources", number))
      }
      let found = (0..<count).reversed().map { file("sources", $0) }
      let last = try await stage.skynet(
        ["merge", "--image", image, "--background-file", background, "--catalog", merged] + found
      ).end()
      #expect(last.status == 0, "\(last.errors)")
      #expect(try data(merged) == data(whole))

      let short = try await stage.skynet(
        ["merge", "--image", image, "--background-file", background] + found.dropLast()
      ).end()
      #expect(short.status == 2)
      #expect(try #require(short.errors.last).contains("1 of 4 sectors are missing: 0"))
    }
  }

  @Test("A batch of shares and ranges makes the same catalogue as an engagement")
  func aBatchOfRangesMakesTheSameCatalogue() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let (whole, merged) = (stage.file("whole.csv"), stage.file("merged.csv"))
      let background = stage.file("background.json")
      _ = try await run(
        stage, "engage", "--no-discovery", "--image", image, "--catalog", whole)
      // 40 sectors in three shares.
      for share in 0..<3 {
        let story = try await run(
          stage, "scan", "--image", image, "--background", "--sector-size", "64", "--share",
          "\(share)/3", "--output", stage.file("background-\(share)"))
        #expect(story.output.isEmpty && story.errors.isEmpty)
      }
      let joined = try await run(
        stage, "merge", "--image", image, "--background", "--sector-size", "64", "--output",
        background, stage.file("background-2"), stage.file("background-0"),
        stage.file("background-1"))
      #expect(joined.errors == ["40 of 40 sectors merged"])
      // The same documents on standard output, in the order of the list.
      let lists = ["39,0-11", "12-38"]
      for list in lists {
        let story = try await run(
          stage, "scan", "--image", image, "--background-file", background, "--sectors", list)
        try Data((story.output.joined(separator: "\n") + "\n").utf8)
          .write(to: URL(fileURLWithPath: stage.file(list)))
      }
      let last = try await run(
        stage, "merge", "--image", image, "--background-file", background, "--catalog", merged,
        stage.file(lists[0]), stage.file(lists[1]))
      #expect(last.errors.last == "40 of 40 sectors merged")
      #expect(try data(merged) == data(whole))

      let merge = ["merge", "--image", image, "--background-file", background]
      let short = try await stage.skynet(merge + [stage.file(lists[0])]).end()
      #expect(short.status == 2)
      #expect(try #require(short.errors.last).contains("27 of 40 sectors are missing: 12, 13"))
      #expect(try #require(short.errors.last).contains("--sectors 12-38"))
      let twice = try await stage.skynet(merge + lists.map(stage.file) + [stage.file(lists[1])])
        .end()
      #expect(twice.status == 2)
      #expect(try #require(twice.errors.last).contains("both of sector 12"))
    }
  }

  @Test("A share that fails writes nothing, and leaves the former file as it was")
  func aShareThatFailsWritesNothing() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let output = stage.file("former")
      try Data("former".utf8).write(to: URL(fileURLWithPath: output))
      let story = try await stage.skynet(
        "scan", "--image", image, "--background", "--sector-size", "64", "--sectors", "0-40",
        "--output", output
      ).end()
      #expect(story.status == 2)
      #expect(try #require(story.errors.last).contains("sector 40; this image has sectors 0 to 39"))
      #expect(try data(output) == Data("former".utf8))
    }
  }

  @Test("Of more shares than sectors some are empty, and merged as such")
  func someSharesAreEmpty() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      for share in 0..<3 {
        _ = try await run(
          stage, "scan", "--image", image, "--background", "--share", "\(share)/3", "--output",
          stage.file("\(share)"))
      }
      #expect(try data(stage.file("0")).isEmpty)
      let story = try await run(
        stage, "merge", "--image", image, "--background", stage.file("0"), stage.file("1"),
        stage.file("2"))
      #expect(story.errors == ["1 of 1 sectors merged"])
    }
  }

  @Test("A killed node changes no byte of the catalogue")
  func aNodeThatIsKilledChangesNoByte() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage, width: 1000, height: 1000)
      let (whole, shared) = (stage.file("whole.csv"), stage.file("shared.csv"))
      _ = try await run(
        stage, "engage", "--no-discovery", "--image", image, "--catalog", whole)
      let (a, b) = (try await stage.node("a"), try await stage.node("b"))
      let run = try stage.engage(
        peers: [a.port, b.port], "--image", image, "--catalog", shared, "--no-local",
        "--wait-for", "2", "--sector-size", "64", "--timeout", "1")
      // Completed by any node: the scans are so short that one node may do many before the other
      // does any.
      try await run.process.lines(1) { $0.hasPrefix("completed ") }
      b.process.send(SIGKILL)
      #expect(try await run.outcome().status == 0)
      #expect(try data(shared) == data(whole))
    }
  }

  @Test("A configuration of SExtractor is read")
  func anotherProgramsConfigurationIsRead() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let (settings, columns) = (stage.file("default.sex"), stage.file("default.param"))
      try Data("NUMBER\nX_IMAGE\nMAG_PSF\nFLUX_APER(2)\n".utf8).write(
        to: URL(fileURLWithPath: columns))
      try Data(
        """
        DETECT_THRESH   2.0   # as in the next line
        ANALYSIS_THRESH 2.0
        PARAMETERS_NAME \(columns)
        PHOT_APERTURES  5,10
        BACK_FILTERSIZE 3,3
        CATALOG_NAME    other.cat
        VERBOSE_TYPE    QUIET
        """.utf8
      ).write(to: URL(fileURLWithPath: settings))
      let (one, other) = (stage.file("one.csv"), stage.file("other.csv"))
      let story = try await run(
        stage, "engage", "--no-discovery", "--image", image, "--config", settings, "--catalog", one)
      #expect(
        story.errors.count { $0.contains("CATALOG_NAME (line 6) is not used") } == 1)
      #expect(story.errors.contains { $0.contains("MAG_PSF") })
      _ = try await run(
        stage, "engage", "--no-discovery", "--image", image, "--threshold", "2", "--apertures",
        "5,10", "--columns", "NUMBER,X_IMAGE,FLUX_APER", "--catalog", other)
      #expect(try data(one) == data(other))

      try Data("DETECT_TRESH 2.0\n".utf8).write(to: URL(fileURLWithPath: settings))
      let typo = try await stage.skynet(
        "engage", "--no-discovery", "--image", image, "--config", settings
      ).end()
      #expect(typo.status == 2)
      #expect(try #require(typo.errors.last).contains("default.sex:1: SExtractor has no keyword"))

      try Data("DETECT_TYPE PHOTO\n".utf8).write(
        to: URL(fileURLWithPath: settings))
      let photographic = try await stage.skynet(
        "engage", "--no-discovery", "--image", image, "--config", settings
      ).end()
      #expect(photographic.status == 2)
      #expect(
        try #require(photographic.errors.last).contains(
          "default.sex:1: DETECT_TYPE PHOTO has no counterpart here"))
    }
  }

  @Test("A weight map with another size is refused")
  func weightsOfAnotherSizeAreRefused() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let weights = stage.file("weights.fits")
      try await SyntheticSky(width: 499, height: 300, starCount: 1).write(to: weights)
      let story = try await stage.skynet(
        "engage", "--no-discovery", "--image", image, "--weight", weights
      ).end()
      #expect(story.status == 2)
      #expect(try #require(story.errors.last).contains("a weight map has the image's size"))
    }
  }

  @Test(
    "A batch step with wrong input is refused",
    arguments: [
      (["scan", "--image", "x", "--background"], "--sector is missing"),
      (["scan", "--image", "x", "--background", "--share", "3"], "\"3\" is no share"),
      (["scan", "--image", "x", "--background", "--sectors", "0-9,9"], "sector 9 twice"),
      (["scan", "--image", "x", "--sector", "1"], "give one of --background"),
      (
        ["scan", "--image", "x", "--sector", "1", "--background-file", "b", "--threshold", "2"],
        "the background file holds the settings"
      ),
      (["merge", "--image", "x", "--background", "--catalog", "c.csv", "b"], "leave out one"),
    ])
  func aWrongStepIsRefused(arguments: [String], complaint: String) async throws {
    try await Stage.with { stage in
      let story = try await stage.skynet(arguments).end()
      #expect(story.status == 64)
      #expect(story.errors.joined(separator: "\n").contains(complaint), "\(story.errors)")
    }
  }
}
