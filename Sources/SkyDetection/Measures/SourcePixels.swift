/// A patch's pixels as one source is measured with them: without those of other sources.
///
/// Measuring ellipses is most of what FLUX_AUTO costs, so the pixels are read without checks of
/// bounds. Indices count the patch's pixels row by row.
struct SourcePixels {
  private let values: UnsafeBufferPointer<Float>
  private let labels: UnsafeBufferPointer<Int32>
  let patch: PixelRectangle
  /// The labels of the source's own pixels: that of its component, and that of its part of it.
  private let component: Int32
  private let part: Int32
  /// The sum of the columns, and of the rows, of two pixels that are opposite to each other.
  private let columnSum: Int
  private let rowSum: Int

  init(
    values: UnsafeBufferPointer<Float>, labels: UnsafeBufferPointer<Int32>, patch: PixelRectangle,
    component: Int32, part: Int32, _ source: Source
  ) {
    (self.values, self.labels, self.patch) = (values, labels, patch)
    (self.component, self.part) = (component, part)
    func sum(_ center: Double) -> Int { Int((2 * (center - 1) + 0.49999).rounded(.down)) }
    (columnSum, rowSum) = (sum(source.x), sum(source.y))
  }

  /// A pixel's index. The pixel must be in the patch.
  @inline(__always)
  func index(_ column: Int, _ row: Int) -> Int {
    (row - patch.y) * patch.width + column - patch.x
  }

  /// The value of the pixel with an index; `nil` if it has none, or belongs to another source.
  @inline(__always)
  func value(at index: Int) -> Double? {
    let label = labels[index]
    guard label == 0 || label == component || label == part else { return nil }
    let value = values[index]
    return value.isNaN ? nil : Double(value)
  }

  /// The replacement for a pixel that has no value of the source: the value of the opposite pixel
  /// across the source's centre, or 0 if that has none either.
  func opposite(_ column: Int, _ row: Int) -> Double {
    let (column, row) = (columnSum - column, rowSum - row)
    guard patch.columns.contains(column), patch.rows.contains(row) else { return 0 }
    return value(at: index(column, row)) ?? 0
  }
}
