extension Background {
  /// The noise of an image's sky as a map: a background whose level at a pixel is the noise there. As in
  /// SExtractor, the meshes' noises go through the same filter and the same spline as their levels.
  package static func noise(of meshes: MeshEstimates, _ settings: DetectionSettings) -> Background {
    Background(
      levels: FilteredSky(meshes.filled, settings.meshFilter).noises, noise: 1, mesh: settings.mesh)
  }
}
