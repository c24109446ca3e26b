/// The estimated sky of each mesh; `nil` for a mesh where too few pixels have values.
package struct MeshEstimates: Sendable {
  /// The fraction of a mesh's pixels that must have values for the mesh to be estimated.
  private static let minimumValidFraction = 0.5

  package let columns: Int
  package let rows: Int
  package var values: [MeshSky?]

  /// One quantity of each mesh, after each mesh's value was replaced by the median of its
  /// neighbourhood. All meshes must have estimates; see ``filled``.
  func filtered(_ quantity: (MeshSky) -> Double) -> MeshGrid {
    var grid = MeshGrid(columns: columns, rows: rows, values: values.map { $0.map(quantity) ?? 0 })
    grid.filter()
    return grid
  }

  /// Empty estimates for an image, or for a part of one that begins at a mesh's corner.
  package init(width: Int, height: Int, side: Int) {
    let size = Self.size(width: width, height: height, side: side)
    self.init(columns: size.columns, rows: size.rows)
  }

  /// The number of meshes that cover an image. Meshes at the far borders are smaller.
  static func size(width: Int, height: Int, side: Int) -> (columns: Int, rows: Int) {
    ((width + side - 1) / side, (height + side - 1) / side)
  }

  /// Empty estimates.
  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    values = [MeshSky?](repeating: nil, count: columns * rows)
  }

  /// Estimates the sky on each mesh of a plane. The first mesh begins at the plane's first pixel.
  package init(of plane: Plane, side: Int) throws {
    self.init(width: plane.width, height: plane.height, side: side)
    let plane = plane.withoutBadPixels
    var estimator = SkyEstimator()
    for row in 0..<rows {
      for column in 0..<columns {
        try Task.checkCancellation()
        let (left, top) = (column * side, row * side)
        let place = PixelBox(
          columns: left..<min(plane.width, left + side), rows: top..<min(plane.height, top + side))
        values[row * columns + column] = estimator.sky(
          of: plane, in: place, minimumValidFraction: Self.minimumValidFraction)
      }
    }
  }

  /// Copies the estimates of a part of the image to the part's place.
  package mutating func put(_ part: MeshEstimates, atColumn column: Int, row: Int) {
    for y in 0..<part.rows {
      for x in 0..<part.columns {
        values[(row + y) * columns + column + x] = part.values[y * part.columns + x]
      }
    }
  }
}
