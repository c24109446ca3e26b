import Foundation
import SkyDetection
import SkyFITS
import SkyFiles
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyScan

@Suite("Sectors whose pixels are packed")
struct PackedSectorTests {
  private let folder: TemporaryFolder
  private let node = SectorRecipient(incarnation: Incarnation(), name: "n", isLocal: false)

  init() async throws {
    folder = try TemporaryFolder()
    try await SyntheticSky(width: 500, height: 400, starCount: 80, seed: 5)
      .write(to: folder.path + "/sky.fits")
  }

  /// A job whose system reads no files.
  private func job() async throws -> ImageJob {
    let image = try await FITSImage.open(folder.path + "/sky.fits")
    let grid = try SectorGrid(width: image.width, height: image.height, side: 256)
    var job = try ImageJob(
      image: image, settings: SourceScan.Settings(grid: grid, coding: image.coding))
    let references = FileReferences(proofs: AccountProofs(environment: [:]))
    references.refused(.noAccess, image.path, by: node)
    job.references = references
    return job
  }

  /// Sectors for a system whose first one took a second on its way.
  private func sectorAfterSlowOne(_ job: ImageJob) async throws -> SourceScan.Sector {
    let first = try await job.sector(for: TaskID(sector: 1), on: node)
    #expect(first.cacheUse?.patch?.packing == nil, "nothing is known of its way")
    job.delivered(TaskID(sector: 1), to: node, in: 1)
    return try await job.sector(for: TaskID(sector: 0), on: node)
  }

  @Test("On a slow way sectors are packed, and give what plain ones give")
  func packed() async throws {
    let job = try await job()
    let sector = try await sectorAfterSlowOne(job)
    let patch = try #require(sector.cacheUse?.patch)
    #expect(patch.packing == .rice)
    #expect(patch.byteCount < patch.pixelCount * 2 * 3 / 4)
    let plain = try await job.sector(for: TaskID(sector: 0))
    let scan = SourceScan(data: nil)
    #expect(
      try await scan.run(sector, settings: job.settings)
        == scan.run(plain, settings: job.settings))
  }

  @Test("Packed pixels that are not those of their rectangle are refused")
  func hostile() async throws {
    let job = try await job()
    let good = try await sectorAfterSlowOne(job)
    func fails(_ change: (inout ImagePatch) -> Void) async throws -> Bool {
      var bad = good
      var use = try #require(bad.cacheUse)
      var patch = try #require(use.patch)
      change(&patch)
      use.patch = patch
      bad.cacheUse = use
      do {
        _ = try await SourceScan(data: nil).run(bad, settings: job.settings)
        return false
      } catch is InvalidScan {
        return true
      }
    }
    #expect(try await !fails { _ in })
    #expect(try await fails { $0.pixels.bytes.removeLast() })
    #expect(try await fails { $0.pixels.bytes.append(0) })
    #expect(try await fails { $0.rectangle.width += 1 })
    #expect(try await fails { $0.rectangle.height = .max })
    #expect(try await fails { $0.rectangle.x = .min })
    #expect(try await fails { $0.packing = nil })
  }
}
