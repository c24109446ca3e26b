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
    // Each array is made at once: appending a pixel asks four of them whether there is room.
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
