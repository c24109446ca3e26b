/// Connected pixels over the threshold, row by row.
struct Component {
  /// The smallest rectangle that holds the pixels, in the plane's columns and rows.
  private(set) var columns = 0..<0
  private(set) var rows = 0..<0
  /// The place in the image of the rectangle's first pixel.
  private(set) var origin = PixelPlace(row: 0, column: 0)
  /// Each pixel's place, counted from the rectangle's first column and row.
  private(set) var x: [Int32] = []
  private(set) var y: [Int32] = []
  /// The pixels' smoothed and unsmoothed values.
  private(set) var smoothed: [Float] = []
  private(set) var values: [Float] = []
  /// The pixels' relative variances, and the thresholds of their smoothed values; empty if all are the
  /// same.
  private(set) var variances: [Float] = []
  private(set) var limits: [Float] = []
  /// The lowest of the thresholds.
  private(set) var threshold = Float.infinity
  /// The threshold of an unsmoothed pixel of variance 1 that counts for the isophotal area.
  private(set) var analysisThreshold: Float = 0

  var area: Int { x.count }
  var width: Int { columns.count }
  var height: Int { rows.count }

  /// Replaces the pixels by those of other runs.
  ///
  /// - Parameter patch: the place in the image of the plane's first pixel.
  mutating func replace(
    by runs: some Sequence<Run>, of finder: borrowing RunFinder, at patch: PixelPlace,
    analysisThreshold: Float
  ) {
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
    origin = PixelPlace(row: patch.row + top, column: patch.column + first)
    let width = finder.plane.width
    Self.fill(&x, area, runs) { run, column, _ in Int32(column - first) }
    Self.fill(&y, area, runs) { run, _, _ in Int32(run.row - top) }
    finder.smoothedValues.withUnsafeBufferPointer { kept in
      Self.fill(&smoothed, area, runs) { run, _, offset in kept[run.firstValue + offset] }
    }
    finder.plane.values.withUnsafeBufferPointer { pixels in
      Self.fill(&values, area, runs) { run, column, _ in pixels[run.row * width + column] }
    }
    self.analysisThreshold = analysisThreshold
    threshold = finder.threshold
    variances.removeAll(keepingCapacity: true)
    limits.removeAll(keepingCapacity: true)
    guard let all = finder.plane.variances else { return }
    all.withUnsafeBufferPointer { all in
      Self.fill(&variances, area, runs) { run, column, _ in all[run.row * width + column] }
    }
    finder.smoothedLimits.withUnsafeBufferPointer { kept in
      Self.fill(&limits, area, runs) { run, _, offset in kept[run.firstValue + offset] }
    }
    threshold = limits.min() ?? threshold
  }

  /// A pixel as its source is measured with it.
  @inline(__always)
  func measured(_ pixel: Int) -> MeasuredPixel {
    let limit =
      variances.isEmpty ? analysisThreshold : analysisThreshold * variances[pixel].squareRoot()
    return MeasuredPixel(
      place: PixelPlace(
        row: origin.row + Int(y[pixel]), column: origin.column + Int(x[pixel])),
      value: values[pixel], smoothed: smoothed[pixel], isOverThreshold: values[pixel] > limit)
  }

  /// How far smoothed pixels are over their thresholds.
  func excesses(of pixels: [Int32]) -> [Float] {
    pixels.map { pixel in
      smoothed[Int(pixel)] - (limits.isEmpty ? threshold : limits[Int(pixel)])
    }
  }

  /// Replaces an array's elements by a value for each pixel of the runs. The array keeps its memory
  /// from component to component.
  @inline(__always)
  private static func fill<Value: Numeric>(
    _ array: inout [Value], _ area: Int, _ runs: some Sequence<Run>,
    _ value: (Run, _ column: Int, _ offset: Int) -> Value
  ) {
    array.removeAll(keepingCapacity: true)
    array.append(contentsOf: repeatElement(0, count: area))
    array.withUnsafeMutableBufferPointer { buffer in
      guard var place = buffer.baseAddress else { return }
      for run in runs {
        let (first, count) = (run.columns.lowerBound, run.columns.count)
        for offset in 0..<count { place[offset] = value(run, first + offset, offset) }
        place += count
      }
    }
  }
}
