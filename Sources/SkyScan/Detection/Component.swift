/// Pixels over the threshold that hang together, row by row.
struct Component {
  /// The smallest rectangle that holds them, by the plane's columns and rows.
  private(set) var columns = 0..<0
  private(set) var rows = 0..<0
  /// Where each pixel is, counted from the rectangle's first column and row.
  private(set) var x: [Int32] = []
  private(set) var y: [Int32] = []
  /// What the pixels are when smoothed, and when not.
  private(set) var smoothed: [Float] = []
  private(set) var values: [Float] = []
  /// The pixels' variances in proportion to each other, if they are not all the same.
  private(set) var variances: [Float] = []
  /// The lowest of what its pixels had to surpass.
  private(set) var threshold = Float.infinity

  /// What pixels of variance 1 had to surpass.
  private(set) var unitThreshold: Float = 0

  var area: Int { x.count }
  var width: Int { columns.count }
  var height: Int { rows.count }

  /// Puts other pixels in the place of these.
  mutating func replace(by runs: some Sequence<Run>, of finder: borrowing RunFinder) {
    var (first, last) = (Int.max, 0)
    var (top, bottom) = (Int.max, 0)
    for run in runs {
      first = min(first, run.columns.lowerBound)
      last = max(last, run.columns.upperBound)
      top = min(top, run.row)
      bottom = max(bottom, run.row + 1)
    }
    columns = first..<last
    rows = top..<bottom
    x.removeAll(keepingCapacity: true)
    y.removeAll(keepingCapacity: true)
    smoothed.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    variances.removeAll(keepingCapacity: true)
    unitThreshold = finder.threshold
    threshold = finder.plane.variances == nil ? finder.threshold : .infinity
    for run in runs {
      let start = run.row * finder.plane.width
      for (offset, column) in run.columns.enumerated() {
        x.append(Int32(column - first))
        y.append(Int32(run.row - top))
        smoothed.append(finder.smoothedValues[run.firstValue + offset])
        values.append(finder.plane.values[start + column])
      }
      guard let all = finder.plane.variances else { continue }
      for column in run.columns {
        variances.append(all[start + column])
        threshold = min(threshold, finder.limit(run.row, column))
      }
    }
  }
}
