import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

@Suite("Cleaning across sectors")
struct CleaningSeamTests {
  /// The test covers components that are too large to be deblended, and only small ones.
  @Test(
    "A cleaned catalogue does not depend on the cut",
    arguments: [8, 2048])
  func cut(maximumExtent: Int) async throws {
    let folder = try TemporaryFolder()
    let image = try await folder.sky(width: 700, height: 500, starCount: 300)
    func job(side: Int, halo: Int, backwards: Bool = false) async throws -> ImageJob {
      var settings = SourceScan.Settings(
        grid: try SectorGrid(width: image.width, height: image.height, side: side, halo: halo),
        coding: image.coding)
      // The low threshold finds much noise.
      settings.threshold = 0.8
      settings.minimumArea = 3
      settings.maximumExtent = maximumExtent
      settings.cleaning = 1
      var job = try ImageJob(image: image, settings: settings)
      try await scanAll(&job, backwards: backwards)
      return job
    }
    let whole = try await job(side: 1024, halo: 200)
    let table = try await whole.table(Column.allCases)
    #expect(table.rowCount < whole.catalog.sources.count)
    for (side, halo) in [(64, 2), (192, 64)] {
      let cut = try await job(side: side, halo: halo, backwards: true)
      #expect(try await cut.table(Column.allCases).csv == table.csv)
    }
  }

  /// Unsmoothed noise has sources of a few pixels that are parted, one of which the wings of a source elsewhere
  /// account for. If another source near it is dropped, the rest is measured again, without the first one too.
  @Test("A component's own dropped sources are not measured again", arguments: [3.0, 5])
  func ownDropped(aperture: Double) async throws {
    let folder = try TemporaryFolder()
    let image = try await folder.sky(width: 700, height: 500, starCount: 300)
    var catalogs: [String] = []
    for side in [128, 1024] {
      var settings = SourceScan.Settings(
        grid: try SectorGrid(width: image.width, height: image.height, side: side),
        coding: image.coding)
      (settings.threshold, settings.minimumArea, settings.kernel) = (0.8, 3, .none)
      (settings.apertures, settings.cleaning) = ([aperture], 1)
      var job = try ImageJob(image: image, settings: settings)
      // Refuses findings of more sources than those that were to be measured again.
      try await scanAll(&job)
      catalogs.append(try await job.table().csv)
    }
    #expect(catalogs[0] == catalogs[1])
  }
}
