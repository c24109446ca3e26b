import Foundation
import Testing

@testable import SkyScan

/// Real images, which are not part of the repository: where the environment does not name their
/// folder, these tests are skipped.
private let folder = ProcessInfo.processInfo.environment["SKYNET_TEST_DATA"]
  .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }

@Suite(
  .enabled(
    if: folder != nil,
    "set SKYNET_TEST_DATA to a folder with SDSS frames, ntt-galaxies.fits and M6707HH.fits"))
struct RealImageTests {
  /// The number is what SExtractor's algorithm finds; of its sources, one in a hundred may differ.
  @Test(arguments: [
    ("sdss-004192-g4-0300.fit", 2048, 1489, 437), ("sdss-004192-r4-0300.fit", 2048, 1489, 609),
    ("sdss-004192-i4-0300.fit", 2048, 1489, 639), ("ntt-galaxies.fits", 1024, 1024, 982),
    ("M6707HH.fits", 1059, 1059, 2575),
  ])
  func itsSourcesAreFound(name: String, width: Int, height: Int, reference: Int) async throws {
    let image = try await FITSImage.open(try #require(folder) + "/" + name)
    #expect(image.width == width && image.height == height)
    var job = try ImageJob(image: image, sectorSide: 2048)
    try await scanAll(&job)
    let sources = job.catalog.sources
    #expect(abs(sources.count - reference) * 100 <= reference)
    // More cuts, with a release build: deploy/invariance.
    var cut = try ImageJob(image: image, sectorSide: 256)
    try await scanAll(&cut)
    let table = try await job.table()
    #expect(try await cut.table().csv == table.csv)
    #expect(
      sources.allSatisfy {
        $0.x >= 1 && $0.x <= Double(width) && $0.y >= 1 && $0.y <= Double(height)
      })
  }
}
