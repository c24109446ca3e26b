import Foundation
import SkyScan
import SkyTestSupport
import Testing

/// What the settings of `skynet sex` mean, where SExtractor says it.
@Suite("Settings of skynet sex", .timeLimit(.ample))
struct SexSettingsTests {
  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// Makes an image and a list of columns.
  ///
  /// - Returns: the words for them, with which the catalogue is printed.
  private func words(
    _ stage: Stage, columns: String = "NUMBER\nMAG_AUTO\n", _ cards: [String] = []
  ) async throws -> [String] {
    try await SyntheticSky(width: 128, height: 128, starCount: 20).write(to: stage.file("a.fits"))
    try HeaderEdit.add(cards, to: stage.file("a.fits"))
    try write(columns, stage.file("a.param"))
    return [
      "sex", stage.file("a.fits"), "-c", stage.file("a.sex"), "-PARAMETERS_NAME",
      stage.file("a.param"), "-CATALOG_TYPE", "ASCII", "-CATALOG_NAME", "STDOUT", "-FILTER", "N",
    ]
  }

  private func rows(_ story: RunningProcess.Story) -> [[Double]] {
    story.output.map { $0.split(separator: " ").compactMap { Double($0) } }
  }

  @Test("A variable is put into a number, of the configuration and of the command line")
  func variables() async throws {
    try await Stage.with { stage in
      let words = try await words(stage)
      try write("GAIN 2\n", stage.file("a.sex"))
      let plain = rows(try await stage.skynet(words).end())
      #expect(plain.count > 5)
      let environment = ["SKYNET_TEST_ZP": "25.5"]
      let typed = try await stage.launch(
        Paths.binary, words + ["-MAG_ZEROPOINT", "$SKYNET_TEST_ZP"], environment
      ).end()
      try write("GAIN 2\nMAG_ZEROPOINT ${SKYNET_TEST_ZP}\n", stage.file("a.sex"))
      let written = try await stage.launch(Paths.binary, words, environment).end()
      for story in [typed, written] {
        #expect(story.status == 0 && !story.errors.contains { $0.contains("WARNING") })
        let rows = rows(story)
        #expect(rows.count == plain.count)
        #expect(zip(rows, plain).allSatisfy { abs($0[1] - $1[1] - 25.5) < 1e-3 })
      }
      let unset = try await stage.skynet(words).end()
      #expect(unset.status == 1 && unset.output.isEmpty)
      #expect(
        unset.errors.last == "> *Error*: \(stage.file("a.sex")):2: MAG_ZEROPOINT names "
          + "$SKYNET_TEST_ZP, which the environment does not have; set it, or write the value without it"
      )
    }
  }

  @Test("A night is scanned anew when a variable of its configuration has another value")
  func changedVariable() async throws {
    try await Stage.with { stage in
      _ = try await words(stage)
      try write("DETECT_THRESH $SKYNET_TEST_THRESH\n", stage.file("a.sex"))
      try FileManager.default.copyItem(atPath: stage.file("a.fits"), toPath: stage.file("b.fits"))
      func run(_ threshold: String) async throws -> RunningProcess.Story {
        try await stage.launch(
          Paths.binary,
          [
            "engage", "--no-discovery", "--image", stage.file("a.fits"), stage.file("b.fits"),
            "--config", stage.file("a.sex"), "--catalog", stage.file("{name}.csv"), "--journal",
            stage.file("night.sqlite"), "--columns", "NUMBER,X_IMAGE",
          ], ["SKYNET_TEST_THRESH": threshold]
        ).end()
      }
      #expect(try await run("1.5").status == 0)
      let first = try String(contentsOfFile: stage.file("a.csv"), encoding: .utf8)
      let same = try await run("1.5")
      #expect(same.status == 0 && !same.errors.contains { $0.contains("anew") }, "\(same.errors)")
      let other = try await run("200")
      #expect(other.status == 0)
      #expect(
        other.errors.contains {
          $0.contains("was scanned with $SKYNET_TEST_THRESH, which has changed since")
        }, "\(other.errors)")
      #expect(try String(contentsOfFile: stage.file("a.csv"), encoding: .utf8) != first)
    }
  }

  /// Weights of 1, with one other.
  private func writeWeights(_ other: Float, to path: String) throws {
    var weights = [Float](repeating: 1, count: 128 * 128)
    weights[5000] = other
    let bytes = Data(FITSUnit(bitpix: -32, axes: [128, 128], data: bigEndian(weights)).bytes)
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  @Test("Weights that are given twice are those given once, or refused where SExtractor's are not")
  func weightsTwice() async throws {
    try await Stage.with { stage in
      let words = try await words(stage)
      try write("GAIN 2\n", stage.file("a.sex"))
      let (map, type) = (stage.file("w.fits"), "MAP_WEIGHT")
      func run(_ types: String, _ maps: String, _ more: String...) async throws
        -> RunningProcess.Story
      {
        try await stage.skynet(words + ["-WEIGHT_TYPE", types, "-WEIGHT_IMAGE", maps] + more).end()
      }
      let whole = [
        "-INTERP_TYPE", "ALL,ALL", "-INTERP_MAXXLAG", "16,16", "-INTERP_MAXYLAG", "16,16",
      ]
      for (other, isRefused) in [(0.5, false), (0, true), (-.infinity, true)] as [(Float, Bool)] {
        try writeWeights(other, to: map)
        let once = try await run(type, map)
        #expect(once.status == 0 && rows(once).count > 5)
        for (types, maps) in [
          ("\(type),\(type)", "\(map),\(map)"), (type, "\(map),\(map)"), ("\(type),\(type)", map),
        ] {
          let twice = try await run(types, maps)
          if isRefused {
            #expect(twice.status == 1 && twice.output.isEmpty)
            #expect(
              twice.errors.last?.hasPrefix("> *Error*: \(map): has bad pixels, and WEIGHT_TYPE or")
                == true,
              "\(twice.errors)")
          } else {
            #expect(twice.status == 0 && twice.output == once.output)
          }
          let none = try await run(types, maps, "-INTERP_TYPE", "NONE")
          #expect(try await none.output == run(type, map, "-INTERP_TYPE", "NONE").output)
          let all = try await stage.skynet(
            words + ["-WEIGHT_TYPE", types, "-WEIGHT_IMAGE", maps] + whole
          ).end()
          #expect(all.status == 0 && all.output == once.output)
        }
      }
    }
  }

  @Test("With QUIET nothing is said of checksums and positions, of which SExtractor says nothing")
  func quiet() async throws {
    try await Stage.with { stage in
      let words = try await words(stage, columns: "NUMBER\nALPHA_J2000\n", ["DATASUM = '1'"])
      try write("GAIN 2\n", stage.file("a.sex"))
      let normal = try await stage.skynet(words).end()
      #expect(normal.errors.filter { $0.hasPrefix("> WARNING: ") }.count == 2)
      let quiet = try await stage.skynet(words + ["-VERBOSE_TYPE", "QUIET"]).end()
      #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
      #expect(quiet.output == normal.output)
      let odd = try await stage.skynet(words + ["-VERBOSE_TYPE", "QUIET", "-FOO", "1"]).end()
      #expect(odd.errors == ["> WARNING: FOO keyword unknown"])
      let strict = try await stage.skynet(
        words + ["-VERBOSE_TYPE", "QUIET", "--strict", "--no-discovery"]
      ).end()
      #expect(strict.status == 1 && strict.errors.last?.contains("DATASUM is wrong") == true)
    }
  }

  @Test("Refused keywords and columns are told at once")
  func refusals() async throws {
    try await Stage.with { stage in
      let words = try await words(stage, columns: "NUMBER\nMAG_PSF\n")
      try write("DETECT_TYPE PHOTO\nDETECT_MINAREA few\n", stage.file("a.sex"))
      let story = try await stage.skynet(words + ["-PHOT_APERTURES", "5000"]).end()
      #expect(story.status == 1)
      let said = story.errors.last ?? ""
      for part in [
        "DETECT_TYPE PHOTO has no counterpart here, and would make another catalogue",
        "DETECT_MINAREA is “few”; a whole number",
        "command line: PHOT_APERTURES is “5000”; numbers over 0, of at most 1024, are needed",
        "there is no MAG_PSF (models) here",
      ] { #expect(said.contains(part), "\(said)") }
    }
  }

  @Test("A limit on the size of files is not told as one on memory")
  func fileSize() async throws {
    try await Stage.with { stage in
      let words = try await words(stage)
      try write("GAIN 2\n", stage.file("a.sex"))
      let story = try await stage.launch(
        "/bin/sh", ["-c", "ulimit -f 100; exec \"$0\" \"$@\"", Paths.binary] + words
      ).end()
      #expect(story.status == 1)
      #expect(story.errors.last?.contains("(ulimit -f)") == true, "\(story.errors)")
    }
  }
}
