/// A rectangle of pixels: its first column and row, which count from 0, and its size in pixels.
public struct PixelRectangle: Codable, Hashable, Sendable, CustomStringConvertible {
  public var x: Int
  public var y: Int
  public var width: Int
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
