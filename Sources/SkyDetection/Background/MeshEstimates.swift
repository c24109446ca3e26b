/// The estimated sky of each mesh; `nil` for a mesh where too few pixels have values.
package struct MeshEstimates: Sendable {
  /// The fraction of a mesh's pixels that must have values for the mesh to be estimated.
  private static let minimumValidFraction = 0.5

  package let columns: Int
  package let rows: Int
  package var values: [MeshSky?]

  /// A quantity of each mesh. All meshes must have estimates; see ``filled``.
  func grid(_ quantity: (MeshSky) -> Double) -> MeshGrid {
    MeshGrid(columns: columns, rows: rows, values: values.map { $0.map(quantity) ?? 0 })
  }

  /// Empty estimates for an image, or for a part of one that begins at a mesh's corner.
  package init(width: Int, height: Int, mesh: DetectionSettings.MeshSize) {
    let size = Self.size(width: width, height: height, mesh: mesh)
    self.init(columns: size.columns, rows: size.rows)
  }

  /// The number of meshes that cover an image. Meshes at the far borders are smaller.
  static func size(width: Int, height: Int, mesh: DetectionSettings.MeshSize) -> (
    columns: Int, rows: Int
  ) {
    ((width + mesh.width - 1) / mesh.width, (height + mesh.height - 1) / mesh.height)
  }

  /// Empty estimates.
  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    values = [MeshSky?](repeating: nil, count: columns * rows)
  }

  /// Estimates the sky on each mesh of a plane. The first mesh begins at the plane's first pixel.
  package init(of plane: Plane, mesh: DetectionSettings.MeshSize) throws {
    self.init(width: plane.width, height: plane.height, mesh: mesh)
    let plane = plane.withoutBadPixels
    var estimator = SkyEstimator()
    for row in 0..<rows {
      for column in 0..<columns {
        try Task.checkCancellation()
        let (left, top) = (column * mesh.width, row * mesh.height)
        let place = PixelBox(
          columns: left..<min(plane.width, left + mesh.width),
          rows: top..<min(plane.height, top + mesh.height))
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
