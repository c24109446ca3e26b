import SkyDetection

/// Measures through a Gaussian window, and others.
extension Column {
  static let windowed: [Column] =
    [windowX, windowY, windowFlux, windowFluxError]
    + magnitudes("WIN", of: "windowed flux", needs: .window) { $0.inWindow }
    + [signalToNoise, windowIterations, windowFlags]
    + [parent, extensionNumber, starClass, stamp]

  static let windowX = Column(
    "XWIN_IMAGE", "windowed centre along x", unit: "pixel", needs: .window,
    printed: .fixed(width: 11, places: 4), .float64(places: 4) { $0.source.window?.x })
  static let windowY = Column(
    "YWIN_IMAGE", "windowed centre along y", unit: "pixel", needs: .window,
    printed: .fixed(width: 11, places: 4), .float64(places: 4) { $0.source.window?.y })
  static let windowFlux = Column(
    "FLUX_WIN", "flux through the window", unit: "count", needs: .window, printed: .flux,
    .float32 { $0.source.window?.flux })
  static let windowFluxError = Column(
    "FLUXERR_WIN", "r.m.s. error of the windowed flux", unit: "count", needs: .window,
    printed: .flux, .float32 { $0.inWindow?.error })
  static let signalToNoise = Column(
    "SNR_WIN", "windowed flux in units of its error", needs: .window,
    printed: .general(width: 10, digits: 4),
    .float32 { row in
      row.source.window.map { $0.variance > 1e-30 ? $0.flux / $0.variance.squareRoot() : 1e30 }
    })
  static let windowIterations = Column(
    "NITER_WIN", "how often the window moved", needs: .window, printed: .integer(width: 3),
    .int16 { Int($0.source.window?.iterations ?? 0) })
  static let windowFlags = Column(
    "FLAGS_WIN", "1 no ellipse, 2 negative moment, 4 no flux, 8 strayed", needs: .window,
    printed: .integer(width: 3),
    .int16 { Int(($0.source.window?.flags ?? .noFlux).rawValue) })

  static let extensionNumber = Column(
    "EXT_NUMBER", "number of the image in its file", printed: .integer(width: 3),
    .int16 { $0.context.extensionNumber })
}

extension CatalogRow {
  fileprivate var inWindow: MeasuredFlux? {
    source.window.map { MeasuredFlux($0.flux, variance: $0.variance) }
  }
}
