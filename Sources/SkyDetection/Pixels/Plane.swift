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
  /// The values' relative variances; `nil` if all are the same.
  private(set) var variances: [Float]?

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
    // A pixel without a value has a harmless variance.
    variances = weights.map { weight in
      let variance = 1 / weight
      return weight > 0 && variance.isFinite ? variance : 1
    }
  }

  /// A value's relative standard deviation.
  func deviation(at index: Int) -> Double {
    variances.map { Double($0[index]).squareRoot() } ?? 1
  }

  /// The mean of the variances of the pixels with values; `nil` if there are no weights, or no such
  /// pixels.
  func meanVariance(in box: PixelBox) -> Double? {
    guard let variances else { return nil }
    var (sum, count) = (0.0, 0)
    for row in box.rows {
      for index in row * width + box.columns.lowerBound..<row * width + box.columns.upperBound
      where !values[index].isNaN {
        sum += Double(variances[index])
        count += 1
      }
    }
    return count > 0 ? sum / Double(count) : nil
  }
}
