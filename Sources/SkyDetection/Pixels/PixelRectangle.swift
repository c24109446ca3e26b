// What this file codes is frozen by the version of `SourceScan.kind`.

/// A rectangle of pixels of an image.
public struct PixelRectangle: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The first column, from 0.
  public var x: Int
  /// The first row, from 0.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package init(_ box: PixelBox) {
    self.init(
      x: box.columns.lowerBound, y: box.rows.lowerBound, width: box.columns.count,
      height: box.rows.count)
  }

  package var columns: Range<Int> { x..<x + width }
  package var rows: Range<Int> { y..<y + height }

  /// Whether the rectangle contains a box that is not empty.
  package func holds(_ box: PixelBox) -> Bool {
    !box.columns.isEmpty && !box.rows.isEmpty && columns.contains(box.columns)
      && rows.contains(box.rows)
  }

  package func holds(_ other: PixelRectangle) -> Bool {
    columns.clamped(to: other.columns) == other.columns
      && rows.clamped(to: other.rows) == other.rows
  }

  public var description: String { "\(width) × \(height) pixels at column \(x), row \(y)" }

  /// Whether the rectangle is not empty and is within an image of the given size.
  package func isWithin(width imageWidth: Int, height imageHeight: Int) -> Bool {
    x >= 0 && y >= 0 && width > 0 && height > 0
      && width <= imageWidth && height <= imageHeight
      && x <= imageWidth - width && y <= imageHeight - height
  }
}
