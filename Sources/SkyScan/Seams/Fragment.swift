/// What a sector has of a component that its patch does not hold whole.
///
/// The coordinator joins such fragments: two are of one component if a pixel just outside of the
/// one's sector is on the outline of the other's.
public struct Fragment: Codable, Hashable, Sendable {
  /// The smallest rectangle that holds its pixels, all in the sector.
  var box: PixelBox
  /// Its first pixel.
  var first: PixelPlace
  /// Its pixels on the sector's outline.
  var outline: [PixelRun]
  /// The component's pixels just outside of the sector.
  var outside: [PixelRun]
  var sums: ExactSums
}

/// A pixel of the image, by its row and column from 0; in the order in which an image is read.
struct PixelPlace: Codable, Hashable, Comparable, Sendable {
  var row: Int
  var column: Int

  static func < (one: PixelPlace, other: PixelPlace) -> Bool {
    (one.row, one.column) < (other.row, other.column)
  }
}

/// Pixels of the image side by side in a row.
struct PixelRun: Codable, Hashable, Sendable {
  var row: Int
  var columns: Range<Int>

  var places: some Sequence<PixelPlace> {
    columns.lazy.map { [row] in PixelPlace(row: row, column: $0) }
  }
}
