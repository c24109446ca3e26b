import Foundation
import SkyNetCore
import SkyTestSupport
import Synchronization
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

@Suite("Image jobs")
struct ImageJobTests {
  @Test("Sectors cover the image exactly once")
  func cover() throws {
    let grid = try SectorGrid(width: 300, height: 130, side: 64)
    #expect(grid.columns == 5 && grid.rows == 3 && grid.count == 15)
    #expect(grid[0] == PixelRectangle(x: 0, y: 0, width: 64, height: 64))
    #expect(grid[4] == PixelRectangle(x: 256, y: 0, width: 44, height: 64))
    #expect(grid[14] == PixelRectangle(x: 256, y: 128, width: 44, height: 2))
    let pixels = (0..<grid.count).map { grid[$0].width * grid[$0].height }.reduce(0, +)
    #expect(pixels == 300 * 130)
  }

  @Test(
    "A sector's side must be an allowed multiple of the mesh",
    arguments: [0, -64, 100, 4160, Int.min])
  func side(side: Int) {
    #expect(throws: InvalidScan.self) { _ = try SectorGrid(width: 300, height: 130, side: side) }
  }

  @Test("The catalogue does not depend on the order of results")
  func order() async throws {
    let folder = try TemporaryFolder()
    let image = try await folder.sky(width: 300, height: 200, starCount: 40)
    var forwards = try ImageJob(image: image, sectorSide: 64)
    var backwards = forwards
    try await scanAll(&forwards)
    try await scanAll(&backwards, backwards: true)
    let table = try await forwards.table()
    #expect(try await backwards.table().csv == table.csv)
    #expect(forwards.catalog.sources.count > 30)
  }

  @Test("A watcher sees every pixel and every source")
  func watcher() async throws {
    let folder = try TemporaryFolder()
    let image = try await folder.sky(width: 300, height: 200, starCount: 40)
    let seen = Mutex<(pixels: Set<PixelPlace>, sources: Int)>(([], 0))
    var job = try ImageJob(image: image, sectorSide: 64)
    job.watcher = ImageWatcher(
      sawPixels: { rectangle, coding, bytes in
        let count = coding.values(of: bytes).count
        #expect(count == rectangle.width * rectangle.height)
        seen.withLock { seen in
          for row in rectangle.y..<rectangle.y + rectangle.height {
            for column in rectangle.x..<rectangle.x + rectangle.width {
              seen.pixels.insert(PixelPlace(row: row, column: column))
            }
          }
        }
      },
      foundSources: { sources in seen.withLock { $0.sources += sources.count } })
    try await scanAll(&job)
    #expect(seen.withLock { $0.pixels.count } == 300 * 200)
    #expect(seen.withLock { $0.sources } == job.catalog.sources.count)
  }

  @Test("A job's identity follows from the image's contents and not its name")
  func identity() async throws {
    let folder = try TemporaryFolder()
    let (one, copy, other) = (folder.file("1.fits"), folder.file("2.fits"), folder.file("3.fits"))
    try await SyntheticSky(width: 300, height: 200, starCount: 40).write(to: one)
    try FileManager.default.copyItem(atPath: one, toPath: copy)
    try await SyntheticSky(width: 300, height: 200, starCount: 40, seed: 2).write(to: other)
    func identity(_ path: String, side: Int = 64) async throws -> [JobIdentity.Fact] {
      let job = try ImageJob(image: try await FITSImage.open(path), sectorSide: side)
      return try await job.identity().facts
    }
    let facts = try await identity(one)
    #expect(try await identity(copy) == facts)
    #expect(
      try await identity(other).filter { !facts.contains($0) }.map(\.name) == ["image contents"])
    #expect(
      try await identity(one, side: 128).filter { !facts.contains($0) }.map(\.name)
        == ["sector size", "sectors"])
  }

  @Test("Jobs for different extensions have different identities")
  func extensions() async throws {
    let folder = try TemporaryFolder()
    let empty = FITSUnit(bitpix: 8, axes: [], [("EXTEND", "T")], data: [])
    let chip = FITSUnit(
      extension: 16, axes: [2, 1], [("EXTNAME", "'CCD1'")], data: bigEndian([1, 1] as [Int16]))
    let path = try folder.write("mosaic.fits", empty.bytes + chip.bytes + chip.bytes)
    let first = try ImageJob(image: try await FITSImage.open(path, extension: "1"))
    let second = try ImageJob(image: try await FITSImage.open(path, extension: "2"))
    let identities = (try await first.identity(), try await second.identity())
    #expect(identities.0 != identities.1)
  }
}
