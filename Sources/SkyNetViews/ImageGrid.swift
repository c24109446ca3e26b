/// How an image is cut into sectors, as pages show it.
package struct ImageGrid: Hashable, Sendable {
  package let columns: Int
  package let rows: Int
  /// The side of a sector, in pixels.
  package let side: Int

  package init(columns: Int, rows: Int, side: Int) {
    (self.columns, self.rows, self.side) = (columns, rows, side)
  }
}
