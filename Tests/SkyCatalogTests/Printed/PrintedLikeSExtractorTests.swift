import Foundation
import SkyTestSupport
import TestSupport
import Testing

@testable import SkyCatalog

/// SExtractor's own catalogues are read, and written again.
@Suite("Beside SExtractor's catalogues")
struct PrintedLikeSExtractorTests {
  private static let hasSExtractor = Programs.has("source-extractor")

  @Test(
    "Tables are SExtractor's to the byte, but for comments and buffers",
    .enabled(if: hasSExtractor, "install source-extractor"))
  func bytes() throws {
    let stage = try StarField()
    func catalog(_ format: SExtractorFormat) throws -> [UInt8] { try stage.catalog(format) }
    let theirs = ReadUnit.units(try catalog(.ldac))
    var image = stage.read(theirs)
    image.extraction.times = try ExtractionTimes()
    for format in [SExtractorFormat.ldac, .fits1] {
      let theirs = ReadUnit.units(try catalog(format))
      let ours = ReadUnit.units(Array(format.data(of: [image])))
      #expect(ours.count == theirs.count)
      let isSame = ours.last?.data == theirs.last?.data
      #expect(isSame)
      #expect(ours.last?.values.map(\.value) == theirs.last?.values.map(\.value))
    }
    let isSame = try Array(SExtractorFormat.ascii.data(of: [image])) == catalog(.ascii)
    #expect(isSame)
    let head = Array(SExtractorFormat.asciiHead.data(of: [image]))
    let isSameHead = try head == catalog(.asciiHead)
    #expect(isSameHead)
    let ours = ReadUnit.values(
      of: ReadUnit.units(Array(SExtractorFormat.ldac.data(of: [image])))[1].storedCards)
    let keywords = ReadUnit.values(of: theirs[1].storedCards).map(\.keyword)
    #expect(ours.map(\.keyword) == keywords)
  }

  @Test(
    "What only a configuration tells is in the header as SExtractor has it",
    .enabled(if: hasSExtractor, "install source-extractor"))
  func configured() throws {
    let stage = try StarField()
    let settings = [
      "CLEAN": "N", "CLEAN_PARAM": "1.5", "MAG_GAMMA": "3.5", "BACKPHOTO_THICK": "20",
      "PHOT_APERTURES": "4,6", "PHOT_AUTOPARAMS": "2.0,3.0", "MEMORY_OBJSTACK": "2000",
      "MEMORY_PIXSTACK": "200000", "MEMORY_BUFSIZE": "512",
    ]
    let words = settings.map { "-\($0) \($1)" }.joined(separator: " ")
    let text = settings.map { "\($0) \($1)\n" }.joined() + "FILTER N\n"
    let configuration = try SExtractorConfiguration(text: text, file: "a.sex")
    let image = PrintedCatalog(
      PrintedTable(fields: [], rows: []), imageHeader: "",
      extraction: ExtractionHeader(configuration, file: nil))
    let (theirs, ours) = (
      ReadUnit.units(try stage.catalog(.ldac, words)),
      ReadUnit.units(Array(SExtractorFormat.ldac.data(of: [image])))
    )
    let told: Set = [
      "SEXNNWF", "SEXFLTR", "SEXFILTN", "SEXCLN", "SEXCLNPA", "SEXCLNST", "SEXMGGAM", "SEXPBKGS",
      "SEXPIXSK", "SEXFBUFS", "SEXAPED1", "SEXAPED2", "SEXAPED3", "SEXAUTP1", "SEXAUTP2",
    ]
    func values(_ units: [ReadUnit]) -> [String] {
      ReadUnit.values(of: units[1].storedCards).filter { told.contains($0.keyword) }
        .map { "\($0.keyword) \($0.value)" }
    }
    #expect(values(ours) == values(theirs) && values(ours).count == told.count)
  }

  @Test(
    "PSFEx makes the same model of stars from ours",
    .enabled(if: hasSExtractor && Programs.has("psfex"), "install source-extractor and psfex"))
  func psfex() throws {
    let stage = try StarField()
    let theirs = try stage.catalog(.ldac)
    let image = stage.read(ReadUnit.units(theirs))
    let models = try [theirs, Array(SExtractorFormat.ldac.data(of: [image]))].map { bytes in
      _ = try stage.folder.write("stars.ldac", bytes)
      let status = try Programs.run(
        "psfex", "stars.ldac -c none -CHECKIMAGE_TYPE NONE -CHECKPLOT_DEV NULL -WRITE_XML N",
        in: stage.folder)
      #expect(status == 0)
      let model = try Data(contentsOf: URL(fileURLWithPath: stage.folder.file("stars.psf")))
      return ReadUnit.units(Array(model))
    }
    let (theirModel, ourModel) = (models[0][1], models[1][1])
    let isSame = theirModel.data == ourModel.data
    #expect(isSame)
    for keyword in ["ACCEPTED", "CHI2", "PSF_FWHM"] {
      #expect(theirModel[keyword] == ourModel[keyword])
    }
    #expect(Int(ourModel["ACCEPTED"] ?? "") ?? 0 > 50)
  }

