import Foundation
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// Inputs from a peer or an odd image. None may crash a process.
@Suite("Hostile inputs of a scan")
struct HostileInputTests {
  private func job(side: Int = 64) async throws -> ImageJob {
    let folder = try TemporaryFolder()
    let image = try await folder.sky(width: 128, height: 64, starCount: 3)
    return try ImageJob(image: image, sectorSide: side)
  }

  /// A job that has its background.
  private func jobInDetection() async throws -> ImageJob {
    var job = try await job()
    try await scanBackground(&job)
    return job
  }

  private func sums(_ change: (inout [String: Any]) -> Void) throws -> ExactSums {
    var sums = ExactSums()
    sums.add(
      MeasuredPixel(
        place: PixelPlace(row: 3, column: 3), value: 2, smoothed: 1, isOverThreshold: true),
      isSaturated: false, variance: 1, noise: 1)
    let data = try JSONEncoder().encode(sums)
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    change(&object)
    let changed = try JSONSerialization.data(withJSONObject: object)
    return try JSONDecoder().decode(ExactSums.self, from: changed)
  }

  @Test("Impossible fragments are refused")
  func fragments() async throws {
    let job = try await jobInDetection()
    let box = PixelBox(columns: 3..<4, rows: 3..<4)
    let place = PixelPlace(row: 3, column: 3)
    func refuses(_ fragment: Fragment) {
      #expect(throws: InvalidScan.self) {
        try job.check(
          .sources(SourceList([]), fragments: [fragment]), for: TaskID(pass: 1, sector: 0))
      }
    }
    let sound = Fragment(box: box, first: place, outline: [], outside: [], sums: try sums { _ in })
    try job.check(
      .sources(SourceList([]), fragments: [sound]), for: TaskID(pass: 1, sector: 0))
    var wrong = sound
    wrong.sums = try sums { $0["weight"] = 0 }
    refuses(wrong)
    wrong.sums = try sums { $0["area"] = 5000 }
    refuses(wrong)
    wrong.sums = try sums { $0["yPeak"] = 5 }
    refuses(wrong)
    wrong = sound
    wrong.box = PixelBox(columns: 0..<Int.max, rows: 3..<4)
    refuses(wrong)
    wrong = sound
    wrong.outline = [PixelRun(row: 3, columns: 0..<Int.max)]
    refuses(wrong)
    wrong = sound
    wrong.first = PixelPlace(row: 3, column: 90)
    refuses(wrong)
  }

  @Test("Impossible components and skies are refused")
  func skies() async throws {
    let job = try await jobInDetection()
    let crowded = ComponentPlace(
      first: PixelPlace(row: 1, column: 1), box: PixelBox(columns: 0..<1 << 40, rows: 0..<1))
    #expect(throws: InvalidScan.self) {
      try job.check(
        .sources(SourceList([]), fragments: [], crowded: [crowded]),
        for: TaskID(pass: 1, sector: 0))
    }
    let fresh = try await self.job()
    for sky in [MeshSky(level: .infinity, noise: 1), MeshSky(level: 0, noise: -1)] {
      #expect(throws: InvalidScan.self) {
        try fresh.check(.background(SkyList([sky])), for: TaskID(pass: 0, sector: 0))
      }
    }
  }

  /// Each mesh costs a system some fifty bytes, and more in the answer's JSON. For four million
  /// pixels with a mesh each, that was 2 GB.
  @Test("A background task of more than a sector is refused")
  func largeBackground() throws {
    var settings = try floatSettings(width: 2048, height: 2048)
    settings.grid = try SectorGrid(width: 2048, height: 2048, side: 256, mesh: 1)
    settings.mesh = 1
    settings.coding = PixelCoding(format: .uint8)
    func patch(width: Int, height: Int) -> ImagePatch {
      ImagePatch(
        PixelRectangle(x: 0, y: 0, width: width, height: height),
        pixels: BulkBytes(Data(count: width * height)))
    }
    for (width, height) in [(2048, 2048), (257, 256), (1, 257)] {
      #expect(throws: InvalidScan.self) {
        try SourceScan().findings(
          in: .background(patch(width: width, height: height)), settings: settings)
      }
    }
    let findings = try SourceScan().findings(
      in: .background(patch(width: 256, height: 256)), settings: settings)
    guard case .background(let list) = findings.found else { return #expect(Bool(false)) }
    #expect(list.skies.count == 65_536)
  }

  @Test("A patch that is too narrow has no components, and a component or source is in its patch")
  func narrowPatch() throws {
    var settings = try floatSettings(width: 1000, height: 1000)
    settings.kernel = SmoothingKernel(
      width: 5, height: 5, weights: [Float](repeating: 1, count: 25), isNormalised: true)
    let patch = floatPatch(x: 500, y: 500, width: 1, height: 1, [7])
    let flat = MeshGrid(columns: 2, rows: 2, values: [0, 0, 0, 0])
    let background = Background(levels: flat, noise: 1, mesh: 64)
    let component = ComponentPatch(
      first: PixelPlace(row: 500, column: 500),
      box: PixelBox(columns: 500..<501, rows: 500..<501), patch: patch,
      background: background.patch(of: patch.rectangle))
    #expect(throws: InvalidScan.self) {
      try SourceScan().findings(in: .components([component]), settings: settings)
    }
    var endless = component
    endless.background = Background(
      levels: MeshGrid(columns: 2, rows: 2, values: [1e300, 0, 0, 0]), noise: 1, mesh: 64
    ).patch(of: patch.rectangle)
    #expect(throws: InvalidScan.self) {
      try SourceScan().findings(in: .components([endless]), settings: settings)
    }
    var far = component
    for end in [Int.min, Int.max] {
      far.box = PixelBox(columns: end..<end, rows: 0..<1)
      #expect(throws: InvalidScan.self) {
        try SourceScan().findings(in: .components([far]), settings: settings)
      }
    }
    var known = component
    known.known = Source(
      component: component.first, part: 0, x: 501, y: 501, xx: 1, yy: 1, xy: 0, flux: 1,
      variance: 1, isophotal: IsophotalMeasures(peak: 1, area: 1, isophotalArea: 1), xMin: 501,
      yMin: 501, xMax: 501, yMax: 501, flags: [], apertureFluxes: [])
    known.known?.isophotal.smoothedPeak = 1
    let complete = try SourceScan().findings(in: .components([known]), settings: settings)
    #expect(throws: Never.self) { try JSONEncoder().encode(complete) }
    // The levels are written by number.
    known.known?.profile = Source.Profile(areas: [], fwhm: 1)
    #expect(throws: InvalidScan.self) {
      try SourceScan().findings(in: .components([known]), settings: settings)
    }
  }
}
