import Foundation
import SkyScan
import Testing

/// Each supported keyword of SExtractor's configuration changes the catalogue, exactly as the
/// option with the same meaning does, if there is one.
@Suite("SExtractor's keywords", .timeLimit(.minutes(20)))
struct KeywordTests {
  /// A configuration, the columns of the catalogue that it changes, and the options with the same
  /// meaning.
  struct Effect: Sendable, CustomTestStringConvertible {
    var settings: String
    var columns: [String]
    var options: [String]?

    var testDescription: String { settings }
  }

  private static let all = ["X_IMAGE", "FLUX_ISO", "FLUX_APER", "FLUX_AUTO"]
  private static let effects = [
    Effect(
      settings: "DETECT_THRESH 4\nANALYSIS_THRESH 4", columns: all, options: ["--threshold", "4"]),
    Effect(settings: "DETECT_MINAREA 40", columns: all, options: ["--min-area", "40"]),
    Effect(settings: "DEBLEND_NTHRESH 1", columns: all, options: ["--deblend-levels", "1"]),
    Effect(settings: "DEBLEND_MINCONT 1", columns: all, options: ["--deblend-contrast", "1"]),
    Effect(settings: "CLEAN Y", columns: ["NUMBER"], options: ["--clean"]),
    Effect(settings: "CLEAN Y\nCLEAN_PARAM 0.5", columns: ["NUMBER"]),
    Effect(settings: "FILTER N", columns: all),
    Effect(settings: "FILTER_NAME KERNEL", columns: all, options: ["--kernel", "KERNEL"]),
    Effect(settings: "BACK_SIZE 32", columns: ["FLUX_ISO"], options: ["--mesh", "32"]),
    Effect(
      settings: "PHOT_APERTURES 9", columns: ["FLUX_APER"], options: ["--apertures", "9"]),
    Effect(settings: "PHOT_AUTOPARAMS 2,3", columns: ["FLUX_AUTO", "KRON_RADIUS"]),
    Effect(settings: "SATUR_LEVEL 1500", columns: ["FLAGS"], options: ["--saturation", "1500"]),
    Effect(settings: "SATUR_KEY SATURATE", columns: ["FLAGS"], options: ["--saturation", "2000"]),
    Effect(settings: "GAIN 3", columns: ["FLUXERR_ISO"], options: ["--gain", "3"]),
    Effect(settings: "GAIN 3\nGAIN_KEY EGAIN", columns: ["FLUXERR_ISO"], options: ["--gain", "2"]),
    Effect(
      settings: "WEIGHT_TYPE MAP_WEIGHT\nWEIGHT_IMAGE WEIGHTS", columns: ["FLUXERR_ISO"],
      options: ["--weight", "WEIGHTS"]),
  ]

  @Test("Each supported keyword has its effect on the catalogue", arguments: effects)
  func aKeywordHasItsEffect(effect: Effect) async throws {
    try await Stage.with { stage in
      let image = try await sky(stage)
      let usual = try await catalog(of: image, "", stage)
      let changed = try await catalog(of: image, try place(effect.settings, stage), stage)
      for column in effect.columns {
        #expect(usual[column] != changed[column], "\(column) is what it was")
      }
      if let options = effect.options {
        let asked = try options.map { try place($0, stage) }
        #expect(try await catalog(of: image, "", stage, options: asked) == changed)
      }
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
      .replacingOccurrences(of: "WEIGHTS", with: weights)
  }

  /// Makes a crowded image with more keywords in its header, and another image beside it that
  /// serves as a weight map.
  private func sky(_ stage: Stage) async throws -> String {
    let image = stage.file("sky.fits")
    try await SyntheticSky(width: 256, height: 256, starCount: 128).write(to: image)
    try await SyntheticSky(width: 256, height: 256, starCount: 9, seed: 5).write(
      to: stage.file("weights.fits"))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: image))
    for card in ["SATURATE=               2000.0", "EGAIN   =                  2.0"] {
      let place = try #require(bytes.firstRange(of: Data("COMMENT ".utf8)))
      let padded = card.padding(toLength: 80, withPad: " ", startingAt: 0)
      bytes.replaceSubrange(place.lowerBound..<place.lowerBound + 80, with: Data(padded.utf8))
    }
    try bytes.write(to: URL(fileURLWithPath: image))
    return image
  }

  private static let columns =
    "NUMBER,X_IMAGE,FLUX_ISO,FLUXERR_ISO,FLUX_APER,FLUX_AUTO,KRON_RADIUS,FLAGS"

  /// A threshold so low that noise beside a star is a source.
  private static let base = "DETECT_THRESH 0.8\nANALYSIS_THRESH 0.8\nDETECT_MINAREA 3\n"

  /// The catalogue's columns by name.
  private func catalog(
    of image: String, _ settings: String, _ stage: Stage, options: [String] = [],
    columns: Bool = true
  ) async throws -> [String: [Substring]] {
    let (config, csv) = (stage.file("a.sex"), stage.file("found.csv"))
    try Data((Self.base + settings).utf8).write(to: URL(fileURLWithPath: config))
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
