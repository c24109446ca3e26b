import Foundation
import SkyNetCore
import Testing

@testable import SkyScan

@Suite struct SourceScanTests {
  let scan = SourceScan()
  let settings = SourceSettings()

  /// Noise about 100 with deviation 1, and one star with its centre at column 20, row 30 from 0.
  private func starField(width: Int = 64, height: Int = 64) -> [Float] {
    var random = SplitMix64(seed: 3)
    return (0..<width * height).map { index in
      let (dx, dy) = (Double(index % width - 20), Double(index / width - 30))
      return Float(100 + random.nextNormal() + 500 * exp(-(dx * dx + dy * dy) / 4))
    }
  }

  @Test func aStarIsFoundWhereItIs() async throws {
    let sector = floatSector(x: 256, y: 512, width: 64, height: 64, starField())
    let sources = try await scan.run(sector, settings: settings)
    let star = try #require(sources.max { $0.flux < $1.flux })
    #expect(abs(star.x - 277) < 0.05 && abs(star.y - 543) < 0.05)
    #expect(abs(star.flux - 500 * 4 * .pi) < 100)
    #expect(abs(star.peak - 500) < 5)
    #expect(star.ellipse.ellipticity < 0.1)
    #expect(star.xMin < 277 && star.xMax > 277 && star.yMin < 543 && star.yMax > 543)
  }

  @Test func theSameSectorGivesTheSameBytes() async throws {
    let sector = floatSector(width: 64, height: 64, starField())
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let one = try encoder.encode(try await scan.run(sector, settings: settings))
    let other = try encoder.encode(try await scan.run(sector, settings: settings))
    #expect(one == other)
    let decoded = try JSONDecoder().decode([Source].self, from: one)
    #expect(try await scan.run(sector, settings: settings) == decoded)
  }

  @Test func whatIsSmallerThanTheMinimumAreaIsDropped() async throws {
    let sector = floatSector(width: 64, height: 64, starField())
    let all = try await scan.run(sector, settings: SourceSettings(threshold: 0.5, minimumArea: 1))
    let large = try await scan.run(
      sector, settings: SourceSettings(threshold: 0.5, minimumArea: 10))
    #expect(large == all.filter { $0.area >= 10 })
    #expect(large.count < all.count)
  }

  @Test func aSectorWithoutValuesHasNoSources() async throws {
    let blank = floatSector(width: 64, height: 64, [Float](repeating: .nan, count: 4096))
    #expect(try await scan.run(blank, settings: settings).isEmpty)
    let constant = floatSector(width: 64, height: 64, [Float](repeating: 0.3, count: 4096))
    #expect(try await scan.run(constant, settings: settings).isEmpty)
  }

  @Test func valuesNearTheLargestDoNoHarm() async throws {
    let values = (0..<4096).map { Float($0 % 7 == 0 ? 1e38 : $0 % 5 == 0 ? 9e29 : -9e29) }
    let sector = floatSector(width: 64, height: 64, values)
    let sources = try await scan.run(sector, settings: settings)
    #expect(try !JSONEncoder().encode(sources).isEmpty)
  }

  @Test func aCancelledScanEnds() async {
    let sector = floatSector(width: 64, height: 64, starField())
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await scan.run(sector, settings: settings)
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test(arguments: [(0, 64), (64, -1), (64, 65), (4097, 1), (Int.max, Int.max)])
  func aSizeThatDoesNotFitItsBytesIsRefused(width: Int, height: Int) async {
    var sector = floatSector(width: 64, height: 64, starField())
    sector.width = width
    sector.height = height
    let wrong = sector
    await #expect(throws: InvalidScan.self) {
      _ = try await scan.run(wrong, settings: settings)
    }
  }

  @Test(arguments: [-1, Int.max])
  func aPlaceOutsideEveryImageIsRefused(x: Int) async {
    var sector = floatSector(width: 64, height: 64, starField())
    sector.x = x
    let wrong = sector
    await #expect(throws: InvalidScan.self) {
      _ = try await scan.run(wrong, settings: settings)
    }
  }

  @Test(arguments: [
    SourceSettings(threshold: 0), SourceSettings(threshold: .nan),
    SourceSettings(threshold: .infinity), SourceSettings(minimumArea: 0),
  ])
  func settingsOutOfRangeAreRefused(_ settings: SourceSettings) async {
    let sector = floatSector(width: 64, height: 64, starField())
    await #expect(throws: InvalidScan.self) {
      _ = try await scan.run(sector, settings: settings)
    }
  }

  @Test func pixelsTravelBesideTheJSON() throws {
    let sector = floatSector(number: 5, x: 64, width: 64, height: 64, starField())
    let writer = BulkWriter()
    let encoder = JSONEncoder()
    encoder.userInfo[.bulkWriter] = writer
    let json = try encoder.encode(sector)
    #expect(writer.bytes == sector.pixels.bytes)
    #expect(json.count < 300)
    let decoder = JSONDecoder()
    decoder.userInfo[.bulkReader] = BulkReader(writer.bytes)
    #expect(try decoder.decode(SourceSector.self, from: json) == sector)
    // And within it, for whoever reads it without.
    let whole = try JSONEncoder().encode(sector)
    #expect(try JSONDecoder().decode(SourceSector.self, from: whole) == sector)
  }
}
