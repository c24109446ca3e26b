/// Adjacent pixels over the threshold in one row.
struct Run: Hashable, Sendable {
  let row: Int
  /// The run's columns.
  let columns: Range<Int>
  /// The index of the run's first value among all smoothed values.
  let firstValue: Int
}

/// Finds the runs of a plane that exceed a threshold when smoothed, and which of them are connected
/// by an edge or a corner.
///
/// The finder handles runs instead of pixels, in one pass over the plane: each run joins the runs of the
/// row above that it touches. The connected runs are trees of a forest, and each tree's root is its
/// first run (He, Chao & Suzuki 2008, IEEE Trans. Image Process. 17, 749).
struct RunFinder {
  /// The runs in the order of their first pixels, row by row.
  private(set) var runs: [Run] = []
  /// The smoothed values of the runs' pixels, run by run.
  private(set) var smoothedValues: [Float] = []
  /// The thresholds of these pixels, if the plane has variances; otherwise none.
  private(set) var smoothedLimits: [Float] = []

  let plane: Plane
  /// The threshold of a pixel of variance 1.
  let threshold: Float
  /// Whether the thresholds of other pixels follow their variances.
  private let isScaled: Bool
  private let kernel: SmoothingKernel
  private let columns: Range<Int>
  private let rows: Range<Int>
  private var parents: [Int] = []
  /// The runs of the previous row.
  private var above = 0..<0

  /// - Parameters:
  ///   - isScaled: whether thresholds follow variances; if not, all pixels have the same.
  ///   - columns: the columns of the plane to search; all, if it is `nil`.
  ///   - rows: the rows of the plane to search; all, if it is `nil`.
  init(
    _ plane: Plane, threshold: Float, isScaled: Bool = true, kernel: SmoothingKernel = .usual,
    columns: Range<Int>? = nil, rows: Range<Int>? = nil
  ) {
    self.plane = plane
    self.threshold = threshold
    self.isScaled = isScaled
    self.kernel = kernel
    self.columns = columns ?? 0..<plane.width
    self.rows = rows ?? 0..<plane.height
  }

  /// Finds all runs.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  mutating func find() throws {
    var smoother = Smoother(plane, kernel: kernel)
    var smoothed = [Float](repeating: 0, count: plane.width)
    var limits = [Float](repeating: threshold, count: plane.width)
    // As in SExtractor, variances are smoothed like values. So no pixel under whose kernel one has no
    // weight is over its threshold.
    let scaling = isScaled ? plane.variances : nil
    var variances = scaling.map {
      Smoother(Plane(width: plane.width, height: plane.height, values: $0), kernel: kernel)
    }
    for row in rows {
      if row.isMultiple(of: 16) { try Task.checkCancellation() }
      smoother.smooth(row: row, into: &smoothed)
      if variances != nil {
        variances?.smooth(row: row, into: &limits)
        for column in columns { limits[column] = threshold * limits[column].squareRoot() }
      }
      take(row: row, smoothed: smoothed, limits: limits)
    }
  }

  /// Finds the runs of the next row, and joins them with those of the previous row.
  mutating func take(row: Int, smoothed: [Float], limits: [Float]) {
    let first = runs.count
    collect(row: row, smoothed, limits)
    join(first..<runs.count, with: above)
    above = first..<runs.count
  }

  /// The number of the first run that is connected with a run.
  mutating func root(of run: Int) -> Int {
    var run = run
    while parents[run] != run {
      parents[run] = parents[parents[run]]
      run = parents[run]
    }
    return run
  }

  private mutating func collect(row: Int, _ smoothed: [Float], _ limits: [Float]) {
    let (start, end) = (row * plane.width, columns.upperBound)
    plane.values.withUnsafeBufferPointer { values in
      smoothed.withUnsafeBufferPointer { smoothed in
        limits.withUnsafeBufferPointer { limits in
          var column = columns.lowerBound
          while let first = Self.next(from: column, to: end, smoothed, limits) {
            column = first
            while column < end, smoothed[column] > limits[column], !values[start + column].isNaN {
              column += 1
            }
            guard first < column else {
              // This pixel has no value; its bright neighbours raised the smoothed value.
              column += 1
              continue
            }
            parents.append(runs.count)
            runs.append(Run(row: row, columns: first..<column, firstValue: smoothedValues.count))
            smoothedValues.append(
              contentsOf: UnsafeBufferPointer(rebasing: smoothed[first..<column]))
            if plane.variances != nil {
              smoothedLimits.append(
                contentsOf: UnsafeBufferPointer(rebasing: limits[first..<column]))
            }
          }
        }
      }
    }
  }

  /// The next column whose value exceeds its limit.
  @inline(__always)
  private static func next(
    from first: Int, to end: Int, _ values: UnsafeBufferPointer<Float>,
    _ limits: UnsafeBufferPointer<Float>
  ) -> Int? {
    var column = first
    // Most of the sky is empty, so sixteen pixels are skipped at a time.
    typealias Vector = SIMD16<Float>
    let (values, limits) = (UnsafeRawBufferPointer(values), UnsafeRawBufferPointer(limits))
    while column + Vector.scalarCount <= end {
      let isOver =
        values.loadUnaligned(fromByteOffset: 4 * column, as: Vector.self)
        .> limits.loadUnaligned(fromByteOffset: 4 * column, as: Vector.self)
      if any(isOver) { break }
      column += Vector.scalarCount
    }
    while column < end {
      let offset = 4 * column
      if values.loadUnaligned(fromByteOffset: offset, as: Float.self)
        > limits.loadUnaligned(fromByteOffset: offset, as: Float.self)
      {
        return column
      }
      column += 1
    }
    return nil
  }

  /// Both rows' runs are sorted, so one walk along both finds every pair that touches.
  private mutating func join(_ row: Range<Int>, with above: Range<Int>) {
    var (lower, upper) = (row.lowerBound, above.lowerBound)
    while lower < row.upperBound, upper < above.upperBound {
      let (a, b) = (runs[lower].columns, runs[upper].columns)
      if a.lowerBound <= b.upperBound, b.lowerBound <= a.upperBound {
        let (one, other) = (root(of: lower), root(of: upper))
        parents[max(one, other)] = min(one, other)
      }
      if a.upperBound < b.upperBound { lower += 1 } else { upper += 1 }
    }
  }
}
