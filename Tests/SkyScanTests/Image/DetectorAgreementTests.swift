import SkyCatalog
import SkyTestSupport
import Testing

@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// The library's detector and a scan in sectors find the same sources.
@Suite("The detector and a scan in sectors")
struct DetectorAgreementTests {
  @Test(
    "The detector finds the sources of a scan in sectors",
    arguments: [nil, 1] as [Double?], [12, 2048])
  func sameSources(cleaning: Double?, maximumExtent: Int) async throws {
    let folder = try TemporaryFolder()
    let image = try await folder.sky(width: 400, height: 300, starCount: 150)
    var settings = SourceScan.Settings(
      grid: try SectorGrid(width: 400, height: 300, side: 64), coding: image.coding)
    // The low threshold finds much noise.
    settings.threshold = 0.8
    settings.minimumArea = 3
    settings.saturation = 3000
    settings.kron = DetectionSettings.Kron()
    settings.apertures = [5, 9]
    settings.cleaning = cleaning
    settings.maximumExtent = maximumExtent
    var job = try ImageJob(image: image, settings: settings)
    try await scanAll(&job)
    let rows = try await job.table().sources
    #expect(rows.count > 100)
    #expect((rows.count < job.catalog.sources.count) == (cleaning != nil))

    let detector = SourceDetector(settings.detection)
    let pixels = try await image.values(in: PixelRectangle(x: 0, y: 0, width: 400, height: 300))
    #expect(try detector.sources(in: pixels, width: 400, height: 300) == rows)
    let background = try detector.background(of: pixels, width: 400, height: 300)
    #expect(
      try detector.sources(in: pixels, width: 400, height: 300, over: background) == rows)
  }
}
