/// Pixels over the threshold, side by side in one row.
struct Run: Hashable, Sendable {
  let row: Int
  /// Its columns.
  let columns: Range<Int>
  /// Where its smoothed values begin among all that were kept.
  let firstValue: Int
}

/// Finds the runs of a plane that lie over a threshold when smoothed, and which of them hang
/// together, by an edge or a corner.
///
/// Runs instead of pixels, and one pass over the plane: a run joins the runs of the row above that
/// it touches. The joined are a forest in which each tree's root is its first run (He, Chao &
/// Suzuki 2008, IEEE Trans. Image Process. 17, 749).
struct RunFinder {
  /// In the order of their first pixels, row by row.
  private(set) var runs: [Run] = []
  /// The smoothed values of their pixels, run by run.
  private(set) var smoothedValues: [Float] = []

  private let plane: Plane
  private let threshold: Float
  private var parents: [Int] = []
  /// The runs of the row before.
  private var above = 0..<0

  init(_ plane: Plane, threshold: Float) {
    self.plane = plane
    self.threshold = threshold
  }

  /// Finds them all.
  ///
  /// - Throws: `CancellationError`.
  mutating func find() throws {
    var smoother = Smoother(plane)
    var smoothed = [Float](repeating: 0, count: plane.width)
    for row in 0..<plane.height {
      if row.isMultiple(of: 16) { try Task.checkCancellation() }
      smoother.smooth(row: row, into: &smoothed)
      take(row: row, smoothed: smoothed)
    }
  }

  /// Finds the runs of the next row, and which runs of the row before they join.
  mutating func take(row: Int, smoothed: [Float]) {
    let first = runs.count
    collect(row: row, smoothed)
    join(first..<runs.count, with: above)
    above = first..<runs.count
  }

  /// The number of the first run of those that a run hangs together with.
  mutating func root(of run: Int) -> Int {
    var run = run
    while parents[run] != run {
      parents[run] = parents[parents[run]]
      run = parents[run]
    }
    return run
  }

  private mutating func collect(row: Int, _ smoothed: [Float]) {
    let start = row * plane.width
    var column = 0
    while column < plane.width {
      guard smoothed[column] > threshold, !plane.values[start + column].isNaN else {
        column += 1
        continue
      }
      let first = column
      let firstValue = smoothedValues.count
      repeat {
        smoothedValues.append(smoothed[column])
        column += 1
      } while column < plane.width && smoothed[column] > threshold
        && !plane.values[start + column].isNaN
      parents.append(runs.count)
      runs.append(Run(row: row, columns: first..<column, firstValue: firstValue))
    }
  }

  /// Both rows' runs are in order, so one walk along both finds every pair that touches.
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
