/// A rectangle of values, row by row; NaN where there is none.
package struct Plane: Hashable, Sendable {
  /// What no value surpasses, either way.
  package static let largestValue = Float.greatestFiniteMagnitude

  /// A value at or under this is taken for a mark and not a measurement, and left out: SExtractor
  /// marks pixels so.
  static let mark: Float = -1e30

  package let width: Int
  package let height: Int
  package var values: [Float]
  /// The values' variances in proportion to each other, if they are not all the same.
  private(set) var variances: [Float]?

  package init(width: Int, height: Int, values: [Float]) {
    precondition(values.count == width * height, "\(values.count) values for \(width) × \(height)")
    self.width = width
    self.height = height
    self.values = values
  }

  /// Gives each value a weight, which is in proportion to the inverse of its variance. Where it is
  /// not positive, there is no value.
  package mutating func weigh(by weights: [Float]) {
    precondition(weights.count == values.count, "\(weights.count) weights, \(values.count) values")
    for (index, weight) in weights.enumerated() where !(weight > 0 && (1 / weight).isFinite) {
      values[index] = .nan
    }
    // Where there is no value, a variance that does no harm.
    variances = weights.map { weight in
      let variance = 1 / weight
      return weight > 0 && variance.isFinite ? variance : 1
    }
  }

  /// A value's standard deviation, in proportion to the others'.
  func deviation(at index: Int) -> Double {
    variances.map { Double($0[index]).squareRoot() } ?? 1
  }

  /// The mean of the variances where there are values.
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
