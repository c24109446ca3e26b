import Testing

@testable import SkyDetection

@Suite("The last pixels of components")
struct ComponentEndTests {
  private static let side = 64

  /// Two arms that are joined at the top, and a bar between them that ends in the arms' last row.
  private static var values: [Float] {
    var values = [Float](repeating: 0, count: side * side)
    func fill(_ columns: Range<Int>, _ rows: Range<Int>) {
      for row in rows { for column in columns { values[row * side + column] = 500 } }
    }
    fill(10..<40, 10..<14)
    fill(10..<14, 10..<30)
    fill(36..<40, 10..<30)
    fill(22..<26, 20..<30)
    return values
  }

  private func scan(_ settings: DetectionSettings) throws -> PatchScan {
    let patch = PixelRectangle(x: 0, y: 0, width: Self.side, height: Self.side)
    let background = Background(
      levels: MeshGrid(columns: 1, rows: 1, values: [0]), noise: 1, mesh: 64)
    return try PatchScan(
      Plane(width: Self.side, height: Self.side, values: Self.values), at: patch,
      over: background.patch(of: patch),
      of: SectorGrid(uncutWidth: Self.side, height: Self.side), settings: settings)
  }

  @Test("All sources of a component have its last pixel in row order", arguments: [12, 2048])
  func ends(maximumExtent: Int) throws {
    var settings = DetectionSettings()
    (settings.kernel, settings.measures) = (.none, .componentEnds)
    settings.maximumExtent = maximumExtent
    let scan = try scan(settings)
    let sources = try scan.wholeSources()
    let arms = sources.filter { $0.component == PixelPlace(row: 10, column: 10) }
    let bar = sources.filter { $0.component == PixelPlace(row: 20, column: 22) }
    #expect(!arms.isEmpty && bar.count == 1 && arms.count + 1 == sources.count)
    #expect(arms.allSatisfy { $0.componentEnd == PixelPlace(row: 29, column: 39) })
    #expect(bar[0].componentEnd == PixelPlace(row: 29, column: 25))
  }

  @Test("Fragments have their parts' last pixels, if the settings ask for them")
  func fragments() throws {
    var settings = DetectionSettings()
    settings.kernel = .none
    let core = PixelRectangle(x: 0, y: 0, width: 32, height: 32)
    #expect(try scan(settings).fragment(of: 0, in: core)?.last == nil)
    settings.measures = .componentEnds
    let scan = try scan(settings)
    let left = try #require(scan.fragment(of: 0, in: core))
    let right = try #require(
      scan.fragment(of: 0, in: PixelRectangle(x: 32, y: 0, width: 32, height: 32)))
    #expect(left.last == PixelPlace(row: 29, column: 13))
    #expect(right.last == PixelPlace(row: 29, column: 39))
    for fragments in [[left, right], [right, left]] {
      var joiner = FragmentJoiner()
      joiner.add(fragments)
      let joined = joiner.components()
      #expect(joined.count == 1)
      #expect(
        joined.first?.source(noise: 1, settings: settings).componentEnd
          == PixelPlace(row: 29, column: 39))
    }
  }
}
