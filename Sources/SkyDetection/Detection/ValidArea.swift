/// The part of a patch where the smoothed values are complete: all but the patch's outermost
/// pixels, whose smoothed values would need pixels outside of the patch. At the edge of the image
/// there are no such pixels, so the area extends to the edge.
package struct ValidArea: Hashable {
  /// The area's columns and rows in the image.
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
      // A patch that is too narrow has an empty area.
      return start..<max(start, first + count - (cutsEnd ? reach : 0))
    }
    columns = range(patch.x, patch.width, cutsLeft, cutsRight)
    rows = range(patch.y, patch.height, cutsTop, cutsBottom)
  }

  /// Whether connected pixels that fill a rectangle of the image may continue outside of the area.
  package func cuts(_ box: PixelBox) -> Bool {
    cutsLeft && box.columns.lowerBound <= columns.lowerBound
      || cutsRight && box.columns.upperBound >= columns.upperBound
      || cutsTop && box.rows.lowerBound <= rows.lowerBound
      || cutsBottom && box.rows.upperBound >= rows.upperBound
  }
}
