import Foundation
import SkyScan
import SkyTestSupport
import Testing

/// Headers and files that are not quite as the standard has them.
@Suite("Odd headers", .timeLimit(.ample))
struct OddHeaderTests {
  private static let coordinates = [
    "CTYPE1  = 'RA---TPV'", "CTYPE2  = 'DEC--TPV'", "CRPIX1  = 64.5", "CRPIX2  = 64.5",
    "CRVAL1  = 10.0", "CRVAL2  = 20.0", "CD1_1   = -1E-4", "CD2_2   = 1E-4", "PV1_1   = 1.0",
    "PV1_4   = 0.5", "PV2_1   = 1.0",
  ]

  private func engage(
    _ stage: Stage, _ image: String, _ options: String...
  ) async throws -> (story: RunningProcess.Story, catalog: String?) {
    let catalog = stage.file("\(UUID().uuidString).csv")
    let story = try await stage.skynet(
      ["engage", "--no-discovery", "--slots", "1", "--image", image, "--catalog", catalog]
        + options
    ).end()
    return (story, try? String(contentsOfFile: catalog, encoding: .utf8))
  }

  @Test("A card whose name begins with the key is taken, and told")
  func keys() async throws {
    try await Stage.with { stage in
      let config = try stage.write("FILTER N\n", "a.sex")
      let image = try await stage.sky(
        "a.fits", ["GAINA   = 4.0", "GAIN    = 1.5", "SATURATE= 60000."])
      let options = ["--columns", "FLUXERR_ISO,FLAGS"]
      let read = try await engage(stage, image, "--config", config, options[0], options[1])
      let same = try await engage(
        stage, image, "--config", config, "--gain", "4", options[0], options[1])
      let other = try await engage(
        stage, image, "--config", config, "--gain", "1.5", options[0], options[1])
      #expect(read.catalog == same.catalog && read.catalog != other.catalog)
      let note =
        "note: \(image): GAIN_KEY GAIN: the header's GAINA is taken, 4.0, the first card whose name begins so, "
        + "as for SExtractor"
      #expect(read.story.errors.contains(note), "\(read.story.errors)")
      #expect(!same.story.errors.contains { $0.hasPrefix("note: \(image): GAIN") })
      #expect(!read.story.errors.contains { $0.contains("SATUR") })
    }
  }

  @Test("Two such cards of a header file are a warning, and the last one counts")
  func twiceInHeaderFile() async throws {
    try await Stage.with { stage in
      let config = try stage.write("FILTER N\n", "a.sex")
      let image = try await stage.sky("a.fits", ["GAIN    = 9.0"])
      let head = try stage.write("GAIN    = 4.5\nGAIN    = 1.5\nEND\n", "a.head")
      let read = try await engage(stage, image, "--config", config, "--columns", "FLUXERR_ISO")
      let same = try await engage(
        stage, image, "--config", config, "--gain", "1.5", "--columns", "FLUXERR_ISO")
      #expect(read.story.status == 0 && read.catalog == same.catalog)
      let warning =
        "warning: \(head): for \(image) it has several cards GAIN (1.5 and 4.5), of which the last one counts, as for "
        + "SExtractor"
      #expect(read.story.errors.contains(warning), "\(read.story.errors)")
      #expect(!same.story.errors.contains { $0.contains("several cards") })
    }
  }

  @Test("Two cards of one name that differ are a warning, and an error with --strict")
  func twice() async throws {
    try await Stage.with { stage in
      let config = try stage.write("FILTER N\n", "a.sex")
      let image = try await stage.sky("a.fits", ["GAIN    = 4.5", "GAIN    = 1.5"])
      let read = try await engage(stage, image, "--config", config, "--columns", "FLUXERR_ISO")
      let same = try await engage(
        stage, image, "--config", config, "--gain", "4.5", "--columns", "FLUXERR_ISO")
      #expect(read.story.status == 0 && read.catalog == same.catalog)
      let words =
        "\(image): its header has several cards GAIN (4.5 and 1.5), of which the first one counts, as for SExtractor"
      #expect(read.story.errors.contains("warning: " + words), "\(read.story.errors)")
      #expect(!same.story.errors.contains { $0.contains("several cards") })
      let strict = try await engage(
        stage, image, "--config", config, "--columns", "FLUXERR_ISO", "--strict")
      #expect(strict.story.status == 2 && strict.catalog == nil)
      #expect(strict.story.errors.last?.hasPrefix("error: " + words) == true)
    }
  }

