extension Background {
  /// The noise of an image's sky as a map: the level at a pixel is the noise there. As in SExtractor, a spline runs
  /// through the noise of the meshes, of which each is the median of itself and its neighbours.
  package static func noise(of meshes: MeshEstimates, _ settings: DetectionSettings) -> Background {
    Background(
      levels: FilteredSky(meshes.filled, settings.meshFilter).noises, noise: 1, mesh: settings.mesh)
  }
}
