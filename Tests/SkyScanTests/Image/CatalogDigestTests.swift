import Foundation
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyFiles
@testable import SkyScan

/// Catalogues with all columns stay the same to the byte. A change that affects a value must change
/// a digest here on purpose, together with the version of the kind of scan. New columns have digests of
/// their own, which show that a new column changes no other one.
@Suite("Digests of catalogues")
struct CatalogDigestTests {
  private static let firstColumns: [Column] = [
    .number, .x, .y, .rightAscension, .declination, .isophotalFlux, .isophotalFluxError,
    .apertureFlux, .kronFlux, .kronRadius, .peak, .isophotalArea, .area, .semiMajorAxis,
    .semiMinorAxis, .angle, .ellipticity, .xMin, .yMin, .xMax, .yMax, .flags,
  ]
  /// The columns that came after the first digests.
  private static let newColumns: [Column] = [.elongation, .xPeak, .yPeak]

  /// A synthetic sky, in which noise beside stars is detected too, with the digests of its
  /// catalogue without and with cleaning, and the same of the new columns.
  struct Sky: Sendable {
    var side: Int
    var stars: Int
    var seed: UInt64
    var digests: [String]
    var new: [String]
  }

  @Test(
    "A synthetic sky's catalogue stays the same to the byte",
    arguments: [
      Sky(
        side: 256, stars: 40, seed: 1, digests: ["b279d7502caf0365", "d531267a929c7892"],
        new: ["d5cc1aed4dec5e34", "7e759a1284e9e6bd"]),
      Sky(
        side: 256, stars: 140, seed: 2, digests: ["413253a47db69075", "754af39f1568fd56"],
        new: ["6b5434a382f79eab", "d2b68720e0f0a71a"]),
    ])
  func syntheticSky(_ sky: Sky) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sky.fits")
    let made = try SyntheticSky(
      width: sky.side, height: sky.side, starCount: sky.stars, seed: sky.seed)
    try await made.write(to: path)
    try await check(path, sky.digests, sky.new, threshold: 0.8, cut: 128)
  }

  @Test(
    "A real image's catalogue stays the same to the byte",
    .enabled(if: realImages != nil, "\(realImagesNeeded)"),
    arguments: [
      (
        "M6707HH.fits", ["e18904c0548a489a", "938a88b4385efc81"],
        ["6d738c7e4d9ab20a", "bf51089bb0be2d4f"]
      ),
      (
        "ntt-galaxies.fits", ["61d50a089bd415b9", "27dbcd290f9120ec"],
        ["a1da43216ea230cc", "8cede6542a162dd9"]
      ),
      (
        "sdss-004192-g4-0300.fit", ["330ffc261bea881a", "f8a651547e943913"],
        ["3f0a20e2ceaea23b", "004dbd2356ca3c71"]
      ),
      (
        "sdss-004192-i4-0300.fit", ["15801de22628a5a3", "978085515bd2dae4"],
        ["a3963efd48317e5c", "6eafe7fe4d38ae83"]
      ),
      (
        "sdss-004192-r4-0300.fit", ["37bb2a74c57ac7da", "329350681c39bde8"],
        ["a775d0ee0bc10233", "a3d192ba726a44f4"]
      ),
    ])
  func realImage(name: String, digests: [String], new: [String]) async throws {
    let folder = try #require(realImages)
    try await check(folder + "/" + name, digests, new, threshold: 1.5, cut: 256)
  }

  /// Scans the image whole and cut, without cleaning and with it. The cut image is scanned with the
  /// errors of fluxes and the thresholds, which change no other column.
  private func check(
    _ path: String, _ digests: [String], _ new: [String], threshold: Double, cut: Int
  ) async throws {
    for (cleaning, expected) in zip([nil, 1.0], zip(digests, new)) {
      for side in [2048, cut] {
        let found = try await self.digests(
          of: path, cleaning, threshold, side: side,
          measures: side == cut ? [.fluxErrors, .thresholds] : [])
        #expect(found == expected, "\(path), cleaning \(cleaning ?? 0), side \(side)")
      }
    }
  }

  /// The digests of the catalogue with the columns that were there first, and with the new ones.
  private func digests(
    of path: String, _ cleaning: Double?, _ threshold: Double, side: Int,
    measures: DetectionSettings.Measures
  ) async throws -> (first: String, new: String) {
    let image = try await FITSImage.open(path)
    let grid = try SectorGrid(width: image.width, height: image.height, side: side)
    var settings = SourceScan.Settings(grid: grid, coding: image.coding)
    settings.cleaning = cleaning
    settings.threshold = threshold
    settings.saturation = 30000
    settings.gain = 2
    settings.detection.measure(Self.firstColumns + Self.newColumns)
    settings.measures = measures
    var job = try ImageJob(image: image, settings: settings)
    try await scanAll(&job)
    return (
      Self.digest(of: try await job.table(Self.firstColumns).csv),
      Self.digest(of: try await job.table(Self.newColumns).csv)
    )
  }

  private static func digest(of text: String) -> String {
    var hash = ContentsHash()
    hash.add(text.utf8)
    return hash.text
  }
}
