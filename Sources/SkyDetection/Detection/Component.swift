/// Connected pixels over the threshold, row by row.
struct Component {
  /// The smallest rectangle that holds the pixels, in the plane's columns and rows.
  private(set) var columns = 0..<0
  private(set) var rows = 0..<0
  /// Each pixel's place, counted from the rectangle's first column and row.
  private(set) var x: [Int32] = []
  private(set) var y: [Int32] = []
  /// The pixels' smoothed and unsmoothed values.
  private(set) var smoothed: [Float] = []
  private(set) var values: [Float] = []
  /// The pixels' relative variances; empty if all are the same.
  private(set) var variances: [Float] = []
  /// The lowest of the pixels' thresholds.
  private(set) var threshold = Float.infinity

  /// The threshold of a pixel of variance 1.
  private(set) var unitThreshold: Float = 0

  var area: Int { x.count }
  var width: Int { columns.count }
  var height: Int { rows.count }

  /// Replaces the pixels by those of other runs.
  mutating func replace(by runs: some Sequence<Run>, of finder: borrowing RunFinder) {
    var (first, last) = (Int.max, 0)
    var (top, bottom) = (Int.max, 0)
    var area = 0
    for run in runs {
      first = min(first, run.columns.lowerBound)
      last = max(last, run.columns.upperBound)
      top = min(top, run.row)
      bottom = max(bottom, run.row + 1)
      area += run.columns.count
    }
    columns = first..<last
    rows = top..<bottom
    // Each array is allocated once: with appending, every pixel would check four arrays for room.
    func gathered<Value>(_ value: (Run, _ column: Int) -> Value) -> [Value] {
      [Value](unsafeUninitializedCapacity: area) { buffer, count in
        for run in runs {
          for column in run.columns {
            buffer.initializeElement(at: count, to: value(run, column))
            count += 1
          }
        }
      }
    }
    let (width, pixels, kept) = (finder.plane.width, finder.plane.values, finder.smoothedValues)
    x = gathered { Int32($1 - first) }
    y = gathered { run, _ in Int32(run.row - top) }
    smoothed = gathered { run, column in kept[run.firstValue + column - run.columns.lowerBound] }
    values = gathered { run, column in pixels[run.row * width + column] }
    unitThreshold = finder.threshold
    threshold = finder.threshold
    variances = []
    guard let all = finder.plane.variances else { return }
    variances = gathered { run, column in all[run.row * width + column] }
    threshold *= (variances.min() ?? 1).squareRoot()
  }
}
