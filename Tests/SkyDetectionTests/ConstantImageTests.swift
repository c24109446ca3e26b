import SkyNetCore
import Testing

@testable import SkyDetection

/// Images whose noise is 0 on most meshes: padded, counted, rounded or constant ones.
@Suite("Images that are mainly constant")
struct ConstantImageTests {
  private static let side = 320

  /// Noise of 2 where there are data, 0 elsewhere, and one star in the data.
  private static func field(_ hasData: (_ column: Int, _ row: Int) -> Bool) -> [Float] {
    var random = SplitMix64(seed: 11)
    return (0..<side * side).map { index in
      let (column, row) = (index % side, index / side)
      let noise = 2 * random.nextNormal()
      guard hasData(column, row) else { return 0 }
      let (dx, dy) = (Double(column - 160), Double(row - 160))
      return Float(noise + (dx * dx + dy * dy < 10 ? 100 : 0))
    }
  }

  private func background(_ values: [Float]) throws -> Background {
    try SourceDetector().background(of: values, width: Self.side, height: Self.side)
  }

  @Test("The padding's meshes do not count for the noise", arguments: 0..<5)
  func padding(place: Int) throws {
    let values = Self.field { column, row in
      switch place {
      case 0: column >= 128
      case 1: column < 192
      case 2: row >= 128
      case 3: row < 192
      default: (64..<256).contains(column) && (64..<256).contains(row)
      }
    }
    let background = try background(values)
    #expect((1.5..<2.2).contains(background.noise), "\(background.noise)")
    var settings = DetectionSettings()
    settings.threshold = 3
    let sources = try SourceDetector(settings).sources(
      in: values, width: Self.side, height: Self.side)
    #expect(sources.count == 1)
  }

  @Test("Where most meshes are constant, the noise is the median of those that are not")
  func mainlyConstant() throws {
    let background = try background(Self.field { _, row in row >= 128 && row < 256 })
    #expect(background.isMainlyConstant)
    #expect((1.5..<2.2).contains(background.noise), "\(background.noise)")
  }

  @Test("A constant image has a noise of 1 and no sources", arguments: [Float(0), 7])
  func constant(value: Float) throws {
    let values = [Float](repeating: value, count: Self.side * Self.side)
    let background = try background(values)
    #expect(background.noise == 1 && background.isMainlyConstant)
    let sources = try SourceDetector().sources(
      in: values, width: Self.side, height: Self.side)
    #expect(sources.isEmpty)
  }

  @Test("Where no mesh has enough pixels with values, the level is 0 and the noise 1")
  func sparse() throws {
    let values = (0..<Self.side * Self.side).map { $0 % 3 == 0 ? Float(50) : .nan }
    let background = try background(values)
    #expect(background.noise == 1 && background.isMainlyConstant)
    #expect(
      try background.levels(in: PixelRectangle(x: 0, y: 0, width: 8, height: 8))
        .allSatisfy { $0 == 0 })
  }

  /// Rounded numbers whose noise is 0.3, as of a short exposure in integers. Within 2 σ of their mean all are 0;
  /// SExtractor counts the others in classes of 1.
  @Test("Integers with a noise below 1 have a noise")
  func integers() throws {
    var random = SplitMix64(seed: 5)
    let values = (0..<Self.side * Self.side).map { _ in Float((0.3 * random.nextNormal()).rounded())
    }
    let background = try background(values)
    #expect(!background.isMainlyConstant && (0.15..<0.3).contains(background.noise))
  }

  @Test("Rare photons leave a noise of 1")
  func photons() throws {
    var random = SplitMix64(seed: 6)
    let values = (0..<Self.side * Self.side).map { _ in Float(random.nextUnit() < 0.02 ? 1 : 0) }
    #expect(try background(values).noise == 1)
  }
}
