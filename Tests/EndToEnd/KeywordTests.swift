import Foundation
import SkyScan
import Testing

/// What each supported keyword of SExtractor's configuration does: absent it means what SExtractor takes then, and
/// another value changes the catalogue, exactly as the option with the same meaning does, if there is one.
@Suite("SExtractor's keywords", .timeLimit(.ample))
struct KeywordTests {
  /// A keyword with SExtractor's default, another value, what that changes, and the options with the same meaning.
  struct Effect: Sendable, CustomTestStringConvertible {
    /// Settings that the keyword needs to have an effect.
    var beside = ""
    /// The default, as `source-extractor -dd` prints it.
    var usual: String
    var other: String
    var columns: [String]
    var options: [String]?

    var testDescription: String { other }
  }

  private static let all = ["X_IMAGE", "FLUX_ISO", "FLUX_APER", "FLUX_AUTO"]
  /// Thresholds that weights do not change.
  private static let counts = "THRESH_TYPE ABSOLUTE\nDETECT_THRESH 40\n"
  private static let weighted = "WEIGHT_TYPE MAP_WEIGHT\nWEIGHT_IMAGE MAP.fits\n"
  private static let effects = [
    Effect(
      usual: "DETECT_THRESH 1.5", other: "DETECT_THRESH 4", columns: all,
      options: ["--threshold", "4"]),
    Effect(usual: "ANALYSIS_THRESH 1.5", other: "ANALYSIS_THRESH 4", columns: ["ISOAREA_IMAGE"]),
    Effect(
      beside: "DETECT_THRESH 3\n", usual: "ANALYSIS_THRESH 1.5", other: "ANALYSIS_THRESH 3",
      columns: ["ISOAREA_IMAGE"]),
    Effect(
      beside: "DETECT_THRESH 40\n", usual: "THRESH_TYPE RELATIVE", other: "THRESH_TYPE ABSOLUTE",
      columns: all),
    Effect(
      beside: "DETECT_THRESH 24,26\n", usual: "PIXEL_SCALE 1.0", other: "PIXEL_SCALE 2",
      columns: ["FLUX_ISO"]),
    Effect(usual: "DETECT_MAXAREA 0", other: "DETECT_MAXAREA 40", columns: ["NUMBER"]),
    Effect(usual: "MASK_TYPE CORRECT", other: "MASK_TYPE BLANK", columns: ["FLUX_AUTO"]),
    Effect(beside: "MASK_TYPE BLANK\n", usual: "", other: "MASK_TYPE NONE", columns: ["FLUX_AUTO"]),
    Effect(
      usual: "PHOT_AUTOAPERS 0.0,0.0", other: "PHOT_AUTOAPERS 12,12",
      columns: ["FLUX_AUTO", "KRON_RADIUS"]),
    Effect(
      usual: "DETECT_MINAREA 5", other: "DETECT_MINAREA 40", columns: all,
      options: ["--min-area", "40"]),
    Effect(
      beside: noisy, usual: "DEBLEND_NTHRESH 32", other: "DEBLEND_NTHRESH 1", columns: all,
      options: ["--deblend-levels", "1"]),
    Effect(
      beside: noisy, usual: "DEBLEND_MINCONT 0.005", other: "DEBLEND_MINCONT 1", columns: all,
      options: ["--deblend-contrast", "1"]),
    Effect(beside: noisy, usual: "CLEAN Y", other: "CLEAN N", columns: ["NUMBER"]),
    Effect(beside: noisy, usual: "CLEAN_PARAM 1.0", other: "CLEAN_PARAM 0.5", columns: ["NUMBER"]),
    Effect(
      beside: noisy + "CLEAN N\nCLEAN_PARAM 0.5\n", usual: "CLEAN N", other: "CLEAN Y",
      columns: ["NUMBER"], options: ["--clean"]),
    Effect(usual: "FILTER Y", other: "FILTER N", columns: all),
    Effect(
      usual: "", other: "FILTER_NAME KERNEL", columns: all, options: ["--kernel", "KERNEL"]),
    Effect(
      usual: "BACK_SIZE 64", other: "BACK_SIZE 32", columns: ["FLUX_ISO"],
      options: ["--mesh", "32"]),
    Effect(usual: "BACK_SIZE 64,64", other: "BACK_SIZE 64,32", columns: ["FLUX_ISO"]),
    Effect(usual: "BACK_FILTERSIZE 3", other: "BACK_FILTERSIZE 1", columns: ["FLUX_ISO"]),
    Effect(
      usual: "BACK_FILTTHRESH 0.0", other: "BACK_FILTTHRESH 1000", columns: ["FLUX_ISO"]),
    Effect(
      beside: "BACK_VALUE 998\n", usual: "BACK_TYPE AUTO", other: "BACK_TYPE MANUAL",
      columns: ["FLUX_ISO"]),
    Effect(
      usual: "BACKPHOTO_TYPE GLOBAL", other: "BACKPHOTO_TYPE LOCAL", columns: ["FLUX_ISO"]),
    Effect(
      usual: "PHOT_APERTURES 5", other: "PHOT_APERTURES 9", columns: ["FLUX_APER"],
      options: ["--apertures", "9"]),
    Effect(
      usual: "PHOT_AUTOPARAMS 2.5, 3.5", other: "PHOT_AUTOPARAMS 2,3",
      columns: ["FLUX_AUTO", "KRON_RADIUS"]),
    Effect(
      beside: "SATUR_KEY NONE\n", usual: "SATUR_LEVEL 50000.0", other: "SATUR_LEVEL 1500",
      columns: ["FLAGS"], options: ["--saturation", "1500"]),
    Effect(
      usual: "SATUR_KEY SATURATE", other: "SATUR_KEY NONE", columns: ["FLAGS"],
      options: ["--saturation", "50000"]),
    Effect(
      beside: "GAIN_KEY NONE\n", usual: "GAIN 0.0", other: "GAIN 3", columns: ["FLUXERR_ISO"],
      options: ["--gain", "3"]),
    Effect(
      usual: "GAIN_KEY GAIN", other: "GAIN_KEY EGAIN", columns: ["FLUXERR_ISO"],
      options: ["--gain", "4"]),
    Effect(
      beside: "WEIGHT_IMAGE MAP.fits\n", usual: "WEIGHT_TYPE NONE", other: "WEIGHT_TYPE MAP_WEIGHT",
      columns: ["FLUXERR_ISO"], options: ["--weight", "MAP.fits"]),
    Effect(
      beside: counts + "WEIGHT_IMAGE MAP.fits\n", usual: "", other: "WEIGHT_TYPE MAP_RMS",
      columns: ["FLUXERR_ISO"]),
    Effect(
      beside: counts + "WEIGHT_IMAGE MAP.fits\nWEIGHT_TYPE MAP_RMS\n", usual: "",
      other: "WEIGHT_TYPE MAP_VAR", columns: ["FLUXERR_ISO"]),
    Effect(usual: "WEIGHT_TYPE NONE", other: "WEIGHT_TYPE BACKGROUND", columns: ["FLUXERR_ISO"]),
    Effect(
      beside: counts + weighted, usual: "RESCALE_WEIGHTS Y", other: "RESCALE_WEIGHTS N",
      columns: ["FLUXERR_ISO"]),
    Effect(
      beside: weighted, usual: "WEIGHT_THRESH 0.0", other: "WEIGHT_THRESH 1", columns: ["FLUX_APER"]
    ),
    Effect(
      beside: weighted, usual: "WEIGHT_GAIN Y", other: "WEIGHT_GAIN N", columns: ["FLUXERR_ISO"]),
    Effect(beside: weighted, usual: "INTERP_TYPE ALL", other: "INTERP_TYPE NONE", columns: all),
  ]

