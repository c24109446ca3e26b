import Foundation
import SkyNetCore
import SkyTestSupport
import TestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// Catalogues with all columns stay the same to the byte. A change that affects a value must change
/// a digest here on purpose, together with the version of the kind of scan. New columns have digests of
/// their own, which show that a new column changes no other one.
@Suite("Digests of catalogues", .ownThreads)
struct CatalogDigestTests {
  /// The columns that came after the first digests.
  private static let newColumns: [Column] = [.elongation]

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
        new: ["2a2ef73fca1193db", "a7f59e9548735ec5"]),
      Sky(
        side: 256, stars: 140, seed: 2, digests: ["4efd2719d897487b", "67c0cd81d9cbd39b"],
        new: ["13a8c8df289034a3", "99cd7882d2256813"]),
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
        ["3f9bf857792fea91", "158c423b69f56e3a"]
      ),
      (
        "ntt-galaxies.fits", ["32ea50c1f4753e9a", "63c8c6267577d7b6"],
        ["5e55e74abe1d1362", "2fbfa2addfe5a4ca"]
      ),
      (
        "sdss-004192-g4-0300.fit", ["b5b43f4b16bc1262", "46597ad48d6f01e7"],
        ["c76abf260b886586", "6b285487c071f236"]
      ),
      (
        "sdss-004192-i4-0300.fit", ["74897fec812c1441", "82cbd7d40187633b"],
        ["2429d499f684b0a2", "aa44387e012243f4"]
      ),
      (
        "sdss-004192-r4-0300.fit", ["9beb5e177cda04b6", "c71a90d87bad66d1"],
        ["2b66d9d9644f943f", "e1327a28aba0b249"]
      ),
    ])
  func realImage(name: String, digests: [String], new: [String]) async throws {
    let folder = try #require(realImages)
    try await check(folder + "/" + name, digests, new, threshold: 1.5, cut: 256)
  }

  /// Scans the image whole without cleaning, and cut with it: `SeamTests` show that a cut changes nothing, and
  /// `Benchmarks/run invariance` tries more cuts with a release build.
  private func check(
    _ path: String, _ digests: [String], _ new: [String], threshold: Double, cut: Int
  ) async throws {
    let scans: [(cleaning: Double?, side: Int)] = [(nil, 2048), (1, cut)]
    for ((cleaning, side), expected) in zip(scans, zip(digests, new)) {
      let found = try await self.digests(of: path, cleaning, threshold, side: side)
      #expect(found == expected, "\(path), cleaning \(cleaning ?? 0)")
    }
  }

  /// The digests of the catalogue with the columns that were there first, and with the new ones.
  private func digests(
    of path: String, _ cleaning: Double?, _ threshold: Double, side: Int
  ) async throws -> (first: String, new: String) {
    let image = try await FITSImage.open(path)
    let grid = try SectorGrid(width: image.width, height: image.height, side: side)
    var settings = SourceScan.Settings(grid: grid, coding: image.coding)
    settings.cleaning = cleaning
    settings.threshold = threshold
    settings.saturation = 30000
    settings.gain = 2
    settings.detection.measure(Column.allCases)
    var job = try ImageJob(image: image, settings: settings)
    try await scanAll(&job)
    let first = Column.allCases.filter { !Self.newColumns.contains($0) }
    return (
      Self.digest(of: try await job.table(first).csv),
      Self.digest(of: try await job.table(Self.newColumns).csv)
    )
  }

  private static func digest(of text: String) -> String {
    var hash = ContentsHash()
    hash.add(text.utf8)
    return hash.text
  }
}
