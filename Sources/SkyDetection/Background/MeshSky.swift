/// The level and the noise of the sky in a small part of an image, without the stars in it.
package struct MeshSky: Codable, Hashable, Sendable {
  /// The most probable value of a pixel of empty sky.
  package var level: Double
  /// The standard deviation of such a pixel.
  package var noise: Double
  /// In a weighted image, the most probable variance of a pixel, in the weight map's units.
  package var variance: Double?

  package init(level: Double, noise: Double, variance: Double? = nil) {
    self.level = level
    self.noise = noise
    self.variance = variance
  }
}
