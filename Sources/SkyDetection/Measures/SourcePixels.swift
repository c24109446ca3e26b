/// A patch's pixels as one source is measured with them: without those of other sources.
///
/// Measuring ellipses is most of what FLUX_AUTO costs, so the pixels are read without checks of
/// bounds. Indices count the patch's pixels row by row.
struct SourcePixels {
  private let values: UnsafeBufferPointer<Float>
  /// The values' relative variances; `nil` if all are the same.
  private let variances: UnsafeBufferPointer<Float>?
  private let labels: UnsafeBufferPointer<Int32>
  let patch: PixelRectangle
  /// The labels of the source's own pixels: that of its component, and that of its part of it.
  private let component: Int32
  private let part: Int32
  /// Whether an opposite pixel stands for one without a value of the source.
  private let mirrors: Bool
  /// The sum of the columns, and of the rows, of two pixels that are opposite to each other.
  private var columnSum = 0
  private var rowSum = 0
  /// The columns and rows of pixels that may stand for their opposites.
  private var columns: Range<Int>
  private var rows: Range<Int>

  init(
    values: UnsafeBufferPointer<Float>, variances: UnsafeBufferPointer<Float>?,
    labels: UnsafeBufferPointer<Int32>, patch: PixelRectangle, component: Int32, part: Int32,
    mirrors: Bool, _ source: Source
  ) {
    (self.values, self.variances, self.labels) = (values, variances, labels)
    (self.patch, self.component, self.part) = (patch, component, part)
    self.mirrors = mirrors
    (columns, rows) = (patch.columns, patch.rows)
    center(x: source.x, y: source.y)
  }

  /// Sets the centre that pixels are opposite to each other across, in pixels from 1. At first it is
  /// the source's barycentre.
  ///
  /// - Parameter box: where pixels are measured, not far from the centre. Where the box ends before the
  ///   opposites of its pixels do, these have none, whatever the patch has of them.
  mutating func center(x: Double, y: Double, in box: PixelBox) {
    let box = box.grown(by: 1)
    (columns, rows) = (
      box.columns.clamped(to: patch.columns), box.rows.clamped(to: patch.rows)
    )
    center(x: x, y: y)
  }

  private mutating func center(x: Double, y: Double) {
    func sum(_ center: Double) -> Int { Int((2 * (center - 1) + 0.49999).rounded(.down)) }
    (columnSum, rowSum) = (sum(x), sum(y))
  }

  /// A pixel's index. The pixel must be in the patch.
  @inline(__always)
  func index(_ column: Int, _ row: Int) -> Int {
    (row - patch.y) * patch.width + column - patch.x
  }

  /// Whether the pixel with an index belongs to another source.
  @inline(__always)
  func isOther(at index: Int) -> Bool {
    let label = labels[index]
    return !(label == 0 || label == component || label == part)
  }

  /// The value of the pixel with an index; `nil` if it has none, or belongs to another source.
  @inline(__always)
  func value(at index: Int) -> Double? {
    guard !isOther(at: index) else { return nil }
    let value = values[index]
    return value.isNaN ? nil : Double(value)
  }

  /// The replacement for a pixel that has no value of the source: the value of the opposite pixel
  /// across the centre, or 0 if that has none either or none is to stand for another.
  func opposite(_ column: Int, _ row: Int) -> Double {
    oppositeIndex(column, row).flatMap { value(at: $0) } ?? 0
  }

  private func oppositeIndex(_ column: Int, _ row: Int) -> Int? {
    let (column, row) = (columnSum - column, rowSum - row)
    guard mirrors, columns.contains(column), rows.contains(row) else { return nil }
    return index(column, row)
  }

  /// The value and the relative variance that a pixel counts with: its own, or those of the opposite
  /// pixel. If that has no value either, the value is 0; so is the variance of a weighted pixel.
  @inline(__always)
  func measured(_ column: Int, _ row: Int) -> (value: Double, variance: Double) {
    let own = index(column, row)
    if let value = value(at: own) { return (value, variance(at: own)) }
    guard let opposite = oppositeIndex(column, row), let value = value(at: opposite) else {
      return (0, variances == nil ? 1 : 0)
    }
    return (value, variance(at: opposite))
  }

  @inline(__always)
  private func variance(at index: Int) -> Double { variances.map { Double($0[index]) } ?? 1 }
}
