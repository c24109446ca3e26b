/// The meshes' sky after the median filter.
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
    // As in SExtractor, a mesh's noise is replaced where its level is. Variances are of another map: where
    // they are replaced follows from themselves.
    noises = filtered(meshes.grid(\.noise), where: isReplaced).0
    let hasVariances = meshes.values.contains { $0?.variance != nil }
    variances = hasVariances ? filtered(meshes.grid { $0.variance ?? 0 }).0 : nil
  }
}
