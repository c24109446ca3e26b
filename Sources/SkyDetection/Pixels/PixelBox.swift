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
    "\(Self.text(of: columns, "columns")), \(Self.text(of: rows, "rows"))"
  }

  /// A box from a peer may be any: an empty one may end at the least number, which has none before it.
  private static func text(of range: Range<Int>, _ what: String) -> String {
    range.isEmpty ? "no \(what)" : "\(what) \(range.lowerBound) to \(range.upperBound - 1)"
  }
}

extension Range<Int> {
  fileprivate func hull(_ other: Range) -> Range {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
