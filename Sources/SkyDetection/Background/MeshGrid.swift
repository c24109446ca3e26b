// What this file codes is frozen by the version of `SourceScan.kind`.

/// One number for each mesh of an image, row by row.
struct MeshGrid: Codable, Hashable, Sendable {
  let columns: Int
  let rows: Int
  var values: [Double]

  subscript(column: Int, row: Int) -> Double { values[row * columns + column] }

  /// The median of each value and of those in its neighbourhood. At the image's edges the neighbourhood
  /// shrinks on both sides: with a filter of three, a mesh there has two neighbours, and in a corner
  /// none.
  func medians(_ filter: DetectionSettings.MeshFilter) -> MeshGrid {
    var medians = self
    for row in 0..<rows {
      let height = min(filter.height / 2, row, rows - 1 - row)
      for column in 0..<columns {
        let width = min(filter.width / 2, column, columns - 1 - column)
        var near: [Double] = []
        for y in row - height...row + height {
          for x in column - width...column + width {
            near.append(self[x, y])
          }
        }
        medians.values[row * columns + column] = median(near)
      }
    }
    return medians
  }

  /// The curvatures of the splines along the rows. As in SExtractor, a single row has straight lines.
  var rowCurvatures: MeshGrid {
    guard rows > 1 else {
      return MeshGrid(columns: columns, rows: rows, values: values.map { _ in 0 })
    }
    return MeshGrid(
      columns: columns, rows: rows,
      values: (0..<rows).flatMap { row in
        CubicSpline.curvatures(of: Array(values[row * columns..<(row + 1) * columns]))
      })
  }

  /// The curvatures of the splines along the columns.
  var columnCurvatures: MeshGrid {
    var grid = self
    for column in 0..<columns {
      let curvatures = CubicSpline.curvatures(of: (0..<rows).map { self[column, $0] })
      for row in 0..<rows { grid.values[row * columns + column] = curvatures[row] }
    }
    return grid
  }
}