  @Test("Each supported keyword has its default, and another value its effect", arguments: effects)
  func aKeywordHasItsEffect(effect: Effect) async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let beside = try place(effect.beside, stage)
      let absent = try await catalog(of: image, beside, stage)
      #expect(try await catalog(of: image, beside + effect.usual, stage) == absent)
      let changed = try await catalog(of: image, beside + place(effect.other, stage), stage)
      for column in effect.columns {
        #expect(absent[column] != changed[column], "\(column) is what it was")
      }
      if let options = effect.options {
        let asked = try options.map { try place($0, stage) }
        #expect(try await catalog(of: image, beside, stage, options: asked) == changed)
      }
    }
  }

  @Test("The kernel and the list of columns that SExtractor reads without being told to are read")
  func usualFilesAreRead() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let usual = try await catalog(of: image, "", stage, columns: false)
      try Data("FLAGS\nFLUX_ISO\n".utf8).write(
        to: URL(fileURLWithPath: stage.file("default.param")))
      let listed = try await catalog(of: image, "", stage, columns: false)
      #expect(listed.keys.sorted() == ["FLAGS", "FLUX_ISO"])
      #expect(listed["FLUX_ISO"] == usual["FLUX_ISO"])
      try Data("CONV NORM\n1 1 1\n1 1 1\n1 1 1\n".utf8).write(
        to: URL(fileURLWithPath: stage.file("default.conv")))
      #expect(try await catalog(of: image, "", stage)["FLUX_ISO"] != usual["FLUX_ISO"])
    }
  }

  @Test("A night scans its images anew once there is such a kernel")
  func usualFilesCome() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let config = stage.file("a.sex")
      try Data("CLEAN N\n".utf8).write(to: URL(fileURLWithPath: config))
      func news() async throws -> [String] {
        let story = try await stage.skynet([
          "engage", "--no-discovery", "--image", image, "--config", config, "--catalog",
          stage.file("{name}.csv"), "--journal", stage.file("night.sqlite"),
        ]).end()
        #expect(story.status == 0, "\(story.errors)")
        return story.errors.filter { $0.contains("it is scanned anew") }
      }
      #expect(try await news().isEmpty)
      #expect(try await news().isEmpty)
      try Data("CONV NORM\n1 1 1\n1 1 1\n1 1 1\n".utf8).write(
        to: URL(fileURLWithPath: stage.file("default.conv")))
      let lines = try await news()
      #expect(lines.count == 1 && lines[0].contains("default.conv, which has changed"), "\(lines)")
      #expect(try await news().isEmpty)
    }
  }

  @Test("A parameter file chooses the columns")
  func aListOfColumnsIsRead() async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let list = stage.file("some.param")
      try Data("FLAGS\nX_IMAGE\n".utf8).write(to: URL(fileURLWithPath: list))
      let found = try await catalog(of: image, "PARAMETERS_NAME \(list)", stage, columns: false)
      #expect(found.keys.sorted() == ["FLAGS", "X_IMAGE"])
    }
  }

  /// Replaces names by paths.
  private func place(_ text: String, _ stage: Stage) throws -> String {
    let (kernel, weights) = (stage.file("wide.conv"), stage.file("weights.fits"))
    try Data("CONV NORM\n1 1 1\n1 1 1\n1 1 1\n".utf8).write(to: URL(fileURLWithPath: kernel))
    return text.replacingOccurrences(of: "KERNEL", with: kernel)
      .replacingOccurrences(of: "MAP.fits", with: weights)
  }

  /// Makes a crowded image with more keywords in its header, and another image beside it that
  /// serves as a weight map.
  private func sky(_ stage: Stage) async throws -> String {
    let image = stage.file("sky.fits")
    try await SyntheticSky(width: 256, height: 256, starCount: 128).write(to: image)
    let weights = stage.file("weights.fits")
    try await SyntheticSky(width: 256, height: 256, starCount: 9, seed: 5).write(to: weights)
    try maskColumns(of: weights)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: image))
    // Cards that the scan can do without make way.
    for (former, card) in [
      ("COMMENT ", "SATURATE=               2000.0"),
      ("COMMENT ", "EGAIN   =                  4.0"),
      ("BSCALE  ", "GAIN    =                  2.0"),
    ] {
      let place = try #require(bytes.firstRange(of: Data(former.utf8)))
      let padded = card.padding(toLength: 80, withPad: " ", startingAt: 0)
      bytes.replaceSubrange(place.lowerBound..<place.lowerBound + 80, with: Data(padded.utf8))
    }
    try bytes.write(to: URL(fileURLWithPath: image))
    return image
  }

  /// Gives every 20th column of an image of 256 × 256 pixels the value 0.
  private func maskColumns(of path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let first = bytes.count - 2 * 256 * 256 - (2880 - 2 * 256 * 256 % 2880) % 2880
    for pixel in 0..<256 * 256 where pixel % 256 % 20 == 7 {
      // The file has values minus 32768.
      (bytes[first + 2 * pixel], bytes[first + 2 * pixel + 1]) = (0x80, 0)
    }
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  private static let columns =
    "NUMBER,X_IMAGE,FLUX_ISO,FLUXERR_ISO,FLUX_APER,FLUX_AUTO,KRON_RADIUS,ISOAREA_IMAGE,FLAGS"

  /// A threshold so low that noise beside a star is a source.
  private static let noisy = "DETECT_THRESH 0.8\nDETECT_MINAREA 3\n"

  /// The catalogue's columns by name.
  private func catalog(
    of image: String, _ settings: String, _ stage: Stage, options: [String] = [],
    columns: Bool = true
  ) async throws -> [String: [Substring]] {
    let (config, csv) = (stage.file("a.sex"), stage.file("found.csv"))
    try Data(settings.utf8).write(to: URL(fileURLWithPath: config))
    let story = try await stage.skynet(
      ["engage", "--no-discovery", "--image", image, "--config", config, "--catalog", csv]
        + options + (columns ? ["--columns", Self.columns] : [])
    ).end()
    #expect(story.status == 0, "\(story.errors)")
    let lines = try String(contentsOfFile: csv, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: ",") }
    let names = try #require(lines.first)
    return Dictionary(
      uniqueKeysWithValues: names.enumerated().map { index, name in
        (String(name), lines.dropFirst().map { $0[index] })
      })
  }
}
