import Testing

@testable import SkyDetection

/// The numbers that SExtractor 2.25 prints with each kind of weights.
@Suite("Kinds of weights")
struct WeightingTests {
  typealias Weighting = DetectionSettings.Weighting

  /// What SExtractor printed of a source.
  struct Row {
    var x, y, flux, error, apertureFlux, apertureError, threshold: Double

    init(
      _ x: Double, _ y: Double, _ flux: Double, _ error: Double, _ apertureFlux: Double,
      _ apertureError: Double, _ threshold: Double
    ) {
      (self.x, self.y, self.flux, self.error) = (x, y, flux, error)
      (self.apertureFlux, self.apertureError) = (apertureFlux, apertureError)
      self.threshold = threshold
    }

    func agrees(_ sources: [Source], within part: Double = 2e-4) -> Bool {
      guard let source = sources.near(x, y) else { return false }
      return isPrinted(source.flux, flux, within: part)
        && isPrinted(source.variance.squareRoot(), error, within: part)
        && isPrinted(source.apertureFluxes.first, apertureFlux, within: part)
        && isPrinted(source.apertureVariances.first?.squareRoot(), apertureError, within: part)
        && isPrinted((source.thresholds?.detection).map(Double.init), threshold, within: part)
    }
  }

  private func expect(
    _ rows: [Row], noise: Double, _ weights: [Float]?, _ weighting: Weighting,
    within part: Double = 2e-4, interpolates: Bool = true
  ) throws {
    let sources = try HashedSky.sources(weights: weights) {
      $0.weighting = weighting
      $0.interpolates = interpolates
    }
    #expect(sources.count == 10)
    #expect(isPrinted(try HashedSky.noise(weights: weights, weighting), noise))
    for row in rows { #expect(row.agrees(sources, within: part), "\(row): \(sources)") }
  }

  @Test("Standard deviations are taken as they are, and noise is the background's")
  func deviations() throws {
    try expect(
      [
        Row(166.1245, 161.6256, 1065.748, 38.99533, 1142.273, 43.87795, 15),
        Row(141.8476, 131.2698, 2172.343, 52.1889, 2131.825, 52.65941, 15),
        Row(31.312, 41.1436, 4155.944, 85.18988, 3941.981, 84.45988, 9),
      ], noise: 3.96909, HashedSky.deviations, Weighting(kind: .deviation))
  }

  @Test("Variances are scaled to the noise, or the noise is divided by the scale")
  func variances() throws {
    try expect(
      [
        Row(166.1245, 161.6256, 1065.748, 39.04582, 1142.273, 43.93477, 15.01942),
        Row(31.312, 41.1436, 4155.944, 85.30019, 3941.981, 84.56925, 9.011654),
      ], noise: 3.96909, HashedSky.variances, Weighting(kind: .variance))
    try expect(
      [
        Row(166.1592, 161.673, 988.9733, 43.43674, 1142.008, 53.72725, 21.2132),
        Row(141.7991, 131.3146, 2118.78, 59.03844, 2128.843, 61.1531, 21.2132),
        Row(31.314, 41.1304, 4079.887, 92.54651, 3939.326, 92.30754, 12.72792),
      ], noise: 5.60588, HashedSky.variances, Weighting(kind: .variance, rescales: false))
  }

  @Test("Weights that are not scaled are 1/variance, and the noise is divided by the scale")
  func weights() throws {
    try expect(
      [
        Row(166.2002, 161.6594, 1197.221, 33.47049, 1143.818, 33.17339, 5.669467),
        Row(141.79, 131.3644, 2335.901, 45.64277, 2128.184, 44.17321, 5.669467),
        Row(31.3178, 41.172, 4252.35, 77.88163, 3948.126, 77.2059, 3.40168),
      ], noise: 1.49823, HashedSky.weights, Weighting(rescales: false))
  }

  /// Between the meshes' centres the noise is not quite SExtractor's, as the level is; see docs/survey.md.
  @Test("The background's noise stands for weights without a file")
  func background() throws {
    try expect(
      [
        Row(166.1245, 161.6256, 1065.748, 39.57991, 1142.273, 44.54148, 15.14472),
        Row(141.8457, 131.3026, 2208.597, 49.86513, 2148.865, 49.94085, 14.05923),
        Row(31.3045, 41.197, 4194.46, 41.49905, 3948.834, 39.262, 8.81927),
      ], noise: 3.96909, nil, Weighting(kind: .background), within: 1e-3)
  }

  @Test("A bad pixel counts for a source's light, and is replaced in a circle or interpolated")
  func bad() throws {
    let weighting = Weighting(kind: .deviation, threshold: 7)
    try expect(
      [
        Row(141.4756, 130.7529, 1084.431, 39.50266, 2003.43, 51.94191, 15),
        Row(31.312, 41.1436, 4155.947, 85.1899, 2602.407, 33.37111, 9),
      ], noise: 3.96909, HashedSky.deviations, weighting, interpolates: false)
    try expect(
      [
        Row(141.8476, 131.2698, 2172.344, 52.18891, 2131.825, 52.65942, 15),
        Row(31.3882, 40.2185, 1949.872, 31.30458, 1791.252, 30.11828, 9),
      ], noise: 3.96909, HashedSky.deviations, weighting)
  }

  /// What SExtractor prints of two stars: NLOWWEIGHT_ISO and NLOWDWEIGHT_ISO.
  @Test(
    "Pixels with low weights are counted, and those beside them",
    arguments: [
      (Weighting(kind: .deviation, threshold: 7), false, [20, 32], [0, 16]),
      (Weighting(kind: .deviation, threshold: 7), true, [0, 0], [0, 0]),
      (Weighting(kind: .deviation), false, [0, 0], [0, 16]),
      (Weighting(kind: .variance, threshold: 60), false, [20, 20], [0, 16]),
    ])
  func lowWeights(
    weighting: Weighting, interpolates: Bool, first: [Int32], second: [Int32]
  ) throws {
    let map = weighting.kind == .variance ? HashedSky.variances : HashedSky.deviations
    let sources = try HashedSky.sources(weights: map) {
      $0.weighting = weighting
      $0.interpolates = interpolates
      $0.measures = .weightCounts
    }
    func counts(_ x: Double, _ y: Double) -> [Int32]? {
      let source = sources.first { abs($0.x - x) < 1 && abs($0.y - y) < 1 }
      return source?.weightCounts.map { [$0.low, $0.steep] }
    }
    #expect(counts(31.35, 40.7) == first)
    #expect(counts(141.6, 131) == second)
    #expect(
      try HashedSky.sources { $0.measures = .weightCounts }.allSatisfy {
        $0.weightCounts == Source.LowWeights(low: 0, steep: 0)
      })
  }

