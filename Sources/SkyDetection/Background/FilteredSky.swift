/// The meshes' sky after some meshes were replaced by the medians of their neighbourhoods.
struct FilteredSky {
  let levels: MeshGrid
  let noises: MeshGrid
  /// `nil` if no mesh has a variance.
  let variances: MeshGrid?

  /// - Parameter meshes: estimates of all meshes.
  init(_ meshes: MeshEstimates, _ filter: DetectionSettings.MeshFilter) {
    func filtered(_ grid: MeshGrid, where isReplaced: [Bool]? = nil) -> (MeshGrid, [Bool]) {
      var filtered = grid
      let medians = grid.medians(filter).values
      let isReplaced =
        isReplaced ?? zip(medians, grid.values).map { abs($0 - $1) >= filter.threshold }
      for (mesh, isReplaced) in isReplaced.enumerated() where isReplaced {
        filtered.values[mesh] = medians[mesh]
      }
      return (filtered, isReplaced)
    }
    let (levels, isReplaced) = filtered(meshes.grid(\.level))
    self.levels = levels
    // As in SExtractor, a mesh keeps its noise with its level. Weights are another map, with its own.
    noises = filtered(meshes.grid(\.noise), where: isReplaced).0
    let hasVariances = meshes.values.contains { $0?.variance != nil }
    variances = hasVariances ? filtered(meshes.grid { $0.variance ?? 0 }).0 : nil
  }
}
