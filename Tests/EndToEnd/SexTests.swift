import Foundation
import SkyDetection
import SkyFITS
import SkyScan
import Testing

/// SExtractor's own command line.
@Suite("skynet sex", .timeLimit(.ample))
struct SexTests {
  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// Makes an image and a list of columns, and returns the words for them.
  private func words(_ stage: Stage) async throws -> [String] {
    try await SyntheticSky(width: 128, height: 128, starCount: 20).write(to: stage.file("a.fits"))
    try write("NUMBER\nX_IMAGE\nFLUX_APER(2)\n", stage.file("a.param"))
    return ["sex", stage.file("a.fits"), "-PARAMETERS_NAME", stage.file("a.param")]
  }

  @Test(
    "It writes the catalogue of the configuration, and warns of a configuration that is not there")
  func catalog() async throws {
    try await Stage.with { stage in
      let words = try await words(stage)
      let catalog = stage.file("a.cat")
      let story = try await stage.skynet(
        words + ["-c", stage.file("no.sex"), "-CATALOG_NAME", catalog, "-PHOT_APERTURES", "4,8"]
      ).end()
      #expect(story.status == 0, "\(story.errors)")
      #expect(
        story.errors.first
          == "> WARNING: \(stage.file("no.sex")) not found, using internal defaults")
      let lines = try String(contentsOfFile: catalog, encoding: .utf8).split(separator: "\n")
      #expect(
        lines.filter { $0.hasPrefix("#") }.map { $0.split(separator: " ")[2] } == [
          "NUMBER", "X_IMAGE", "FLUX_APER",
        ])
      let rows = lines.filter { !$0.hasPrefix("#") }
      #expect(rows.count > 5 && rows.allSatisfy { $0.split(separator: " ").count == 4 })
    }
  }

  @Test("The header of FITS_LDAC counts sources before and after cleaning")
  func counts() async throws {
    try await Stage.with { stage in
      let words = try await words(stage)
      func counts(clean: String) async throws -> (before: Int?, after: Int?) {
        let catalog = stage.file("a.cat")
        let story = try await stage.skynet(
          words + [
            "-CATALOG_TYPE", "FITS_LDAC", "-CATALOG_NAME", catalog, "-CLEAN", clean,
            "-CLEAN_PARAM", "0.1", "-DETECT_MINAREA", "2", "-DETECT_THRESH", "1",
            "-ANALYSIS_THRESH", "1",
          ]
        ).end()
        #expect(story.status == 0, "\(story.errors)")
        let text = String(
          decoding: try Data(contentsOf: URL(fileURLWithPath: catalog)), as: UTF8.self)
        func number(_ keyword: String) -> Int? {
          let words = text.components(separatedBy: "\(keyword)=").last?.split(separator: " ")
          return words?.first.flatMap { Int($0) }
        }
        return (number("SEXNDET "), number("SEXNFIN "))
      }
      let (all, clean) = (try await counts(clean: "N"), try await counts(clean: "Y"))
      #expect(all.before == all.after && clean.before == all.before)
      #expect(try #require(clean.after) < #require(clean.before))
    }
  }

  @Test(
    "A damaged extension behind the only image costs the status, and other bytes a warning",
    arguments: [("XTENSION= 'IMAGE   '", 1), ("a special record", 0)])
  func behind(text: String, status: Int32) async throws {
    try await Stage.with { stage in
      let words = try await words(stage) + ["-CATALOG_NAME", stage.file("a.cat")]
      var image = try Data(contentsOf: URL(fileURLWithPath: stage.file("a.fits")))
      image += Data(text.utf8) + Data(repeating: UInt8(ascii: " "), count: 2880 - text.utf8.count)
      try image.write(to: URL(fileURLWithPath: stage.file("a.fits")))
      let story = try await stage.skynet(words).end()
      #expect(story.status == status, "\(story.errors)")
      let warning =
        status == 1 ? "what is behind this image" : "the bytes behind its last extension"
      #expect(story.errors.contains { $0.contains(warning) }, "\(story.errors)")
      #expect(FileManager.default.fileExists(atPath: stage.file("a.cat")))
    }
  }

  @Test("STDOUT is standard output, and QUIET prints nothing else")
  func standardOutput() async throws {
    try await Stage.with { stage in
      try write(
        "VERBOSE_TYPE QUIET\nFILTER N\nCATALOG_NAME STDOUT\nPHOT_APERTURES 4,8\n",
        stage.file("a.sex"))
      let story = try await stage.skynet(words(stage) + ["-c", stage.file("a.sex")]).end()
      #expect(story.status == 0 && story.errors.isEmpty, "\(story.errors)")
      #expect(story.output.first?.hasPrefix("#   1 NUMBER") == true)
    }
  }

  @Test("Without other systems, neither sex nor engage needs a key, or a place for one")
  func noKey() async throws {
    try await Stage.with { stage in
      let words = try await words(stage) + ["-CATALOG_NAME", stage.file("a.cat")]
      // Even root cannot make a folder below a file.
      let home = ["XDG_CONFIG_HOME": stage.file("a.fits")]
      for line in [words, ["engage", "--no-discovery", "--total", "1", "--scan-seconds", "0"]] {
        let story = try await stage.launch(Paths.binary, line, home).end()
        #expect(story.status == 0, "\(story.errors)")
        #expect(!story.errors.contains { $0.contains("key") }, "\(story.errors)")
      }
      let cluster = try await stage.launch(Paths.binary, words + ["--web"], home).end()
      #expect(cluster.status == 1)
      #expect(cluster.errors.contains { $0.contains("--key-file") }, "\(cluster.errors)")
    }
  }

  @Test(
    "Without a place in the sky, a list's columns stay, with SExtractor's numbers and a warning")
  func noSky() async throws {
    try await Stage.with { stage in
      let words = try await words(stage) + ["-CATALOG_TYPE", "ASCII", "-CATALOG_NAME", "STDOUT"]
      try write("ALPHA_J2000\nX_WORLD\nX_IMAGE\n", stage.file("a.param"))
      let story = try await stage.skynet(words).end()
      #expect(story.status == 0)
      #expect(
        story.errors.contains {
          $0.contains("no sky positions") && $0.hasSuffix("for none in ALPHA_J2000 and X_WORLD")
        }, "\(story.errors)")
      let rows = story.output.map { $0.split(separator: " ").compactMap { Double($0) } }
      #expect(rows.count > 5)
      #expect(rows.allSatisfy { $0.count == 3 && $0[0] == 0 && abs($0[1] + 1 - $0[2]) < 1e-4 })
    }
  }

  @Test(
    "An error has SExtractor's form and status",
    arguments: [
      (["-DETECT_MINAREA", "0"], "> *Error*: command line: DETECT_MINAREA"),
      (["-CHECKIMAGE_TYPE", "OBJECTS"], "> *Error*: command line: CHECKIMAGE_TYPE"),
      (["-PARAMETERS_NAME", "/nowhere/a.param"], "> *Error*: /nowhere/a.param: there is no"),
      (["second.fits"], "> *Error*: "),
      (["--CHECKIMAGE_NAME", "b.fits"], "> *Error*: --CHECKIMAGE_NAME has two dashes"),
      (["-DETECT_THRESH", "abc"], "> *Error*: command line: DETECT_THRESH is “abc”; numbers"),
      (["--no-such-option"], "> *Error*: Unknown option"),
    ])
  func errors(more: [String], begins: String) async throws {
    try await Stage.with { stage in
      let story = try await stage.skynet(words(stage) + more).end()
      #expect(story.status == 1)
      #expect(story.errors.contains { $0.hasPrefix(begins) }, "\(story.errors)")
    }
  }

  @Test("A column of SExtractor's that does not exist here is an error, and an unknown one is not")
  func columns() async throws {
    try await Stage.with { stage in
      let words = try await words(stage)
      try write("NUMBER\nFOO_BAR\n", stage.file("a.param"))
      let warned = try await stage.skynet(words + ["-CATALOG_NAME", stage.file("a.cat")]).end()
      #expect(warned.status == 0, "\(warned.errors)")
      #expect(warned.errors.contains("> WARNING: FOO_BAR catalog parameter unknown"))
      try write("NUMBER\nMAG_MODEL\nFLUX_PSF\nX_MAMA\n", stage.file("a.param"))
      let refused = try await stage.skynet(words + ["-CATALOG_NAME", stage.file("b.cat")]).end()
      #expect(refused.status == 1)
      #expect(
        refused.errors.contains {
          $0.hasPrefix("> *Error*: ") && $0.contains("MAG_MODEL, FLUX_PSF (models), X_MAMA")
        }, "\(refused.errors)")
      #expect(!FileManager.default.fileExists(atPath: stage.file("b.cat")))
    }
  }

  @Test("Check images of the background have the image's size and header")
  func checkImages() async throws {
    try await Stage.with { stage in
      let words = try await words(stage)
      let story = try await stage.skynet(
        words + [
          "-CATALOG_TYPE", "NONE", "-CHECKIMAGE_TYPE", "BACKGROUND,BACKGROUND_RMS",
          "-CHECKIMAGE_NAME", "\(stage.file("b.fits")),\(stage.file("r.fits"))",
        ]
      ).end()
      #expect(story.status == 0, "\(story.errors)")
      let whole = PixelRectangle(x: 0, y: 0, width: 128, height: 128)
      let image = try await FITSImage.open(stage.file("a.fits")).values(in: whole).sorted()
      let level = try await FITSImage.open(stage.file("b.fits"))
      let noise = try await FITSImage.open(stage.file("r.fits"))
      #expect(level.width == 128 && level.height == 128 && level.header.contains("COMMENT"))
      let levels = try await level.values(in: whole)
      let noises = try await noise.values(in: whole)
      #expect(levels.allSatisfy { abs($0 - image[8192]) < 0.05 * image[8192] })
      #expect(noises.allSatisfy { $0 > 0 && $0 < levels[0] })

      let unequal = try await stage.skynet(
        words + ["-CHECKIMAGE_TYPE", "BACKGROUND,BACKGROUND_RMS"]
      ).end()
      #expect(unequal.status == 1)
      #expect(unequal.errors.contains { $0.contains("2 values of CHECKIMAGE_TYPE, and 1 of") })
    }
  }

  @Test("Texts end with 0")
  func texts() async throws {
    try await Stage.with { stage in
      for words in [["-v"], ["-d"], ["-dd"], ["-dp"]] {
        let story = try await stage.skynet(["sex"] + words).end()
        #expect(story.status == 0 && !story.output.isEmpty && story.errors.isEmpty)
      }
      let story = try await stage.skynet(["sex"]).end()
      #expect(story.status == 0 && story.errors.first?.hasPrefix("> SYNTAX: ") == true)
    }
  }
}
