import Foundation
import SkyDetection
import SkyFITS
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyScan

/// Nodes that scan an image in turns, as systems with caches do.
private struct Nodes {
  struct Node {
    let recipient: SectorRecipient
    let scan: SourceScan

    init(_ name: String, cache: PixelCache?) {
      recipient = SectorRecipient(incarnation: Incarnation(), name: name, isLocal: false)
      scan = SourceScan(data: nil, cache: cache)
    }
  }

  let nodes: [Node]
  /// The bytes of pixels that were sent.
  private(set) var sent = 0
  private(set) var refusals: [String] = []

  init(_ nodes: [Node]) { self.nodes = nodes }

  /// Runs a whole job: each sector's tasks on the same node, or each task on the next one.
  mutating func scan(_ job: inout ImageJob, inTurns: Bool = false) async throws {
    var tasks = [TaskRange(pass: 0, sectors: 0..<job.sectorCount)][...]
    var turn = 0
    while let range = tasks.popFirst() {
      for task in range.sectors.map({ TaskID(pass: range.pass, sector: $0) }) {
        turn += 1
        let node = nodes[(inTurns ? turn : task.sector) % nodes.count]
        let found = try await scan(task, of: job, on: node)
        try job.check(found, for: task)
        tasks += try job.receive(found, for: task).added
      }
    }
  }

  private mutating func scan(
    _ task: TaskID, of job: ImageJob, on node: Node
  ) async throws -> SourceScan.Findings {
    for _ in 0..<2 {
      let sector = try await job.sector(for: task, on: node.recipient)
      sent += sector.pixelBytes
      do {
        return try await node.scan.run(sector, settings: job.settings)
      } catch let refusal as SectorDataRefused {
        refusals.append(refusal.code)
        await job.refused(refusal, by: node.recipient, for: task)
      }
    }
    throw InvalidScan("a second refusal")
  }
}

extension SourceScan.Sector {
  fileprivate var pixelBytes: Int {
    work.patches.reduce(cacheUse?.patch?.byteCount ?? 0) { $0 + $1.byteCount }
  }
}

@Suite("Sectors whose pixels are cached")
struct CachedSectorTests {
  private let folder: TemporaryFolder
  private static let pixelBytes = 700 * 500 * 2

  init() async throws {
    folder = try TemporaryFolder()
    try await SyntheticSky(width: 700, height: 500, starCount: 150, seed: 4)
      .write(to: folder.path + "/sky.fits")
  }

  private func job(cleans: Bool) async throws -> ImageJob {
    let image = try await FITSImage.open(folder.path + "/sky.fits")
    let grid = try SectorGrid(width: image.width, height: image.height, side: 128)
    var settings = SourceScan.Settings(grid: grid, coding: image.coding)
    if cleans { (settings.kron, settings.cleaning) = (DetectionSettings.Kron(), 1) }
    let job = try ImageJob(image: image, settings: settings)
    #expect(job.hasCleaningPass == cleans)
    return job
  }

  private func catalog(cleans: Bool) async throws -> String {
    var job = try await job(cleans: cleans)
    try await scanAll(&job)
    return try await job.table().csv
  }

  @Test("Pixels travel once, and the catalogue is that of a run alone", arguments: [false, true])
  func once(cleans: Bool) async throws {
    var job = try await job(cleans: cleans)
    let caches = [PixelCache(capacity: 1 << 24), PixelCache(capacity: 1 << 24)]
    var nodes = Nodes(caches.map { Nodes.Node("n", cache: $0) })
    try await nodes.scan(&job)
    #expect(nodes.refusals.isEmpty)
    #expect(try await job.table().csv == catalog(cleans: cleans))
    // A sector's halo travels with it: here, 128 pixels a side have 64 more around them.
    let halos = (0..<job.sectorCount).map { job.settings.grid.patch($0) }
      .reduce(0) { $0 + $1.width * $1.height * 2 }
    #expect(nodes.sent >= halos && nodes.sent < halos + halos / 4, "\(nodes.sent), \(halos)")
    let hits = caches.map(\.figures.hits).reduce(0, +)
    #expect(hits >= job.sectorCount && caches.allSatisfy { $0.figures.misses == 0 })
    // Without cleaning, what is found for the last time is kept no more.
    #expect(caches.allSatisfy { ($0.figures.bytes == 0) == !cleans })
  }

  @Test("Losing what is cached costs time and nothing else", arguments: [0, 60_000])
  func lost(capacity: Int) async throws {
    for cleans in [false, true] {
      var job = try await job(cleans: cleans)
      var nodes = Nodes([
        Nodes.Node("a", cache: PixelCache(capacity: capacity)), Nodes.Node("b", cache: nil),
      ])
      try await nodes.scan(&job)
      #expect(nodes.refusals.contains("cache gone"))
      #expect(nodes.refusals.filter { $0 == "cache none" }.count == 1, "it is not asked again")
      #expect(try await job.table().csv == catalog(cleans: cleans))
    }
  }

  @Test("Systems that take each other's sectors are sent the pixels", arguments: [false, true])
  func inTurns(cleans: Bool) async throws {
    var job = try await job(cleans: cleans)
    var nodes = Nodes((0..<3).map { Nodes.Node("\($0)", cache: PixelCache(capacity: 1 << 24)) })
    try await nodes.scan(&job, inTurns: true)
    #expect(nodes.refusals.isEmpty)
    #expect(try await job.table().csv == catalog(cleans: cleans))
  }

  @Test("Sectors whose patches are not within what came with them are refused")
  func hostile() async throws {
    let job = try await job(cleans: false)
    let node = Nodes.Node("n", cache: PixelCache(capacity: 1 << 24))
    let good = try await job.sector(for: TaskID(pass: 0, sector: 7), on: node.recipient)
    let other = try await job.sector(for: TaskID(pass: 0, sector: 0), on: node.recipient)
    func run(_ work: SourceWork, _ use: CacheUse) async throws {
      _ = try await node.scan.run(
        SourceScan.Sector(work, cacheUse: use), settings: job.settings)
    }
    var use = try #require(good.cacheUse)
    try await run(good.work, use)
    await #expect(throws: InvalidScan.self) { try await run(other.work, use) }
    use.patch?.pixels.bytes.removeLast()
    await #expect(throws: InvalidScan.self) { try await run(good.work, use) }
    let filled = try await job.sector(for: TaskID(pass: 0, sector: 7))
    await #expect(throws: InvalidScan.self) { try await run(filled.work, use) }
    let unknown = CacheUse(image: .random())
    await #expect(throws: SectorDataRefused.self) { try await run(good.work, unknown) }
  }
}
