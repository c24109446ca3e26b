// What this file codes is frozen by the version of `SourceScan.kind`.

/// One number for each mesh of an image, row by row.
struct MeshGrid: Codable, Hashable, Sendable {
  let columns: Int
  let rows: Int
  var values: [Double]

  subscript(column: Int, row: Int) -> Double { values[row * columns + column] }

  /// Replaces each value by the median of itself and its eight neighbours, so that a mesh full of
  /// one bright star does not raise the sky around it. At the image's edges the neighbourhood
  /// shrinks on both sides: a mesh there has two neighbours, and in a corner none.
  mutating func filter() {
    let original = self
    for row in 0..<rows {
      let height = row > 0 && row < rows - 1 ? 1 : 0
      for column in 0..<columns {
        let width = column > 0 && column < columns - 1 ? 1 : 0
        var near: [Double] = []
        for y in row - height...row + height {
          for x in column - width...column + width {
            near.append(original[x, y])
          }
        }
        values[row * columns + column] = median(near)
      }
    }
  }

  /// The curvatures of the splines along the rows, and along the columns.
  var rowCurvatures: MeshGrid {
    MeshGrid(
      columns: columns, rows: rows,
      values: (0..<rows).flatMap { row in
        CubicSpline.curvatures(of: Array(values[row * columns..<(row + 1) * columns]))
      })
  }

  var columnCurvatures: MeshGrid {
    var grid = self
    for column in 0..<columns {
      let curvatures = CubicSpline.curvatures(of: (0..<rows).map { self[column, $0] })
      for row in 0..<rows { grid.values[row * columns + column] = curvatures[row] }
    }
    return grid
  }
}