  /// Without a reference catalogue, SCAMP 2.10 ends after it has told what it loaded.
  @Test(
    "SCAMP loads the same from ours",
    .enabled(if: hasSExtractor && Programs.has("scamp"), "install source-extractor and scamp"))
  func scamp() throws {
    let stage = try StarField()
    let theirs = try stage.catalog(.ldac)
    let image = stage.read(ReadUnit.units(theirs))
    let told = try [theirs, Array(SExtractorFormat.ldac.data(of: [image]))].map { bytes in
      _ = try stage.folder.write("stars.ldac", bytes)
      _ = try Programs.run(
        "scamp",
        "stars.ldac -c none -ASTREF_CATALOG NONE -MATCH N -SOLVE_ASTROM N -SOLVE_PHOTOM N "
          + "-CHECKPLOT_DEV NULL -WRITE_XML N",
        in: stage.folder)
      return try String(contentsOfFile: stage.folder.file("output"), encoding: .isoLatin1)
        .split(separator: "\n").filter { !$0.contains("started on") }
    }
    #expect(told[0] == told[1])
    #expect(told[1].contains { $0.hasSuffix("169 detections loaded") })
  }
}

/// Programs of the system.
private enum Programs {
  static func has(_ name: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/" + name)
  }

  /// Runs a program in a folder, where the file "output" gets its output, and returns its exit
  /// status.
  static func run(_ name: String, _ words: String, in folder: TemporaryFolder) throws -> Int32 {
    let output = open(folder.file("output"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(output) }
    let process = try spawn(
      "/bin/sh", ["-c", "cd \"$0\" && exec /usr/bin/\(name) \(words)", folder.path],
      ["PATH": "/usr/bin:/bin"], output: output, errors: output)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }
}

/// An image of stars that are alike, and the files that SExtractor needs.
private struct StarField {
  let folder: TemporaryFolder
  private static let columns = [
    "NUMBER", "X_IMAGE", "Y_IMAGE", "XWIN_IMAGE", "YWIN_IMAGE", "ERRAWIN_IMAGE", "ERRBWIN_IMAGE",
    "ERRTHETAWIN_IMAGE", "DELTA_J2000", "FLUX_AUTO", "FLUXERR_AUTO", "FLUX_APER(2)",
    "FLUXERR_APER(2)", "FLUX_RADIUS", "SNR_WIN", "ELONGATION", "FLAGS", "X2_IMAGE",
    "VIGNET(25,21)",
  ]

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.write("none", [])
    _ = try folder.write("list", Array(Self.columns.joined(separator: "\n").utf8))
    let cards = [
      ("CTYPE1", "'RA---TAN'"), ("CTYPE2", "'DEC--TAN'"), ("CRPIX1", "210.0"), ("CRPIX2", "200.0"),
      ("CRVAL1", "150.0"), ("CRVAL2", "-2.5"), ("CD1_1", "-0.0001"), ("CD1_2", "0.0"),
      ("CD2_1", "0.0"), ("CD2_2", "0.0001"), ("EQUINOX", "2000.0"),
    ]
    let unit = FITSUnit(
      bitpix: -32, axes: [Self.width, Self.height], cards, data: bigEndian(Self.pixels))
    _ = try folder.write("stars.fits", unit.bytes)
  }

  private static let (width, height) = (420, 400)

  /// A star every 30 pixels, each at another place of its pixel, and noise.
  private static var pixels: [Float] {
    var state: UInt64 = 5
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 24)
    }
    var pixels = (0..<width * height).map { _ in
      100 + 3 * ((0..<12).reduce(-6) { sum, _ in sum + random() })
    }
    for row in stride(from: 20, to: height - 15, by: 30) {
      for column in stride(from: 20, to: width - 15, by: 30) {
        let (x, y) = (Double(column) + random(), Double(row) + random())
        let peak = 130 * (1 + 9 * random())
        for row in row - 10...row + 10 {
          for column in column - 10...column + 10 {
            let (dx, dy) = (Double(column) - x, Double(row) - y)
            pixels[row * width + column] += peak * exp(-(dx * dx + dy * dy) / 5.12)
          }
        }
      }
    }
    return pixels.map { Float($0) }
  }

  /// SExtractor's catalogue, with further settings.
  func catalog(_ format: SExtractorFormat, _ settings: String = "") throws -> [UInt8] {
    let status = try Programs.run(
      "source-extractor",
      "stars.fits -c none -PARAMETERS_NAME list -FILTER N -PHOT_APERTURES 5,8 -CATALOG_NAME out "
        + "-VERBOSE_TYPE QUIET -CATALOG_TYPE \(format.rawValue) \(settings)",
      in: folder)
    #expect(status == 0)
    return Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("out"))))
  }

  /// What SExtractor's LDAC has.
  func read(_ units: [ReadUnit]) -> PrintedCatalog {
    var extraction = ExtractionHeader()
    let noise = ReadUnit.values(of: units[1].storedCards).first { $0.keyword == "SEXBKDEV" }
    extraction.noise = noise.flatMap { Double($0.value) } ?? 0
    let cards = units[1].storedCards.prefix { !$0.hasPrefix("FITSFILE") }
    return PrintedCatalog(
      units[2].table, imageHeader: cards.joined(), extraction: extraction)
  }
}
