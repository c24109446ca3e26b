import Foundation
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

@Suite("Batch scans")
struct BatchScanTests {
  private func scan(
    _ image: FITSImage, side: Int = 128, threshold: Double = 1.5
  ) throws -> BatchScan {
    let grid = try SectorGrid(width: image.width, height: image.height, side: side, halo: 4)
    var settings = SourceScan.Settings(grid: grid, coding: image.coding)
    settings.threshold = threshold
    return try BatchScan(image: image, settings: settings)
  }

  private func sky(_ folder: TemporaryFolder) async throws -> FITSImage {
    try await folder.sky(width: 300, height: 200, starCount: 40)
  }

  /// The document that another process reads after one has written this document.
  private func passed<Document: Codable>(_ document: Document) throws -> Document {
    try JSONDecoder().decode(Document.self, from: try JSONEncoder().encode(document))
  }

  private func backgrounds(_ scan: BatchScan) async throws -> [String: SectorDocument] {
    var sectors: [String: SectorDocument] = [:]
    for number in 0..<scan.sectorCount {
      sectors["\(number).json"] = try passed(try await scan.background(ofSector: number))
    }
    return sectors
  }

  private let names = (0..<6).map { "\($0).json" }

  @Test("A batch's catalogue is that of a job")
  func catalogue() async throws {
    let image = try await sky(try TemporaryFolder())
    let scan = try scan(image)
    let skies = try await backgrounds(scan)
    let background = try passed(
      scan.background(from: names.reversed()) { try #require(skies[$0]) })
    var sectors: [String: SectorDocument] = [:]
    for number in 0..<scan.sectorCount {
      let document = try await scan.sources(ofSector: number, over: background)
      sectors["\(number).json"] = try passed(document)
    }
    let found = sectors
    let catalog = try await scan.catalog(from: names, over: background) { try #require(found[$0]) }
      .table().csv
    var job = try ImageJob(image: image, sectorSide: 512)
    try await scanAll(&job)
    #expect(try await job.table().csv == catalog)
    #expect(catalog.split(separator: "\n").count > 35)
  }

  @Test("Documents that do not belong together are refused")
  func refused() async throws {
    let image = try await sky(try TemporaryFolder())
    let scan = try scan(image)
    let sectors = try await backgrounds(scan)
    let read = { (name: String) in try #require(sectors[name]) }
    let background = try scan.background(from: names, read)
    func refusal(_ scan: BatchScan, _ names: [String]) -> String {
      #expect(throws: InvalidScan.self) { try scan.background(from: names, read) }
        .map { "\($0)" } ?? ""
    }
    #expect(refusal(scan, Array(names.dropLast(2))).contains("2 of 6 sectors are missing: 4, 5"))
    #expect(refusal(scan, names + [names[0]]).contains("both of sector 0"))
    let others = try self.scan(image, side: 64)
    #expect(refusal(others, names).contains("another image or other settings"))
    await #expect(throws: InvalidScan.self) {
      _ = try await self.scan(image, threshold: 2).sources(ofSector: 0, over: background)
    }
    await #expect(throws: InvalidScan.self) { _ = try await scan.background(ofSector: 6) }
    await #expect(throws: InvalidScan.self) {
      _ = try await scan.catalog(from: names, over: background, read)
    }
  }
}
