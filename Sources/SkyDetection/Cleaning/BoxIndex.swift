/// A spatial index of boxes, by strips of image rows.
package struct BoxIndex {
  private static let step = 64
  private var rows: [Int: [(index: Int, box: PixelBox)]] = [:]

  package init(_ boxes: [(Int, PixelBox)]) {
    for (index, box) in boxes {
      for row in box.rows.lowerBound / Self.step...(box.rows.upperBound - 1) / Self.step {
        rows[row, default: []].append((index, box))
      }
    }
  }

  /// Whether a box shares a pixel with the given one.
  package func holds(in box: PixelBox) -> Bool {
    var holds = false
    forEach(in: box) { _ in holds = true }
    return holds
  }

  /// Calls the closure with every box that shares a pixel with the given box; with some boxes more
  /// than once.
  package func forEach(in box: PixelBox, _ body: (Int) -> Void) {
    let (first, last) = (max(0, box.rows.lowerBound), max(0, box.rows.upperBound - 1))
    for row in first / Self.step...max(first, last) / Self.step {
      for (index, other) in rows[row] ?? []
      where other.columns.overlaps(box.columns) && other.rows.overlaps(box.rows) { body(index) }
    }
  }
}
