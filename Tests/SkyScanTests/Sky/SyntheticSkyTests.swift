import Testing

@testable import SkyScan

@Suite struct SyntheticSkyTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// How far the nearest source is from each star, in pixels.
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

  @Test func everyStarIsFoundInOneSector() async throws {
    let sky = try SyntheticSky(width: 512, height: 512, starCount: 200, seed: 11)
    let sources = try await scan(sky, sectorSide: 512)
    #expect(distances(sky, sources).allSatisfy { $0 < 0.5 })
    #expect(sources.count < 240)
  }

  @Test func starsAreFoundInSectors() async throws {
    let sky = try SyntheticSky(width: 600, height: 500, starCount: 200, seed: 12)
    let distances = distances(sky, try await scan(sky, sectorSide: 128))
    // A star on the border of sectors is cut.
    #expect(distances.count { $0 < 0.5 } >= 180)
  }

  @Test func aSeedMakesOneSky() throws {
    let sky = try SyntheticSky(width: 64, height: 64, starCount: 3, seed: 5)
    #expect(try SyntheticSky(width: 64, height: 64, starCount: 3, seed: 5).pixels() == sky.pixels())
    #expect(try SyntheticSky(width: 64, height: 64, starCount: 3, seed: 6).pixels() != sky.pixels())
  }

  @Test(arguments: [(31, 64, 0), (64, 8193, 0), (64, 64, 5), (64, 64, -1)])
  func aSkyThatCannotBeIsRefused(width: Int, height: Int, stars: Int) {
    #expect(throws: InvalidScan.self) {
      _ = try SyntheticSky(width: width, height: height, starCount: stars)
    }
  }

  @Test func anExistingFileIsNotOverwritten() async throws {
    let path = try folder.write("sky.fits", [1])
    let sky = try SyntheticSky(width: 32, height: 32, starCount: 0)
    let error = await #expect(throws: FITSError.self) { try await sky.write(to: path) }
    #expect(error?.code == .writeFailed)
  }
}
