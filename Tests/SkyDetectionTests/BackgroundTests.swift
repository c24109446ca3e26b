import Foundation
import SkyNetCore
import Testing

@testable import SkyDetection

@Suite("Backgrounds")
struct BackgroundTests {
  private func sky(_ values: [Float], width: Int = 64) throws -> MeshSky {
    let plane = Plane(width: width, height: values.count / width, values: values)
    return try #require(try MeshEstimates(of: plane, mesh: 64).values[0])
  }

  @Test("A constant sky has no noise")
  func constant() throws {
    #expect(
      try sky([Float](repeating: 1234.5, count: 4096)) == MeshSky(level: 1234.5, noise: 0))
  }

  @Test("The noise of the meshes makes a map as their levels do")
  func noiseMap() throws {
    var meshes = MeshEstimates(columns: 3, rows: 2)
    meshes.values = (0..<6).map { MeshSky(level: 100, noise: Double($0 % 3)) }
    let rectangle = PixelRectangle(x: 0, y: 0, width: 24, height: 16)
    var settings = DetectionSettings()
    settings.mesh = 8
    let noise = try Background.noise(of: meshes, settings).levels(in: rectangle)
    meshes.values = (0..<6).map { MeshSky(level: Double($0 % 3), noise: 1) }
    #expect(try noise == Background(meshes, settings).levels(in: rectangle))
    #expect(noise[0] < 0.5 && noise[23] > 1.5)
  }

  @Test("Stars do not raise the estimated sky")
  func stars() throws {
    var random = SplitMix64(seed: 1)
    var values = (0..<4096).map { _ in Float(1000 + 5 * random.nextNormal()) }
    for index in 0..<200 { values[index] += Float(50 + index * 10) }
    // The stars raise the mean by 52.
    let sky = try sky(values)
    #expect(abs(sky.level - 1000) < 0.5)
    #expect(abs(sky.noise - 5) < 0.3)
  }

  @Test(
    "Missing values do not change the estimated sky",
    arguments: [64, 61, 7])
  func missingValues(width: Int) throws {
    var random = SplitMix64(seed: 2)
    let values = (0..<61 * width).map { index in
      index % 3 == 0 ? Float.nan : Float(1e6 + random.nextNormal())
    }
    let sky = try sky(values, width: width)
    #expect(abs(sky.level - 1e6) < 0.5 && abs(sky.noise - 1) < 0.1)
  }

  @Test("A mesh with too few values has no estimate")
  func tooFewValues() throws {
    let values = (0..<4096).map { $0 < 2040 ? Float($0) : .nan }
    let plane = Plane(width: 64, height: 64, values: values)
    #expect(try MeshEstimates(of: plane, mesh: 64).values == [nil])
  }

  @Test("A spline passes through its nodes, and follows a straight line")
  func splineNodes() {
    let values = [3.0, 1, 4, 1, 5]
    let curvatures = CubicSpline.curvatures(of: values)
    #expect(curvatures.first == 0 && curvatures.last == 0)
    func value(_ node: Int, _ offset: Double) -> Double {
      SplineWeights(offset).sum(
        values[node], values[node + 1], curvatures[node], curvatures[node + 1])
    }
    for node in 0..<4 {
      #expect(value(node, 0) == values[node] && value(node, 1) == values[node + 1])
    }
    #expect(CubicSpline.curvatures(of: [1, 2, 3, 4]) == [0, 0, 0, 0])
    #expect(SplineWeights(-0.5).sum(1, 2, 0, 0) == 0.5)
  }

  @Test("A spline's bend counts a sixth of the next node's")
  func splineBends() {
    let curvatures = CubicSpline.curvatures(of: [0, 1, 0, 0])
    // By hand: 4a + b = -2 and a + 4b = 1 without a are 15b = 6; then 4a + b/6 = -2.
    #expect(abs(curvatures[1] + 2.0 / 4 + 0.4 / 24) < 1e-12 && abs(curvatures[2] - 0.4) < 1e-12)
  }

  /// The levels of SExtractor 2.25 on an image of constant meshes, with a filter of one mesh.
  @Test("The levels between the meshes' centres are SExtractor's")
  func levelsBetweenCenters() throws {
    let grid = MeshGrid(
      columns: 4, rows: 3, values: [10, 40, 20, 50, 30, 10, 60, 20, 20, 50, 10, 40])
    let sky = Background(
      levels: grid, noise: 1, mesh: DetectionSettings.MeshSize(width: 8, height: 6))
    for (x, y, level) in [
      (0, 0, -43.574955), (9, 2, 42.315266), (12, 3, 39.210304), (17, 5, 36.585426),
      (4, 8, 26.342733), (16, 9, 42.534611), (21, 13, 32.972958), (31, 17, 95.177528),
    ] {
      let found = try sky.levels(in: PixelRectangle(x: x, y: y, width: 1, height: 1))
      #expect(abs(Double(found[0]) - level) < 1e-4)
    }
  }

  /// Where all rows of meshes are equal, and where there is one, as SExtractor has it.
  @Test("The levels along equal rows of meshes are SExtractor's")
  func levelsAlongRows() throws {
    let meshes = [10.0, 40, 20, 50]
    func levels(rows: Int) throws -> [Float] {
      let grid = MeshGrid(
        columns: 4, rows: rows, values: (0..<rows).flatMap { _ in meshes })
      return try Background(levels: grid, noise: 1, mesh: 8)
        .levels(in: PixelRectangle(x: 0, y: 0, width: 32, height: 1))
    }
    let (curved, straight) = (try levels(rows: 3), try levels(rows: 1))
    for (column, level, single) in [
      (0, -7.79266, -3.125), (5, 18.01198, 15.625), (8, 31.94855, 26.875),
      (15, 30.42755, 31.25), (20, 19.98291, 21.875), (31, 69.021, 63.125),
    ] {
      #expect(abs(Double(curved[column]) - level) < 1e-4)
      #expect(abs(Double(straight[column]) - single) < 1e-4)
    }
  }

  @Test("One bright mesh is filtered away")
  func brightMesh() {
    let grid = MeshGrid(columns: 3, rows: 3, values: [1, 2, 3, 4, 900, 6, 7, 8, 9])
      .medians(DetectionSettings.MeshFilter())
    #expect(grid[1, 1] == 6)
    // At the edges the neighbourhood shrinks on both sides.
    #expect(grid[0, 0] == 1 && grid[2, 2] == 9)
    #expect(grid[1, 0] == 2 && grid[0, 1] == 4)
  }

  @Test("A filter may have two sides, and even ones reach as far as the next odd ones")
  func filterSides() {
    let grid = MeshGrid(columns: 5, rows: 3, values: (0..<15).map { Double(($0 * 7) % 15) })
    // 0 7 14 6 13, 5 12 4 11 3, 10 2 9 1 8
    #expect(grid.medians(DetectionSettings.MeshFilter(width: 1, height: 1)) == grid)
    #expect(grid.medians(DetectionSettings.MeshFilter(width: 5, height: 1))[2, 0] == 7)
    #expect(grid.medians(DetectionSettings.MeshFilter(width: 1, height: 3))[2, 1] == 9)
    let (even, odd) = (
      DetectionSettings.MeshFilter(width: 4, height: 2),
      DetectionSettings.MeshFilter(width: 5, height: 3)
    )
    #expect(grid.medians(even) == grid.medians(odd))
    #expect(grid.medians(odd)[2, 1] == 7)
  }

  @Test("A mesh close to the median keeps its level and its noise")
  func filterThreshold() {
    var meshes = MeshEstimates(columns: 3, rows: 3)
    meshes.values = [10.0, 10, 10, 10, 12, 10, 10, 10, 10].enumerated().map {
      MeshSky(level: $1, noise: $0 == 4 ? 7 : 1)
    }
    func sky(_ threshold: Double) -> Background {
      var settings = DetectionSettings()
      settings.mesh = 10
      settings.meshFilter.threshold = threshold
      return Background(meshes, settings)
    }
    // The middle of the middle mesh.
    #expect(sky(2).level(nearX: 16, y: 16) == 10)
    #expect(sky(2.1).level(nearX: 16, y: 16) == 12)
  }

  @Test("A level that is given is that of every pixel, and the noise is the meshes'")
  func given() throws {
    var settings = DetectionSettings()
    settings.mesh = DetectionSettings.MeshSize(width: 64, height: 32)
    settings.backgroundLevel = 0.1
    var random = SplitMix64(seed: 6)
    let values = (0..<200 * 90).map { _ in Float(100 + 5 * random.nextNormal()) }
    let detector = SourceDetector(settings)
    let sky = try detector.background(of: values, width: 200, height: 90)
    let levels = try sky.levels(in: PixelRectangle(x: 70, y: 10, width: 100, height: 80))
    #expect(levels.allSatisfy { $0 == 0.1 })
    #expect(abs(sky.noise - 5) < 0.3 && sky.medianLevel == 0.1)
    #expect(abs(sky.level(nearX: 100, y: 45) - 100) < 2)
    #expect(throws: InvalidScan.self) {
      _ = try SourceDetector().sources(in: values, width: 200, height: 90, over: sky)
    }
    let copy = try JSONDecoder().decode(Background.self, from: try JSONEncoder().encode(sky))
    #expect(try copy.levels(in: PixelRectangle(x: 0, y: 0, width: 9, height: 9))[80] == 0.1)
  }

  @Test("An empty mesh gets the mean of the nearest meshes")
  func emptyMesh() {
    let sky = [1.0, 3].map { MeshSky(level: $0, noise: 1) }
    var estimates = MeshEstimates(columns: 3, rows: 1)
    #expect(estimates.filled.values == Array(repeating: MeshSky(level: 0, noise: 1), count: 3))
    estimates.values = [sky[0], nil, sky[1]]
    #expect(estimates.filled.values.map { $0?.level } == [1, 2, 3])
  }

  @Test("A constant image minus its background is zero")
  func constantImage() throws {
    var plane = Plane(width: 100, height: 70, values: [Float](repeating: 0.1, count: 7000))
    let sky = Background(try MeshEstimates(of: plane, mesh: 64), DetectionSettings())
    let whole = PixelRectangle(x: 0, y: 0, width: 100, height: 70)
    try sky.patch(of: whole).subtract(from: &plane, at: (0, 0))
    // No mesh has any noise, so it is 1, as in SExtractor.
    #expect(sky.noise == 1 && sky.isMainlyConstant)
    #expect(plane.values.allSatisfy { $0 == 0 })
  }

  @Test("A patch of a background has the values of the whole background")
  func patch() throws {
    var random = SplitMix64(seed: 5)
    let levels = MeshGrid(
      columns: 7, rows: 6, values: (0..<42).map { _ in 1000 + 50 * random.nextNormal() })
    let sky = Background(levels: levels, noise: 1, mesh: 64)
    func level(_ rectangle: PixelRectangle) throws -> Plane {
      var plane = Plane(
        width: rectangle.width, height: rectangle.height,
        values: [Float](repeating: 0, count: rectangle.width * rectangle.height))
      let patch = sky.patch(of: rectangle)
      try patch.check()
      try patch.subtract(from: &plane, at: (rectangle.x, rectangle.y))
      return plane
    }
    let whole = try level(PixelRectangle(x: 0, y: 0, width: 430, height: 370))
    for part in [(0, 0, 64, 64), (31, 33, 1, 1), (100, 200, 150, 90), (400, 350, 30, 20)] {
      let rectangle = PixelRectangle(x: part.0, y: part.1, width: part.2, height: part.3)
      let values = rectangle.rows.flatMap { row in
        whole.values[row * 430 + rectangle.x..<row * 430 + rectangle.x + rectangle.width]
      }
      #expect(try level(rectangle).values == values)
    }
    #expect(-whole.values[32 * 430 + 32] != 0)
  }
}
