import Foundation
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

@Suite("Synthetic skies")
struct SyntheticSkyTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The distance from each star to the nearest source, in pixels.
  private func distances(_ sky: SyntheticSky, _ sources: [Source]) -> [Double] {
    sky.stars.map { star in
      let squares = sources.map { source in
        let (dx, dy) = (source.x - star.x, source.y - star.y)
        return dx * dx + dy * dy
      }
      return (squares.min() ?? .infinity).squareRoot()
    }
  }

  private func scan(_ sky: SyntheticSky, sectorSide: Int) async throws -> [Source] {
    let path = folder.file("sky.fits")
    try await sky.write(to: path)
    var job = try ImageJob(image: try await FITSImage.open(path), sectorSide: sectorSide)
    try await scanAll(&job)
    return job.catalog.sources
  }

  @Test("Every star is found in an image of one sector")
  func oneSector() async throws {
    let sky = try SyntheticSky(width: 512, height: 512, starCount: 200, seed: 11)
    let sources = try await scan(sky, sectorSide: 512)
    #expect(distances(sky, sources).allSatisfy { $0 < 0.5 })
    #expect(sources.count < 240)
  }

  @Test("Stars are found in an image of several sectors")
  func sectors() async throws {
    let sky = try SyntheticSky(width: 600, height: 500, starCount: 200, seed: 12)
    let distances = distances(sky, try await scan(sky, sectorSide: 128))
    // A star on the border of two sectors is cut.
    #expect(distances.count { $0 < 0.5 } >= 180)
  }

  private func pixels(_ sky: SyntheticSky, rowsPerBand: Int? = nil) -> [UInt16] {
    Array(IteratorSequence(SkyBands(sky, rowsPerBand: rowsPerBand)).joined())
  }

  @Test("The same seed makes the same sky")
  func seed() throws {
    let sky = try SyntheticSky(width: 64, height: 64, starCount: 3, seed: 5)
    #expect(pixels(try SyntheticSky(width: 64, height: 64, starCount: 3, seed: 5)) == pixels(sky))
    #expect(pixels(try SyntheticSky(width: 64, height: 64, starCount: 3, seed: 6)) != pixels(sky))
  }

  /// Figures that were measured on such skies are comparable only as long as the skies stay the
  /// same.
  @Test(
    "A synthetic sky stays the same between versions",
    arguments: [
      (500, 300, 135, 7, 4_646_713_839_882_875_771 as UInt64),
      (500, 300, 558, 7, 8_993_125_578_977_723_040 as UInt64),
    ])
  func hash(width: Int, height: Int, stars: Int, seed: UInt64, hash: UInt64) throws {
    let sky = try SyntheticSky(width: width, height: height, starCount: stars, seed: seed)
    // FNV-1a (Fowler, Noll & Vo), a pixel at a time.
    let sum = pixels(sky).reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, pixel in
      (hash ^ UInt64(pixel)) &* 0x100_0000_01b3
    }
    #expect(sum == hash)
  }

  @Test("The height of bands changes no pixel")
  func bands() throws {
    // Neighbouring stars are so close that they overlap.
    let sky = try SyntheticSky(width: 128, height: 120, starCount: 56, seed: 8)
    #expect(sky.spacing == 16)
    let whole = pixels(sky)
    #expect(whole.count == 128 * 120)
    for rows in [1, 7, 64, 119, 500] {
      #expect(pixels(sky, rowsPerBand: rows) == whole, "bands of \(rows) rows")
    }
  }

  @Test(
    "Cells are as large as the number of stars allows",
    arguments: [(0, 32), (6, 32), (7, 24), (12, 24), (13, 16), (24, 16)])
  func cells(stars: Int, spacing: Int) throws {
    let sky = try SyntheticSky(width: 100, height: 72, starCount: stars)
    #expect(sky.spacing == spacing)
    #expect(sky.stars.count == stars)
    #expect(sky.stars.allSatisfy { $0.x > 1 && $0.x < 100 && $0.y > 1 && $0.y < 72 })
    for (index, star) in sky.stars.enumerated() {
      let others = sky.stars[(index + 1)...]
      #expect(others.allSatisfy { hypot($0.x - star.x, $0.y - star.y) >= Double(spacing) / 2 })
    }
  }

  @Test("Stars of a crowded field are found")
  func crowded() async throws {
    let sky = try SyntheticSky(width: 512, height: 512, starCount: 900, seed: 13)
    #expect(sky.spacing == 16)
    let distances = distances(sky, try await scan(sky, sectorSide: 512))
    #expect(distances.count { $0 < 0.5 } >= 850)
  }

  @Test(
    "An impossible sky is refused",
    arguments: [(31, 64, 0), (64, 32769, 0), (64, 64, 17), (64, 64, -1)])
  func refused(width: Int, height: Int, stars: Int) {
    #expect(throws: InvalidScan.self) {
      _ = try SyntheticSky(width: width, height: height, starCount: stars)
    }
  }

  @Test("A sky whose writing is cancelled leaves no file")
  func cancelled() async throws {
    let path = folder.file("sky.fits")
    let writing = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await SyntheticSky(width: 64, height: 64, starCount: 3).write(to: path)
    }
    await #expect(throws: CancellationError.self) { try await writing.value }
    #expect(try folder.contents().isEmpty)
  }

  @Test("An existing file is not overwritten")
  func existing() async throws {
    let path = try folder.write("sky.fits", [1])
    let sky = try SyntheticSky(width: 32, height: 32, starCount: 0)
    let error = await #expect(throws: FITSError.self) { try await sky.write(to: path) }
    #expect(error?.code == .writeFailed)
    #expect(try folder.contents() == ["sky.fits"])
  }
}
