import Foundation
import SkyDetection
import SkyFITS
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
    let references = FileReferences(makeToken: { nil })
    references.refused(.noAccess, image.path, by: node)
    job.references = references
    return job
  }

  @Test("Packed sectors are smaller, and give what plain ones give")
  func packed() async throws {
    let job = try await job()
    let scan = SourceScan(data: nil)
    var sizes: [Int] = []
    for round in 0..<2 * PackingChoice.trials {
      let task = TaskID(sector: round % 2)
      let sector = try await job.sector(for: task, on: node)
      let patch = try #require(sector.cacheUse?.patch)
      #expect((patch.packing == .rice) == (round >= PackingChoice.trials))
      sizes.append(patch.byteCount)
      let plain = try await job.sector(for: task)
      #expect(
        try await scan.run(sector, settings: job.settings)
          == scan.run(plain, settings: job.settings))
      job.delivered(task, to: node, in: 0.001 * Double(patch.byteCount))
    }
    #expect(sizes.last.map { $0 < sizes[0] * 3 / 4 } == true, "\(sizes)")
    let sector = try await job.sector(for: TaskID(sector: 3), on: node)
    #expect(sector.cacheUse?.patch?.packing == .rice, "they were on their way for less time")
  }

  @Test("Packed pixels that are not those of their rectangle are refused")
  func hostile() async throws {
    let job = try await job()
    var sector: SourceScan.Sector?
    for _ in 0..<2 * PackingChoice.trials {
      sector = try await job.sector(for: TaskID(sector: 0), on: node)
    }
    let good = try #require(sector)
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
