/// How a run's sectors lie on its picture: as squares, row by row from the lowest one up.
package struct PictureGrid: Hashable, Sendable {
  package let columns: Int
  package let rows: Int
  /// The side of a sector, in the picture's units.
  package let side: Int

  package init(columns: Int, rows: Int, side: Int) {
    (self.columns, self.rows, self.side) = (columns, rows, side)
  }
}