  @Test("Weights are refused where the background's noise stands for them, and odd thresholds too")
  func refused() {
    #expect(throws: InvalidScan.self) {
      try HashedSky.sources(weights: HashedSky.weights) { $0.weighting.kind = .background }
    }
    for threshold in [-1, .nan, Double.infinity] {
      #expect(throws: InvalidScan.self) {
        try HashedSky.sources { $0.weighting.threshold = threshold }
      }
    }
  }

  @Test("The noise at nodes makes the same variances in any cut")
  func cuts() throws {
    let side = HashedSky.side
    var plane = Plane(width: side, height: side, values: HashedSky.pixels)
    var settings = HashedSky.settings
    let meshes = try MeshEstimates(of: plane, mesh: settings.mesh)
    let plain = Background(meshes, settings)
    settings.weighting.kind = .background
    let background = Background(meshes, settings)
    let whole = PixelRectangle(x: 0, y: 0, width: side, height: side)
    let all = try background.patch(of: whole).variances(in: whole)
    let part = PixelRectangle(x: 70, y: 90, width: 40, height: 30)
    let some = try background.patch(of: part).variances(in: part)
    #expect(
      some == part.rows.flatMap { row in part.columns.map { all[row * side + $0] } })
    #expect(throws: InvalidScan.self) {
      try plane.flatten(over: plain.patch(of: whole), at: whole, settings)
    }
  }
}
