import Foundation
import SkyNetCore
import Testing

@testable import SkyDetection

@Suite("Components whose ellipses leave their patch")
struct CrowdedComponentTests {
  private static let side = 512
  private let values: [Float]
  private let background: Background
  private let settings: DetectionSettings
  private let grid: SectorGrid

  /// Stars with a deviation of 4, each close to a border of its sector.
  init() throws {
    var random = SplitMix64(seed: 8)
    let stars = [(x: 186.3, y: 100.4), (x: 300.0, y: 187.8), (x: 70.5, y: 441.1)]
    values = (0..<Self.side * Self.side).map { index in
      var value = 100 + random.nextNormal()
      for star in stars {
        let (dx, dy) = (
          Double(index % Self.side + 1) - star.x, Double(index / Self.side + 1) - star.y
        )
        value += 400 * exp(-(dx * dx + dy * dy) / 32)
      }
      return Float(value)
    }
    var settings = DetectionSettings()
    settings.kron = DetectionSettings.Kron()
    self.settings = settings
    grid = try SectorGrid(width: Self.side, height: Self.side, side: 192, halo: 16)
    background = try SourceDetector(settings).background(
      of: values, width: Self.side, height: Self.side)
  }

  private func scan(_ rectangle: PixelRectangle) throws -> PatchScan {
    let plane = Plane(
      width: rectangle.width, height: rectangle.height,
      values: rectangle.rows.flatMap { row in
        values[row * Self.side + rectangle.x..<row * Self.side + rectangle.columns.upperBound]
      })
    return try PatchScan(
      plane, at: rectangle, over: background.patch(of: rectangle), of: grid, settings: settings)
  }

  @Test("The pixels that a crowded component needs suffice, and are few")
  func needed() throws {
    let whole = try SourceDetector(settings).sources(
      in: values, width: Self.side, height: Self.side)
    var seen = 0
    for sector in 0..<grid.count {
      let patch = try scan(grid.patch(sector))
      for place in try patch.findings(ofSector: sector).crowded {
        let needed = try #require(place.needed)
        let most = place.box.grown(by: settings.room(around: place.box) + 2)
        #expect(most.columns.contains(needed.columns) && most.rows.contains(needed.rows))
        #expect(2 * needed.columns.count < most.columns.count)
        let wider = try scan(grid.grown(PixelRectangle(needed), by: 0))
        let found = try wider.sources(ofComponentAt: place.first)
        #expect(found == whole.filter { $0.component == place.first })
        seen += 1
      }
    }
    #expect(seen > 0)
  }

  @Test("A patch that holds a component and nothing around it measures nothing")
  func tooLittle() throws {
    let star = try #require(
      try SourceDetector(settings).sources(in: values, width: Self.side, height: Self.side)
        .max { $0.area < $1.area })
    let narrow = try scan(PixelRectangle(star.box.grown(by: 4)))
    #expect(try narrow.sources(ofComponentAt: star.component) == nil)
  }
}
