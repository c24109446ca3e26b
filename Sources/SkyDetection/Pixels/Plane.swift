/// A rectangle of values, row by row; NaN where a pixel has no value.
package struct Plane: Hashable, Sendable {
  /// The largest magnitude of a value.
  package static let largestValue = Float.greatestFiniteMagnitude

  /// A value that is at most this is a mark and not a measurement, so the pixel has no value.
  /// SExtractor marks pixels in this way.
  static let mark: Float = -1e30

  package let width: Int
  package let height: Int
  package var values: [Float]
  /// The values' relative variances; `nil` if all are the same. The variance of a pixel without
  /// weight is infinite.
  var variances: [Float]?
  /// The relative variance from which a pixel is bad: it may have a value, which says nothing of the
  /// sky.
  private(set) var badVariance = Float.infinity

  package init(width: Int, height: Int, values: [Float]) {
    precondition(values.count == width * height, "\(values.count) values for \(width) × \(height)")
    self.width = width
    self.height = height
    self.values = values
  }

  /// Gives each value a variance. A pixel whose variance is infinite has no value.
  ///
  /// - Parameters:
  ///   - weights: the numbers of a file, by default weights in proportion to 1/variance.
  ///   - weighting: what the numbers are.
  package mutating func weigh(
    by weights: [Float], as weighting: DetectionSettings.Weighting = DetectionSettings.Weighting()
  ) {
    precondition(weights.count == values.count, "\(weights.count) weights, \(values.count) values")
    let variances = weights.map(weighting.variance)
    for (index, variance) in variances.enumerated() where !variance.isFinite {
      values[index] = .nan
    }
    self.variances = variances
    badVariance = weighting.badVariance
  }

  /// Whether a pixel is bad, though it may have a value.
  func isBad(_ index: Int) -> Bool { variances.map { $0[index] >= badVariance } ?? false }

  /// A pixel's value, if it has one and is not bad.
  func usableValue(at index: Int) -> Double? {
    let value = values[index]
    return value.isNaN || isBad(index) ? nil : Double(value)
  }

  /// The bad pixels that have variances, and may have values.
  var badPixels: [Int] {
    guard badVariance < .infinity, let variances else { return [] }
    return variances.indices.filter { variances[$0] >= badVariance }
  }

  /// The plane, in which no bad pixel has a value.
  var withoutBadPixels: Plane {
    var plane = self
    for index in badPixels { plane.values[index] = .nan }
    return plane
  }

  /// A value's relative variance.
  func variance(at index: Int) -> Double { variances.map { Double($0[index]) } ?? 1 }

  /// Scales variances to the background's noise, or takes the variances from it.
  private mutating func takeNoise(
    of background: BackgroundPatch, at rectangle: PixelRectangle,
    _ weighting: DetectionSettings.Weighting
  ) throws {
    if weighting.kind == .background {
      variances = try background.variances(in: rectangle)
      badVariance = weighting.badVariance
    } else if variances != nil {
      badVariance /= Float(background.unitNoise * background.unitNoise)
    }
  }

  /// Subtracts the background, and interpolates if the settings ask for it.
  ///
  /// - Parameter rectangle: the plane's place in the image.
  /// - Returns: whether each pixel is saturated; nothing if none is, or the settings name no saturation level.
  /// - Throws: `CancellationError` if the task is cancelled.
  @discardableResult
  package mutating func flatten(
    over background: BackgroundPatch, at rectangle: PixelRectangle, _ settings: DetectionSettings
  ) throws -> [Bool] {
    var saturation = settings.saturation.map { isAtLeast(Float($0)) } ?? []
    try background.subtract(from: &self, at: (rectangle.x, rectangle.y))
    try takeNoise(of: background, at: rectangle, settings.weighting)
    if settings.interpolates { Interpolation.fill(&self, &saturation) }
    return saturation
  }

  /// Whether each value is at least as large as a limit; nothing if none is.
  private func isAtLeast(_ limit: Float) -> [Bool] {
    typealias Vector = SIMD16<Float>
    var result: [Bool] = []
    func note(_ indices: Range<Int>) {
      for index in indices where values[index] >= limit {
        if result.isEmpty { result = [Bool](repeating: false, count: values.count) }
        result[index] = true
      }
    }
    let whole = values.count - values.count % Vector.scalarCount
    values.withUnsafeBytes { bytes in
      // Few pixels are saturated, so sixteen are skipped at a time.
      for index in stride(from: 0, to: whole, by: Vector.scalarCount)
      where any(bytes.loadUnaligned(fromByteOffset: 4 * index, as: Vector.self) .>= limit) {
        note(index..<index + Vector.scalarCount)
      }
    }
    note(whole..<values.count)
    return result
  }
}
