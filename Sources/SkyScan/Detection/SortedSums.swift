/// Values in ascending order with their running sums: mean, deviation and median of any run of
/// them cost next to nothing, and clipping only moves the ends of the run.
struct SortedSums {
  struct Statistics: Hashable {
    var mean: Double
    var median: Double
    var sigma: Double
  }

  private let values: [Float]
  /// What is subtracted before summing, so that squares do not lose what deviations are made of.
  private let pivot: Double
  private let sums: [Double]
  private let squares: [Double]

  /// - Parameter values: ascending, at least one.
  init(_ values: [Float]) {
    self.values = values
    let pivot = Double(values[values.count / 2])
    self.pivot = pivot
    var (sum, square) = (0.0, 0.0)
    sums =
      [0]
      + values.map { value in
        sum += Double(value) - pivot
        return sum
      }
    squares =
      [0]
      + values.map { value in
        let deviation = Double(value) - pivot
        square += deviation * deviation
        return square
      }
  }

  /// The values within a distance of a centre; if there are none, the one that comes next.
  func range(about center: Double, within distance: Double) -> Range<Int> {
    let start = firstIndex { $0 >= center - distance }
    let end = firstIndex { $0 > center + distance }
    if start < end { return start..<end }
    let next = min(start, values.count - 1)
    return next..<next + 1
  }

  func statistics(_ range: Range<Int>) -> Statistics {
    let count = Double(range.count)
    let mean = (sums[range.upperBound] - sums[range.lowerBound]) / count
    let square = (squares[range.upperBound] - squares[range.lowerBound]) / count
    return Statistics(
      mean: pivot + mean, median: median(range),
      sigma: max(0, square - mean * mean).squareRoot())
  }

  private func median(_ range: Range<Int>) -> Double {
    let middle = range.lowerBound + range.count / 2
    if range.count.isMultiple(of: 2) {
      return (Double(values[middle - 1]) + Double(values[middle])) / 2
    }
    return Double(values[middle])
  }

  private func firstIndex(_ holds: (Double) -> Bool) -> Int {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(Double(values[middle])) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
