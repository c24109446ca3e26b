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

  package init(width: Int, height: Int, values: [Float]) {
    precondition(values.count == width * height, "\(values.count) values for \(width) × \(height)")
    self.width = width
    self.height = height
    self.values = values
  }

  /// Gives each value a weight, in proportion to the inverse of its variance. A pixel whose weight
  /// is not positive has no value.
  package mutating func weigh(by weights: [Float]) {
    precondition(weights.count == values.count, "\(weights.count) weights, \(values.count) values")
    for (index, weight) in weights.enumerated() where !(weight > 0 && (1 / weight).isFinite) {
      values[index] = .nan
    }
    variances = weights.map { $0 > 0 ? 1 / $0 : .infinity }
  }

  /// A value's relative variance.
  func variance(at index: Int) -> Double { variances.map { Double($0[index]) } ?? 1 }

  /// Subtracts the background, and interpolates if the settings ask for it.
  ///
  /// - Parameter rectangle: the plane's place in the image.
  /// - Returns: whether each pixel is saturated; nothing if the settings name no saturation level.
  /// - Throws: `CancellationError` if the task is cancelled.
  @discardableResult
  package mutating func flatten(
    over background: BackgroundPatch, at rectangle: PixelRectangle, _ settings: DetectionSettings
  ) throws -> [Bool] {
    let limit = settings.saturation.map { Float($0) }
    var saturation = limit.map { limit in values.map { $0 >= limit } } ?? []
    try background.subtract(from: &self, at: (rectangle.x, rectangle.y))
    if settings.interpolates { Interpolation.fill(&self, &saturation) }
    return saturation
  }
}
