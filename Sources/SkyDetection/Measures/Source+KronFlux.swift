// What this file codes is frozen by the version of `SourceScan.kind`.

extension Source {
  /// A source's flux in an ellipse that fits the source (Kron 1980, ApJS 43, 305; the SExtractor
  /// manual, "Automatic aperture magnitudes").
  public struct KronFlux: Codable, Hashable, Sendable {
    /// The size of the ellipse, in units of A and B (KRON_RADIUS). 0 if the flux is not positive.
    public var radius: Double
    /// The flux in the ellipse, in the image's units (FLUX_AUTO).
    public var flux: Double

    package init(radius: Double, flux: Double) {
      self.radius = radius
      self.flux = flux
    }
  }
}
