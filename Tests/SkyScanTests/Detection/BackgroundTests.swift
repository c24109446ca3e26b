import SkyNetCore
import Testing

@testable import SkyScan

@Suite struct BackgroundTests {
  @Test func floatsAreSortedByTheirBits() {
    var random = SplitMix64(seed: 7)
    var values = (0..<1000).map { _ in Float(random.nextNormal() * 1e3) }
    values += [0, -1e30, 1e30, .leastNonzeroMagnitude, 5, 5, -5]
    var sorter = FloatSorter()
    var sorted = values
    sorter.sort(&sorted)
    #expect(sorted == values.sorted())
    var few: [Float] = [3, 1, 2]
    sorter.sort(&few)
    #expect(few == [1, 2, 3])
  }

  @Test func statisticsOfARun() {
    let sums = SortedSums([1, 2, 3, 4, 100])
    #expect(sums.range(about: 3, within: 1) == 1..<4)
    let statistics = sums.statistics(0..<4)
    #expect(statistics.mean == 2.5 && statistics.median == 2.5)
    #expect(abs(statistics.sigma - 1.25.squareRoot()) < 1e-12)
    // Nothing is within: the next value stands for it.
    #expect(sums.range(about: 50, within: 1) == 4..<5)
    #expect(sums.range(about: 500, within: 1) == 4..<5)
  }

  @Test func aConstantSkyHasNoNoise() {
    var values = [Float](repeating: 1234.5, count: 4096)
    var sorter = FloatSorter()
    #expect(MeshSky(of: &values, sorter: &sorter) == MeshSky(level: 1234.5, noise: 0))
  }

  @Test func starsDoNotRaiseTheSky() {
    var random = SplitMix64(seed: 1)
    var values = (0..<4096).map { _ in Float(1000 + 5 * random.nextNormal()) }
    for index in 0..<200 { values[index] += Float(50 + index * 10) }
    var sorter = FloatSorter()
    let sky = MeshSky(of: &values, sorter: &sorter)
    // The mean is 52 higher.
    #expect(abs(sky.level - 1000) < 0.5)
    #expect(abs(sky.noise - 5) < 0.3)
  }

  @Test func aSplineGoesThroughItsNodesAndAlongALine() {
    let values = [3.0, 1, 4, 1, 5]
    let curvatures = CubicSpline.curvatures(of: values)
    #expect(curvatures.first == 0 && curvatures.last == 0)
    for (index, value) in values.enumerated() {
      #expect(abs(CubicSpline.value(of: values, curvatures, at: Double(index)) - value) < 1e-12)
    }
    let line = [1.0, 2, 3, 4]
    let flat = CubicSpline.curvatures(of: line)
    #expect(abs(CubicSpline.value(of: line, flat, at: -0.5) - 0.5) < 1e-12)
    #expect(abs(CubicSpline.value(of: line, flat, at: 3.5) - 4.5) < 1e-12)
    #expect(CubicSpline.value(of: [7], [0], at: 0.25) == 7)
  }

  @Test func aSplinesSlopeHasNoSteps() {
    let values = [0.0, 1, 0, 0]
    // By hand: 4a + b = -2, a + 4b = 1.
    let curvatures = CubicSpline.curvatures(of: values)
    #expect(abs(curvatures[1] + 0.6) < 1e-12 && abs(curvatures[2] - 0.4) < 1e-12)
  }

  @Test func oneBrightMeshIsFilteredAway() {
    var grid = MeshGrid(columns: 3, rows: 3, values: [1, 2, 3, 4, 900, 6, 7, 8, 9])
    grid.filter()
    #expect(grid[1, 1] == 6)
    // Median of 1, 2, 4, 900.
    #expect(grid[0, 0] == 3)
  }

  @Test func aMeshWithoutValuesTakesThoseOfTheNearest() {
    let sky = [1.0, 3].map { MeshSky(level: $0, noise: 1) }
    let estimates = MeshEstimates(columns: 3, rows: 1, values: [sky[0], nil, sky[1]])
    #expect(estimates.map(\.level)?.values == [1, 2, 3])
    #expect(MeshEstimates(columns: 1, rows: 1, values: [nil]).map(\.level) == nil)
  }

  @Test func aConstantImageIsSubtractedToZero() throws {
    var plane = Plane(width: 100, height: 70, values: [Float](repeating: 0.1, count: 7000))
    let sky = try #require(try SkyMap(of: plane))
    try sky.subtract(from: &plane)
    #expect(sky.noise == 0)
    #expect(plane.values.allSatisfy { $0 == 0 })
  }
}
