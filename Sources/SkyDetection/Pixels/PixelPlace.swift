// What this file codes is frozen by the version of `SourceScan.kind`.

/// A pixel of the image, by its row and column, which count from 0. Pixels compare in row order.
package struct PixelPlace: Codable, Hashable, Comparable, Sendable {
  package var row: Int
  package var column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }

  package static func < (one: PixelPlace, other: PixelPlace) -> Bool {
    (one.row, one.column) < (other.row, other.column)
  }
}

/// Adjacent pixels of the image in one row.
package struct PixelRun: Codable, Hashable, Sendable {
  package var row: Int
  package var columns: Range<Int>

  package init(row: Int, columns: Range<Int>) {
    self.row = row
    self.columns = columns
  }

  var places: some Sequence<PixelPlace> {
    columns.lazy.map { [row] in PixelPlace(row: row, column: $0) }
  }
}
