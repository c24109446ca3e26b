import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

@Suite("Real images", .enabled(if: realImages != nil, "\(realImagesNeeded)"))
struct RealImageTests {
  /// The reference is the number of sources that SExtractor's algorithm finds. One in a hundred may
  /// differ.
  @Test(
    "A real image has the number of sources that SExtractor finds",
    arguments: [
      ("sdss-004192-g4-0300.fit", 2048, 1489, 437), ("sdss-004192-r4-0300.fit", 2048, 1489, 609),
      ("sdss-004192-i4-0300.fit", 2048, 1489, 639), ("ntt-galaxies.fits", 1024, 1024, 982),
      ("M6707HH.fits", 1059, 1059, 2575),
    ])
  func sources(name: String, width: Int, height: Int, reference: Int) async throws {
    let image = try await FITSImage.open(try #require(realImages) + "/" + name)
    #expect(image.width == width && image.height == height)
    var job = try ImageJob(image: image, sectorSide: 2048)
    try await scanAll(&job)
    let sources = job.catalog.sources
    #expect(abs(sources.count - reference) * 100 <= reference)
    #expect(
      sources.allSatisfy {
        $0.x >= 1 && $0.x <= Double(width) && $0.y >= 1 && $0.y <= Double(height)
      })
  }
}
