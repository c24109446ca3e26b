/// Where a patch's pixels have low weights, for the counts of ``Source/LowWeights``.
struct LowWeightMap {
  struct Marks: OptionSet {
    let rawValue: UInt8

    /// The pixel is bad.
    static let low = Marks(rawValue: 1)
    /// The smoothed variance of the pixel, or of one of its eight neighbours, is that of a bad pixel.
    static let steep = Marks(rawValue: 1 << 1)
  }

  /// The marks of the plane's pixels; empty if these have no variances.
  private let marks: [Marks]

  /// SExtractor has this for the variance of a pixel without weight.
  private static let infinite = DetectionSettings.Weighting.infinite
  /// In SExtractor 2.25, a smoothed variance is low at least from here on: where the kernel has a ten
  /// thousandth of its weight over a pixel without weight.
  private static let largest = infinite / 10_000

  /// Marks the pixels of a plane after the background was subtracted.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  init(of plane: Plane, kernel: SmoothingKernel) throws {
    guard let variances = plane.variances else {
      marks = []
      return
    }
    let (width, limit) = (plane.width, min(plane.badVariance, Self.largest))
    // Whether each pixel's smoothed variance is low, with a column and a row of other pixels around.
    let stride = width + 2
    var isSteep = [Bool](repeating: false, count: stride * (plane.height + 2))
    var smoother = Smoother(
      Plane(
        width: width, height: plane.height, values: variances.map { min($0, Self.infinite) }),
      kernel: kernel)
    var smoothed = [Float](repeating: 0, count: width)
    for row in 0..<plane.height {
      if row.isMultiple(of: 16) { try Task.checkCancellation() }
      smoother.smooth(row: row, into: &smoothed)
      for column in 0..<width where smoothed[column] >= limit {
        isSteep[(row + 1) * stride + column + 1] = true
      }
    }
    var marks = [Marks](repeating: [], count: variances.count)
    for row in 0..<plane.height {
      for column in 0..<width {
        let (index, first) = (row * width + column, row * stride + column)
        if variances[index] >= plane.badVariance { marks[index].insert(.low) }
        for corner in [first, first + stride, first + 2 * stride]
        where isSteep[corner] || isSteep[corner + 1] || isSteep[corner + 2] {
          marks[index].insert(.steep)
        }
      }
    }
    self.marks = marks
  }

  /// The marks of the pixel with an index in the plane.
  subscript(index: Int) -> Marks { marks.isEmpty ? [] : marks[index] }
}

extension Component {
  /// The counts of each of the component's sources.
  ///
  /// - Parameters:
  ///   - count: the number of sources.
  ///   - owners: the source of each pixel; empty if there is one source.
  ///   - marks: the marks of each pixel.
  func lowWeights(
    of count: Int, owners: [Int], _ marks: [LowWeightMap.Marks]
  ) -> [Source.LowWeights] {
    var counts = [Source.LowWeights](
      repeating: Source.LowWeights(low: 0, steep: 0), count: count)
    for (pixel, marks) in marks.enumerated() {
      let owner = owners.isEmpty ? 0 : owners[pixel]
      if marks.contains(.low) { counts[owner].low += 1 }
      if marks.contains(.steep) { counts[owner].steep += 1 }
    }
    return counts
  }
}
