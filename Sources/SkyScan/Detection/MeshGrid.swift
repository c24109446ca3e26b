/// One number for each mesh of a sector, row by row.
struct MeshGrid: Hashable, Sendable {
  let columns: Int
  let rows: Int
  var values: [Double]

  subscript(column: Int, row: Int) -> Double { values[row * columns + column] }

  /// Replaces each value by the median of itself and its up to eight neighbours, so that a mesh
  /// full of one bright star does not raise the sky around it.
  mutating func filter() {
    let original = self
    for row in 0..<rows {
      for column in 0..<columns {
        var near: [Double] = []
        for y in max(0, row - 1)...min(rows - 1, row + 1) {
          for x in max(0, column - 1)...min(columns - 1, column + 1) {
            near.append(original[x, y])
          }
        }
        values[row * columns + column] = median(near)
      }
    }
  }
}

/// What was found on each mesh: nothing, where too few pixels have values.
struct MeshEstimates {
  let columns: Int
  let rows: Int
  var values: [MeshSky?]

  /// One quantity of the meshes, with that of the nearest meshes where there is none; `nil` if no
  /// mesh has any.
  func map(_ quantity: (MeshSky) -> Double) -> MeshGrid? {
    guard values.contains(where: { $0 != nil }) else { return nil }
    let filled = values.indices.map { index in
      values[index].map(quantity) ?? nearest(to: index, quantity)
    }
    return MeshGrid(columns: columns, rows: rows, values: filled)
  }

  /// The mean over the meshes that are nearest.
  private func nearest(to index: Int, _ quantity: (MeshSky) -> Double) -> Double {
    var best = Int.max
    var (sum, count) = (0.0, 0.0)
    for (other, mesh) in values.enumerated() {
      guard let mesh else { continue }
      let dx = other % columns - index % columns
      let dy = other / columns - index / columns
      let distance = dx * dx + dy * dy
      if distance < best { (best, sum, count) = (distance, 0, 0) }
      if distance == best { (sum, count) = (sum + quantity(mesh), count + 1) }
    }
    return sum / count
  }
}

extension MeshEstimates {
  /// Estimates the sky on each mesh of a plane.
  init(of plane: Plane) throws {
    let side = SkyMap.meshSide
    columns = (plane.width + side - 1) / side
    rows = (plane.height + side - 1) / side
    values = []
    var sorter = FloatSorter()
    var pixels: [Float] = []
    for row in 0..<rows {
      for column in 0..<columns {
        try Task.checkCancellation()
        let xs = column * side..<min(plane.width, (column + 1) * side)
        let ys = row * side..<min(plane.height, (row + 1) * side)
        pixels.removeAll(keepingCapacity: true)
        for y in ys {
          let start = y * plane.width
          pixels += plane.values[start + xs.lowerBound..<start + xs.upperBound]
        }
        pixels.removeAll { $0.isNaN }
        let enough = Double(pixels.count) >= Double(xs.count * ys.count) * SkyMap.leastValid
        values.append(enough ? MeshSky(of: &pixels, sorter: &sorter) : nil)
      }
    }
  }
}
