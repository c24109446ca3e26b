/// The level and the noise of the sky in a small part of an image, whatever stars are in it.
public struct MeshSky: Codable, Hashable, Sendable {
  /// The most probable value of a pixel of empty sky.
  public var level: Double
  /// The standard deviation of such a pixel.
  public var noise: Double
  /// Of a weighted image, the mean of its pixels' variances, in the weight map's units.
  public var variance: Double?

  package init(level: Double, noise: Double, variance: Double? = nil) {
    self.level = level
    self.noise = noise
    self.variance = variance
  }

  /// The standard deviation of a pixel of weight 1.
  var unitNoise: Double { variance.map { noise / $0.squareRoot() } ?? noise }
}
