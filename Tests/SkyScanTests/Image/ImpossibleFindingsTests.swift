import Foundation
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// Findings that no pixels can have are refused before the job uses any of them: every count, sum
/// and place is checked.
@Suite("Impossible findings")
struct ImpossibleFindingsTests {
  private let first = TaskID(pass: 1, sector: 0)

  /// A job in its second pass, and the true sources of its first sector.
  private func jobInDetection(
    _ change: (inout SourceScan.Settings) -> Void = { _ in }
  ) async throws -> (job: ImageJob, found: [Source]) {
    let folder = try TemporaryFolder()
    let image = try await folder.sky(width: 256, height: 256, starCount: 30)
    let grid = try SectorGrid(width: 256, height: 256, side: 128)
    var settings = SourceScan.Settings(grid: grid, coding: image.coding)
    change(&settings)
    var job = try ImageJob(image: image, settings: settings)
    try await scanBackground(&job)
    let found = try await job.scan.run(try await job.sector(for: first), settings: job.settings)
    try job.check(found, for: first)
    guard case .sources(let list, _, _) = found.found else { throw InvalidScan("no sources") }
    return (job, list.sources)
  }

  private func expectRefusal(
    _ job: ImageJob, _ found: SourceFound, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: InvalidScan.self, sourceLocation: sourceLocation) {
      try job.check(SourceScan.Findings(found), for: first)
    }
  }

  @Test("A source that its sector's pixels cannot make is refused")
  func source() async throws {
    let (job, found) = try await jobInDetection()
    let changes: [(inout Source) -> Void] = [
      { $0.area = .max }, { $0.area = 0 }, { $0.xMax = .max }, { $0.yMin = .min },
      { $0.x = 1e300 }, { $0.y = -1e9 }, { $0.xx = .infinity }, { $0.xy = 1e12 },
      // The root of such a moment is no number.
      { $0.xx = -0.5 }, { $0.yy = -0.5 },
      { $0.flux = .nan }, { $0.peak = -.infinity }, { $0.variance = -1 }, { $0.part = -1 },
      { $0.smoothedPeak = .nan }, { $0.xPeak = $0.xMin - 1 }, { $0.yPeak = .max },
      { $0.component.row = 200 }, { $0.apertureFluxes = [] }, { $0.apertureFluxes = [.nan] },
      { $0.kron = Source.EllipseFlux(radius: 1, flux: 1) },
      { $0.cleaning = CleaningMeasures(flux: 1, threshold: 1) },
    ]
    for change in changes {
      var sources = found
      change(&sources[0])
      expectRefusal(job, .sources(SourceList(sources), fragments: []))
    }
    expectRefusal(job, .sources(SourceList([found[0], found[0]]), fragments: []))
    expectRefusal(job, .sources(SourceList(found.reversed()), fragments: []))
  }

  @Test("Sources with more pixels than the sector are refused")
  func tooMany() async throws {
    let (job, found) = try await jobInDetection()
    var one = found[0]
    (one.xMin, one.yMin, one.xMax, one.yMax) = (1, 1, 128, 128)
    one.area = 10_000
    let many = (0..<3).map { part in
      var source = one
      source.part = part
      return source
    }
    try job.check(.sources(SourceList([many[0]]), fragments: []), for: first)
    expectRefusal(job, .sources(SourceList(many), fragments: []))
  }

  private func place(_ column: Int, _ row: Int, side: Int) -> ComponentPlace {
    ComponentPlace(
      first: PixelPlace(row: row, column: column),
      box: PixelBox(columns: column..<column + side, rows: row..<row + side))
  }

  @Test("A component that its patch can measure is refused as crowded")
  func crowded() async throws {
    let (plain, _) = try await jobInDetection()
    let atTheSeam = place(120, 4, side: 6)
    expectRefusal(plain, .sources(SourceList([]), fragments: [], crowded: [atTheSeam]))
    let (job, _) = try await jobInDetection { $0.kron = DetectionSettings.Kron() }
    try job.check(.sources(SourceList([]), fragments: [], crowded: [atTheSeam]), for: first)
    expectRefusal(job, .sources(SourceList([]), fragments: [], crowded: [place(2, 2, side: 1)]))
    // Only boxes around the component that ellipses can reach can be needed.
    var needy = atTheSeam
    needy.needed = needy.box.grown(by: 90)
    try job.check(.sources(SourceList([]), fragments: [], crowded: [needy]), for: first)
    for margin in [-1, 200, 1 << 40] {
      needy.needed = needy.box.grown(by: margin)
      expectRefusal(job, .sources(SourceList([]), fragments: [], crowded: [needy]))
    }
    expectRefusal(job, .sources(SourceList([]), fragments: [], crowded: [atTheSeam, atTheSeam]))
    // The number of components fits into a message's body, but each needs a patch of its own.
    let many = (0..<200_000).map { place(100 + $0 % 28, $0 % 128, side: 6) }
    expectRefusal(job, .sources(SourceList([]), fragments: [], crowded: many))
    let distinct = (0..<128).flatMap { row in (100..<128).map { place($0, row, side: 10) } }
    expectRefusal(job, .sources(SourceList([]), fragments: [], crowded: distinct))
  }

  @Test("Fragments with more pixels than the sector are refused")
  func fragments() async throws {
    let (job, _) = try await jobInDetection()
    func fragment(area: Int) throws -> Fragment {
      var sums = ExactSums()
      for pixel in 0..<area {
        sums.add(
          MeasuredPixel(
            place: PixelPlace(row: 40 + pixel / 60, column: 60 + pixel % 60), value: 2, smoothed: 2,
            isOverThreshold: true),
          isSaturated: false, variance: 1, noise: 1)
      }
      return Fragment(
        box: PixelBox(columns: 60..<120, rows: 40..<128), first: PixelPlace(row: 40, column: 60),
        outline: [PixelRun(row: 127, columns: 60..<120)],
        outside: [PixelRun(row: 128, columns: 60..<120)], sums: sums)
    }
    let one = try fragment(area: 5000)
    try job.check(.sources(SourceList([]), fragments: [one]), for: first)
    expectRefusal(job, .sources(SourceList([]), fragments: Array(repeating: one, count: 4)))
    let thin = try fragment(area: 100)
    expectRefusal(job, .sources(SourceList([]), fragments: Array(repeating: thin, count: 9)))
    var elsewhere = one
    elsewhere.box = PixelBox(columns: 0..<50, rows: 0..<128)
    elsewhere.first = PixelPlace(row: 0, column: 0)
    expectRefusal(job, .sources(SourceList([]), fragments: [elsewhere]))
    var unending = one
    unending.last = PixelPlace(row: 126, column: 60)
    expectRefusal(job, .sources(SourceList([]), fragments: [unending]))
  }

  @Test("An impossible end of a component is refused")
  func componentEnds() async throws {
    let (job, found) = try await jobInDetection { $0.measures = .componentEnds }
    #expect(found.allSatisfy { $0.componentEnd != nil })
    let changes: [(inout PixelPlace) -> Void] = [
      { $0.row = -1 }, { $0.row = 256 }, { $0.column = 256 }, { $0.row = 0 },
    ]
    let index = try #require(found.firstIndex { $0.yMax > 1 })
    for change in changes {
      var sources = found
      var end = try #require(found[index].componentEnd)
      change(&end)
      sources[index].componentEnd = end
      expectRefusal(job, .sources(SourceList(sources), fragments: []))
    }
    let (other, _) = try await jobInDetection()
    expectRefusal(other, .sources(SourceList(found), fragments: []))
  }

  @Test("Findings that were not requested are refused")
  func notRequested() async throws {
    let (job, found) = try await jobInDetection()
    let sources = SourceScan.Findings(.sources(SourceList([found[0]]), fragments: []))
    #expect(throws: InvalidScan.self) {
      try job.check(sources, for: TaskID(pass: 2, sector: 0))
    }
    #expect(throws: InvalidScan.self) {
      try job.check(.background(SkyList([])), for: TaskID(pass: 1, sector: 0))
    }
    #expect(throws: InvalidScan.self) { try job.check(sources, for: TaskID(pass: 1, sector: 9)) }
    #expect(throws: InvalidScan.self) {
      try job.check(
        .background(SkyList(Array(repeating: nil, count: 5))), for: TaskID(pass: 0, sector: 0))
    }
  }
}
