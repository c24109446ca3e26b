/// What was found on each mesh: nothing, where too few pixels have values.
package struct MeshEstimates: Sendable {
  /// The part of a mesh's pixels that must have values for the mesh to count.
  private static let leastValid = 0.5

  package let columns: Int
  package let rows: Int
  package var values: [MeshSky?]

  /// One quantity of the meshes; `nil` unless all have it. See ``filled``.
  func map(_ quantity: (MeshSky) -> Double) -> MeshGrid? {
    let found = values.compactMap { $0 }
    guard found.count == values.count else { return nil }
    return MeshGrid(columns: columns, rows: rows, values: found.map(quantity))
  }

  /// The median of one quantity, after each was replaced by the median of its neighbourhood.
  func typical(_ quantity: (MeshSky) -> Double) -> Double? {
    guard var grid = map(quantity) else { return nil }
    grid.filter()
    return median(grid.values)
  }

  /// Nothing found yet on an image, or a part of one that begins with a mesh.
  package init(width: Int, height: Int, side: Int) {
    let size = Self.size(width: width, height: height, side: side)
    self.init(columns: size.columns, rows: size.rows)
  }

  /// How many meshes an image of a size has; those at the far borders are smaller.
  static func size(width: Int, height: Int, side: Int) -> (columns: Int, rows: Int) {
    ((width + side - 1) / side, (height + side - 1) / side)
  }

  /// Nothing found yet.
  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    values = [MeshSky?](repeating: nil, count: columns * rows)
  }

  /// Estimates the sky on each mesh of a plane, the first of which begins with its first pixel.
  package init(of plane: Plane, side: Int) throws {
    self.init(width: plane.width, height: plane.height, side: side)
    var estimator = SkyEstimator()
    for row in 0..<rows {
      for column in 0..<columns {
        try Task.checkCancellation()
        let (left, top) = (column * side, row * side)
        let place = PixelBox(
          columns: left..<min(plane.width, left + side), rows: top..<min(plane.height, top + side))
        var sky = estimator.sky(
          of: plane, columns: place.columns, rows: place.rows, leastValid: Self.leastValid)
        sky?.variance = plane.meanVariance(in: place)
        values[row * columns + column] = sky
      }
    }
  }

  /// Puts the meshes of a part of the image in their place.
  package mutating func put(_ part: MeshEstimates, atColumn column: Int, row: Int) {
    for y in 0..<part.rows {
      for x in 0..<part.columns {
        values[(row + y) * columns + column + x] = part.values[y * part.columns + x]
      }
    }
  }
}
