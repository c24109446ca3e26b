import Foundation
import SkyScan
import Testing

/// A catalogue that lacks something says so, and with `--strict` there is none.
@Suite("What a catalogue lacks", .timeLimit(.ample))
struct CatalogContentTests {
  private static let coordinates = [
    "CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "CRPIX1  = 64.5", "CRPIX2  = 64.5",
    "CRVAL1  = 10.0", "CRVAL2  = 20.0", "CDELT1  = -1E-4", "CDELT2  = 1E-4",
  ]

  private func engage(
    _ stage: Stage, _ image: String, _ options: String..., others: [String] = []
  ) async throws -> (story: RunningProcess.Story, names: [Substring], rows: [[Substring]]) {
    let catalog = stage.file("\(UUID().uuidString).csv")
    let story = try await stage.skynet(
      ["engage", "--no-discovery", "--slots", "1", "--image", image, "--catalog", catalog] + options
        + others
    ).end()
    guard let text = try? String(contentsOfFile: catalog, encoding: .utf8) else {
      return (story, [], [])
    }
    let rows = text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    return (story, rows[0], Array(rows[1...]))
  }

  /// Expects a warning and the columns, and with `--strict` an error and no catalogue.
  private func expectWarning(
    _ stage: Stage, _ image: String, _ options: [String], _ words: String, columns: [Substring]
  ) async throws {
    let catalog = stage.file("strict.csv")
    let arguments = ["engage", "--no-discovery", "--slots", "1", "--image", image] + options
    let lax = try await stage.skynet(arguments + ["--catalog", catalog]).end()
    #expect(lax.status == 0, "\(lax.errors)")
    #expect(
      lax.errors.contains { $0.hasPrefix("warning: ") && $0.contains(words) }, "\(lax.errors)")
    let text = try String(contentsOfFile: catalog, encoding: .utf8)
    #expect(text.split(separator: "\n").first?.split(separator: ",") == columns)
    try FileManager.default.removeItem(atPath: catalog)
    let strict = try await stage.skynet(arguments + ["--catalog", catalog, "--strict"]).end()
    #expect(strict.status == 2)
    #expect(
      strict.errors.last.map { $0.hasPrefix("error: ") && $0.contains(words) } == true,
      "\(strict.errors)")
    #expect(!FileManager.default.fileExists(atPath: catalog))
  }

  @Test("A column of the list that does not exist here is named")
  func unserved() async throws {
    try await Stage.with { stage in
      _ = try stage.write("X_IMAGE position along x\nMAG_PSF\nFLAGS\n", "a.param")
      let config = try stage.write("PARAMETERS_NAME a.param\n", "a.sex")
      try await expectWarning(
        stage, try await stage.sky(), ["--config", config],
        "a.param: MAG_PSF does not exist here and is left out", columns: ["X_IMAGE", "FLAGS"])
    }
  }

  @Test("Fluxes in more apertures than there are are named, and are 0 as in SExtractor")
  func apertures() async throws {
    try await Stage.with { stage in
      _ = try stage.write("NUMBER\nFLUX_APER(3)\n", "a.param")
      let config = try stage.write("PARAMETERS_NAME a.param\nPHOT_APERTURES 4,8\n", "a.sex")
      let image = try await stage.sky()
      let columns: [Substring] = ["NUMBER", "FLUX_APER", "FLUX_APER_1", "FLUX_APER_2"]
      try await expectWarning(
        stage, image, ["--config", config], "FLUX_APER(3) is asked for, and there are 2 apertures",
        columns: columns)
      let found = try await engage(stage, image, "--config", config)
      #expect(!found.rows.isEmpty && found.rows.allSatisfy { $0[3] == "0.0" && $0[2] != "0.0" })

      _ = try stage.write("FLUX_APER(9223372036854775807)\n", "a.param")
      let huge = try await engage(stage, image, "--config", config)
      #expect(huge.story.status == 2)
      #expect(huge.story.errors.last?.contains("65 apertures; at most 64 are allowed") == true)

      // Fewer are as many as the list says; SExtractor's list without a size means one.
      _ = try stage.write("NUMBER\nFLUX_APER\n", "a.param")
      let one = try await engage(stage, image, "--config", config, "--strict")
      #expect(one.story.status == 0 && one.names == ["NUMBER", "FLUX_APER"])
      #expect(one.rows.map { $0[1] } == found.rows.map { $0[1] })
    }
  }

  @Test("Without a place in the sky, asked positions are left out, and the rest is there")
  func positions() async throws {
    try await Stage.with { stage in
      let plain = try await stage.sky()
      let list = "X_IMAGE,ALPHA_J2000,DELTA_J2000"
      try await expectWarning(
        stage, plain, ["--columns", list],
        "no sky positions: the header has no celestial coordinates; ALPHA_J2000 and DELTA_J2000",
        columns: ["X_IMAGE"])
      let only = try await engage(stage, plain, "--columns", "ALPHA_J2000")
      #expect(only.story.status == 2 && only.names.isEmpty)
      #expect(only.story.errors.last?.contains("ask for other columns than ALPHA_J2000") == true)
      let clock = try await stage.sky(
        "clock.fits",
        Self.coordinates.map { $0.hasPrefix("CRVAL1") ? "CRVAL1  = '00:40:00'" : $0 })
      let wrong = try await engage(stage, clock, "--columns", list)
      #expect(wrong.story.status == 0 && wrong.names == ["X_IMAGE"])
      #expect(wrong.story.errors.contains { $0.contains("have CRVAL1, which is not a number") })
    }
  }

  @Test("A number that is a text counts, and one that is none is named")
  func textNumbers() async throws {
    try await Stage.with { stage in
      let config = try stage.write("GAIN 7\nGAIN_KEY EGAIN\n", "a.sex")
      let text = try await stage.sky("text.fits", ["EGAIN   = '2.5'"])
      let read = try await engage(stage, text, "--config", config, "--columns", "FLUXERR_ISO")
      let same = try await engage(stage, text, "--gain", "2.5", "--columns", "FLUXERR_ISO")
      #expect(!read.rows.isEmpty && read.rows == same.rows)
      let odd = try await stage.sky("odd.fits", ["EGAIN   = 'high'"])
      try await expectWarning(
        stage, odd, ["--config", config, "--columns", "FLUXERR_ISO"],
        "odd.fits: its EGAIN is not a number, and counts as absent", columns: ["FLUXERR_ISO"])
    }
  }

  @Test("A wrong checksum is named")
  func checksum() async throws {
    try await Stage.with { stage in
      let image = try await stage.sky("sky.fits", ["DATASUM = '1'"])
      try await expectWarning(
        stage, image, ["--columns", "NUMBER"], "sky.fits: its DATASUM is wrong",
        columns: ["NUMBER"])
      let weighted = try await stage.sky("other.fits")
      try await expectWarning(
        stage, weighted, ["--columns", "NUMBER", "--weight", image],
        "sky.fits: its DATASUM is wrong", columns: ["NUMBER"])
    }
  }

  @Test("With --strict one such image of a night fails, and the others have their catalogues")
  func night() async throws {
    try await Stage.with { stage in
      let images = [
        try await stage.sky("good.fits"), try await stage.sky("bad.fits", ["DATASUM = '1'"]),
      ]
      let night =
        ["engage", "--no-discovery", "--slots", "1", "--image"] + images
        + ["--catalog", stage.file("{name}.csv")]
      let story = try await stage.skynet(night + ["--strict"]).end()
      #expect(story.status == 1)
      #expect(story.errors.contains { $0.contains("bad.fits") && $0.contains("DATASUM is wrong") })
      #expect(FileManager.default.fileExists(atPath: stage.file("good.csv")))
      #expect(!FileManager.default.fileExists(atPath: stage.file("bad.csv")))

      _ = try stage.write("X_IMAGE\nMAG_PSF\n", "a.param")
      let config = try stage.write("PARAMETERS_NAME a.param\n", "a.sex")
      let refused = try await stage.skynet(night + ["--strict", "--config", config]).end()
      #expect(refused.status == 2 && refused.errors.last?.contains("MAG_PSF") == true)
      let lax = try await stage.skynet(night + ["--config", config]).end()
      #expect(lax.status == 0)
      #expect(lax.errors.filter { $0.contains("MAG_PSF does not exist here") }.count == 1)
    }
  }

  @Test("A cube's first plane is scanned, also by a node that reads the file itself")
  func cube() async throws {
    try await Stage.with { stage in
      let (image, cube) = (try await stage.sky(), stage.file("cube.fits"))
      try HeaderEdit.makeCube(of: image, planes: 3, at: cube)
      let plane = try await engage(stage, image)
      let alone = try await engage(stage, cube)
      #expect(alone.story.status == 0 && alone.rows == plane.rows && !alone.rows.isEmpty)
      #expect(
        alone.story.errors.contains {
          $0 == "note: \(cube): of its 3 planes of 128 × 128 pixels the first one is read"
        }, "\(alone.story.errors)")
      let node = try await stage.node("a")
      let run = try await stage.engage(
        peers: [node.port], "--no-local", "--wait-for", "1", "--image", cube, "--catalog",
        stage.file("cube.csv")
      ).outcome()
      #expect(run.status == 0)
      #expect(
        run.errors.contains { $0.hasPrefix("systems read") && $0.hasSuffix("were sent 0 bytes") })
      let text = try String(contentsOfFile: stage.file("cube.csv"), encoding: .utf8)
      #expect(text.split(separator: "\n").count == plane.rows.count + 1)
    }
  }

  @Test("An image without any noise has a warning, and no sources", arguments: [true, false])
  func constant(isCut: Bool) async throws {
    try await Stage.with { stage in
      let image = try await stage.sky()
      var bytes = try Data(contentsOf: URL(fileURLWithPath: image))
      // The pixels, in whole blocks of 2880 bytes.
      let pixels = 12 * 2880
      bytes.replaceSubrange((bytes.count - pixels)..., with: Data(count: pixels))
      try bytes.write(to: URL(fileURLWithPath: image))
      let cut = isCut ? ["--sector-size", "64"] : []
      let run = try await engage(stage, image, "--min-area", "1", "--threshold", "1", others: cut)
      #expect(run.story.status == 0 && run.rows.isEmpty)
      #expect(
        run.story.errors.contains {
          $0.hasPrefix("warning: ") && $0.contains("most of the background is constant")
        }, "\(run.story.errors)")
    }
  }
}
