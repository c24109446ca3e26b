extension MeshEstimates {
  /// The estimates with every empty mesh filled with the mean of the nearest estimated meshes. If no
  /// mesh has an estimate, the level is 0 and the noise 1, as in SExtractor.
  ///
  /// In a column, only the next estimated mesh above and the next one below can be the nearest. So
  /// each empty mesh compares two meshes per column instead of all meshes.
  var filled: MeshEstimates {
    var filled = self
    guard values.contains(where: { $0 != nil }) else {
      filled.values = values.map { _ in MeshSky(level: 0, noise: 1) }
      return filled
    }
    let (above, below) = (distances(downwards: true), distances(downwards: false))
    for index in values.indices where values[index] == nil {
      filled.values[index] = mean(of: nearest(to: index, above, below))
    }
    return filled
  }

  /// The distance in rows from each mesh to the next estimated mesh above it or below it.
  private func distances(downwards: Bool) -> [Int?] {
    var distances = [Int?](repeating: nil, count: values.count)
    for step in 0..<rows {
      let row = downwards ? step : rows - 1 - step
      for column in 0..<columns {
        let index = row * columns + column
        let before = index + (downwards ? -columns : columns)
        distances[index] =
          values[index] != nil
          ? 0 : values.indices.contains(before) ? distances[before].map { $0 + 1 } : nil
      }
    }
    return distances
  }

  private func nearest(to index: Int, _ above: [Int?], _ below: [Int?]) -> [MeshSky] {
    let column = index % columns
    var best = Int.max
    var found: [MeshSky] = []
    func look(_ other: Int, _ dx: Int, _ dy: Int) {
      let distance = dx * dx + dy * dy
      guard distance <= best, let sky = values[other] else { return }
      if distance < best { (best, found) = (distance, []) }
      found.append(sky)
    }
    func look(beside place: Int, _ dx: Int) {
      if let dy = above[place] { look(place - dy * columns, dx, dy) }
      // The first line has already compared a mesh in the same row.
      if let dy = below[place], dy > 0 { look(place + dy * columns, dx, dy) }
    }
    for dx in 0..<columns where dx * dx <= best {
      if dx <= column { look(beside: index - dx, dx) }
      if dx > 0, dx < columns - column { look(beside: index + dx, dx) }
    }
    return found
  }

  private func mean(of skies: [MeshSky]) -> MeshSky {
    let count = Double(skies.count)
    let variances = skies.compactMap(\.variance)
    return MeshSky(
      level: skies.reduce(0) { $0 + $1.level } / count,
      noise: skies.reduce(0) { $0 + $1.noise } / count,
      variance: variances.isEmpty ? nil : variances.reduce(0, +) / Double(variances.count))
  }
}