  @Test("SIP beside TPV is nothing")
  func distortions() async throws {
    try await Stage.with { stage in
      let columns = "X_IMAGE,Y_IMAGE,ALPHA_J2000,DELTA_J2000"
      let plain = try await engage(
        stage, try await stage.sky("a.fits", Self.coordinates), "--columns", columns)
      let left = try await engage(
        stage,
        try await stage.sky(
          "b.fits", Self.coordinates + ["A_ORDER = 2", "A_2_0   = 1E-3", "B_ORDER = 2"]),
        "--columns", columns)
      #expect(plain.catalog != nil && plain.catalog == left.catalog)
    }
  }

  @Test("A file without the fill of its last block is read, also by a node that reads it itself")
  func unfilled() async throws {
    try await Stage.with { stage in
      let whole = try await stage.sky("whole.fits", [])
      let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
      let image = stage.file("a.fits")
      try bytes.prefix(2880 + 2 * 128 * 128).write(to: URL(fileURLWithPath: image))
      let (plain, read) = (try await engage(stage, whole), try await engage(stage, image))
      #expect(plain.catalog != nil && plain.catalog == read.catalog)
      let warning =
        "warning: \(image): the file ends within a block of 2880 bytes; all pixels of the image are there, and are "
        + "read"
      #expect(read.story.errors.contains(warning), "\(read.story.errors)")
      let node = try await stage.node("a")
      let run = try await stage.engage(
        peers: [node.port], "--no-local", "--wait-for", "1", "--image", image, "--catalog",
        stage.file("b.csv")
      ).outcome()
      #expect(run.status == 0)
      #expect(
        run.errors.contains { $0.hasPrefix("systems read") && $0.hasSuffix("were sent 0 bytes") })
      #expect(try String(contentsOfFile: stage.file("b.csv"), encoding: .utf8) == plain.catalog)
      let check = try await stage.skynet("reader-check", image).end()
      #expect(check.status == 0)
      #expect(check.output.first?.hasSuffix("; its last block is not filled up") == true)
    }
  }

  @Test("sex tells when it ran, by SOURCE_DATE_EPOCH if that is set, and engage does not")
  func times() async throws {
    try await Stage.with { stage in
      let image = try await stage.sky("a.fits", [])
      _ = try stage.write("NUMBER\n", "a.param")
      let settings = "CATALOG_TYPE FITS_LDAC\nFILTER N\nPARAMETERS_NAME \(stage.file("a.param"))\n"
      let config = try stage.write(settings, "a.sex")
      let catalog = stage.file("a.cat")
      func sex(_ environment: [String: String]) async throws -> String {
        let story = try await stage.launch(
          Paths.binary, ["sex", image, "-c", config, "-CATALOG_NAME", catalog], environment
        ).end()
        #expect(story.status == 0, "\(story.errors)")
        return String(decoding: try Data(contentsOf: URL(fileURLWithPath: catalog)), as: UTF8.self)
      }
      let fixed = ["SOURCE_DATE_EPOCH": "1234567890"]
      let first = try await sex(fixed)
      #expect(try await sex(fixed) == first)
      let keywords = [
        "SEXVERS", "SEXDATE = '13/02/2009'", "SEXTIME = '23:31:30'", "SEXELAPS=  ", "SEXBKGND",
      ]
      let places = keywords.compactMap { first.range(of: $0)?.lowerBound }
      #expect(places.count == keywords.count && places == places.sorted())
      let now = try await sex([:])
      #expect(now.contains("SEXDATE = '") && !now.contains("SEXDATE = '13/02/2009'"))
      let odd = try await stage.launch(
        Paths.binary, ["sex", image, "-c", config, "-CATALOG_NAME", catalog],
        ["SOURCE_DATE_EPOCH": "today"]
      ).end()
      #expect(odd.status == 1)
      #expect(odd.errors.last?.contains("SOURCE_DATE_EPOCH is no number of seconds") == true)
      let engaged = try await stage.skynet(
        "engage", "--no-discovery", "--slots", "1", "--image", image, "--config", config,
        "--catalog", catalog
      ).end()
      #expect(engaged.status == 0, "\(engaged.errors)")
      let text = String(
        decoding: try Data(contentsOf: URL(fileURLWithPath: catalog)), as: UTF8.self)
      #expect(text.contains("SEXVERS") && !text.contains("SEXDATE"))
    }
  }
}
