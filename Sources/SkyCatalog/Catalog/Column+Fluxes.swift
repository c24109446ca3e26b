import SkyDetection

/// Fluxes.
extension Column {
  public static let isophotalFlux = Column(
    "FLUX_ISO", "flux of the pixels over the threshold", unit: "count", printed: .flux,
    .float32 { $0.source.flux })
  public static let isophotalFluxError = Column(
    "FLUXERR_ISO", "its r.m.s. error", unit: "count", printed: .flux,
    .float32 { $0.source.variance.squareRoot() })
  public static let apertureFlux = Column(
    "FLUX_APER", "flux within a circle", unit: "count", needs: .apertures, printed: .flux,
    .float32 { $0.source.apertureFluxes[$0.index] })
  public static let kronFlux = Column(
    "FLUX_AUTO", "flux within an ellipse that fits the source (Kron)", unit: "count",
    needs: .kron, printed: .flux, .float32 { $0.source.kron?.flux })
  public static let kronRadius = Column(
    "KRON_RADIUS", "that ellipse, in units of A and B", needs: .kron,
    printed: .fixed(width: 5, places: 2), as: .float32,
    .float64(places: 2) { $0.source.kron?.radius })
  public static let peak = Column(
    "FLUX_MAX", "highest pixel over the background", unit: "count", printed: .flux,
    .float32 { Double($0.source.isophotal.peak) })
}
