// What this file codes is frozen by the version of `SourceScan.kind`.

/// The smallest rectangle that holds some pixels, in the image's columns and rows.
package struct PixelBox: Codable, Hashable, Sendable {
  package var columns: Range<Int>
  package var rows: Range<Int>

  package init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  /// The smallest box that holds both boxes.
  package func union(_ other: PixelBox) -> PixelBox {
    PixelBox(columns: columns.hull(other.columns), rows: rows.hull(other.rows))
  }

  /// The box with a margin around it, which may extend beyond the image.
  package func grown(by margin: Int) -> PixelBox {
    PixelBox(
      columns: columns.lowerBound - margin..<columns.upperBound + margin,
      rows: rows.lowerBound - margin..<rows.upperBound + margin)
  }
}

extension PixelBox: CustomStringConvertible {
  package var description: String {
    "columns \(columns.lowerBound) to \(columns.upperBound - 1), "
      + "rows \(rows.lowerBound) to \(rows.upperBound - 1)"
  }
}

extension Range<Int> {
  fileprivate func hull(_ other: Range) -> Range {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
