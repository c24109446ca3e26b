/// The part of a patch in which everything is known of a pixel: all of it but its outermost pixels,
/// which are smoothed with what lies outside. Where the image ends, so does what is to be known.
package struct Sight: Hashable {
  /// In the image.
  package let columns: Range<Int>
  package let rows: Range<Int>
  private let cutsLeft: Bool
  private let cutsRight: Bool
  private let cutsTop: Bool
  private let cutsBottom: Bool

  package init(of patch: PixelRectangle, in grid: SectorGrid, reach: Int) {
    cutsLeft = patch.x > 0
    cutsTop = patch.y > 0
    cutsRight = patch.x + patch.width < grid.width
    cutsBottom = patch.y + patch.height < grid.height
    func range(_ first: Int, _ count: Int, _ cutsStart: Bool, _ cutsEnd: Bool) -> Range<Int> {
      let start = first + (cutsStart ? reach : 0)
      // In a patch that is too narrow nothing is known of any pixel.
      return start..<max(start, first + count - (cutsEnd ? reach : 0))
    }
    columns = range(patch.x, patch.width, cutsLeft, cutsRight)
    rows = range(patch.y, patch.height, cutsTop, cutsBottom)
  }

  /// Whether pixels that hang together, and fill a rectangle of the image, may go on outside.
  package func cuts(_ box: PixelBox) -> Bool {
    cutsLeft && box.columns.lowerBound <= columns.lowerBound
      || cutsRight && box.columns.upperBound >= columns.upperBound
      || cutsTop && box.rows.lowerBound <= rows.lowerBound
      || cutsBottom && box.rows.upperBound >= rows.upperBound
  }
}
