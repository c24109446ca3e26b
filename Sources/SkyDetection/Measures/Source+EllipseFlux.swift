// What this file codes is frozen by the version of `SourceScan.kind`.

extension Source {
  /// A source's flux in an ellipse that fits the source.
  public struct EllipseFlux: Codable, Hashable, Sendable {
    /// The size of the ellipse, in units of A and B. 0 if the flux is not positive.
    public var radius: Double
    /// The flux in the ellipse, in the image's units.
    public var flux: Double
    /// The variance of the flux, in the image's units squared; `nil` unless the settings ask for it.
    public var variance: Double?

    package init(radius: Double, flux: Double, variance: Double? = nil) {
      (self.radius, self.flux, self.variance) = (radius, flux, variance)
    }
  }
}
