import SkyNetCore
import Testing

@testable import SkyDetection

@Suite("Interpolation")
struct InterpolationTests {
  private let width = 60
  private let height = 90

  /// Each pixel's value is its index, and its weight 1 unless it is in a gap.
  private func filled(_ isGap: (_ column: Int, _ row: Int) -> Bool) -> [Float] {
    var plane = Plane(
      width: width, height: height, values: (0..<width * height).map { Float($0) })
    plane.weigh(by: (0..<width * height).map { isGap($0 % width, $0 / width) ? 0 : 1 })
    var saturation: [Bool] = []
    Interpolation.fill(&plane, &saturation)
    for (value, variance) in zip(plane.values, plane.variances ?? []) {
      #expect(value.isNaN == (variance == .infinity))
    }
    return plane.values
  }

  /// What SExtractor does: it counts down from the last pixel with a weight, in the row and in the column.
  private func expected(_ isGap: (_ column: Int, _ row: Int) -> Bool) -> [Float] {
    var values = (0..<width * height).map { Float($0) }
    var below = [Int](repeating: 0, count: width)
    for row in 0..<height {
      var left = 0
      for column in 0..<width {
        let index = row * width + column
        if !isGap(column, row) {
          (left, below[column]) = (16, 16)
        } else if left > 0 {
          left -= 1
          values[index] = values[index - 1]
        } else if below[column] > 0 {
          below[column] -= 1
          values[index] = values[index - width]
        } else {
          values[index] = .nan
        }
      }
    }
    return values
  }

  private func expectSame(_ isGap: (_ column: Int, _ row: Int) -> Bool) {
    let (found, expected) = (filled(isGap), expected(isGap))
    #expect(found.map(\.bitPattern) == expected.map(\.bitPattern))
  }

  @Test("Columns, blocks and corners are filled as by SExtractor")
  func gaps() {
    expectSame { column, _ in column == 20 }
    expectSame { column, _ in column == 0 }
    expectSame { column, row in (10..<45).contains(column) && (20..<80).contains(row) }
    expectSame { column, row in (10..<20).contains(column) && (20..<80).contains(row) }
    expectSame { column, row in column < 40 && row > 30 }
    expectSame { column, row in column > 100 - row }
    expectSame { column, row in column < 50 - row }
    expectSame { _, row in row < 30 }
    expectSame { _, _ in true }
  }

  @Test("Strewn gaps are filled as by SExtractor", arguments: [0.1, 0.5])
  func strewn(share: Double) {
    var random = SplitMix64(seed: 3)
    let gaps = (0..<width * height).map { _ in random.nextUnit() < share }
    expectSame { column, row in gaps[row * width + column] }
  }

  @Test("A pixel takes its neighbour's saturation with its value")
  func saturation() {
    var plane = Plane(width: 3, height: 1, values: [1, 2, 3])
    plane.weigh(by: [4, 0, 4])
    var saturation = [true, false, false]
    Interpolation.fill(&plane, &saturation)
    #expect(plane.values == [1, 1, 3] && plane.variances == [0.25, 0.25, 0.25])
    #expect(saturation == [true, true, false])
  }

  @Test(
    "A star across a column without weights stays one source where it is filled, and is parted where it is not"
  )
  func star() throws {
    let side = 128
    let values = (0..<side * side).map { index in
      let (dx, dy) = (Double(index % side - 60), Double(index / side - 70))
      var random = SplitMix64(seed: UInt64(index))
      return Float(random.nextNormal() + 900 / (1 + (dx * dx + dy * dy) / 20))
    }
    let weights = (0..<side * side).map { Float($0 % side == 60 ? 0 : 1) }
    var settings = DetectionSettings()
    settings.threshold = 10
    func sources() throws -> [Source] {
      try SourceDetector(settings).sources(
        in: values, width: side, height: side, weights: weights)
    }
    // No pixel is detected under whose kernel one has no weight.
    #expect(
      try sources().map { [$0.xMin, $0.xMax] }.sorted { $0[0] < $1[0] }.map(\.count) == [2, 2])
    #expect(try sources().allSatisfy { $0.xMax < 60 || $0.xMin > 62 })
    settings.interpolates = true
    #expect(try sources().count == 1)
  }
}
