/// The background of a sector: its level everywhere, and its noise.
///
/// The level is estimated on meshes of 64 × 64 pixels, each replaced by the median of itself and
/// its neighbours, and interpolated between their centres by a bicubic spline; the noise is the
/// median of the meshes' (Bertin & Arnouts 1996, A&AS 117, 393).
struct SkyMap: Sendable {
  /// The side of a mesh in pixels. Larger than the sources, smaller than the sky's own structure;
  /// a sector's side is a multiple of it, so that all meshes are whole but those at the image's
  /// border.
  static let meshSide = 64
  /// The part of a mesh's pixels that must have values for the mesh to count.
  static let leastValid = 0.5

  let noise: Double
  private let levels: MeshGrid

  /// Estimates the background; `nil` if too few pixels anywhere have values.
  init?(of plane: Plane) throws {
    let grid = try MeshEstimates(of: plane)
    guard var levels = grid.map(\.level), var noises = grid.map(\.noise) else {
      return nil
    }
    levels.filter()
    noises.filter()
    self.levels = levels
    noise = median(noises.values)
  }

  init(levels: MeshGrid, noise: Double) {
    self.levels = levels
    self.noise = noise
  }

  /// Subtracts the level from every pixel.
  func subtract(from plane: inout Plane) throws {
    let surface = SplineSurface(levels)
    var level = [Float](repeating: 0, count: plane.width)
    for row in 0..<plane.height {
      if row.isMultiple(of: 16) { try Task.checkCancellation() }
      surface.evaluate(row: row, into: &level)
      let start = row * plane.width
      for column in 0..<plane.width { plane.values[start + column] -= level[column] }
    }
  }
}

/// The median; of an even number the mean of the middle two. There must be at least one value.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
