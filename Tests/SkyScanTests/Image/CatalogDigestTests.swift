import Foundation
import SkyNetCore
import SkyTestSupport
import TestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyFiles
@testable import SkyScan

/// Catalogues with all columns stay the same to the byte. A change that affects a value must change
/// a digest here on purpose, together with the version of the kind of scan. New columns have digests of
/// their own, which show that a new column changes no other one.
@Suite("Digests of catalogues", .ownThreads)
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
        side: 256, stars: 40, seed: 1, digests: ["09ca50cb64519832", "2b63b7715061f145"],
        new: ["39119bd32b2f5d98", "c94693e357fe8775"]),
      Sky(
        side: 256, stars: 140, seed: 2, digests: ["4efd2719d897487b", "67c0cd81d9cbd39b"],
        new: ["ce1f98fe0f3ca13f", "9b1d843ece4b7a1f"]),
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
        "M6707HH.fits", ["884b962dd64ba677", "697541ab7396be15"],
        ["addd1d91b0363558", "0a4a9e10fed85f69"]
      ),
      (
        "ntt-galaxies.fits", ["32ea50c1f4753e9a", "63c8c6267577d7b6"],
        ["7a5f5c028d448153", "e4e24995f517e9da"]
      ),
      (
        "sdss-004192-g4-0300.fit", ["b5b43f4b16bc1262", "46597ad48d6f01e7"],
        ["0186c8dd3fdbd036", "ecb1fae23d19f83d"]
      ),
      (
        "sdss-004192-i4-0300.fit", ["74897fec812c1441", "82cbd7d40187633b"],
        ["ed21322ac68665f6", "ec66898472d052a1"]
      ),
      (
        "sdss-004192-r4-0300.fit", ["9beb5e177cda04b6", "c71a90d87bad66d1"],
        ["29b5ecd8cdbab337", "306d227c2dbfc952"]
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
