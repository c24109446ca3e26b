import SkyDetection

/// Errors and magnitudes of fluxes.
extension Column {
  /// The errors and magnitudes of the fluxes that have columns of their own, and the fluxes that follow
  /// from those.
  static let photometry: [Column] =
    magnitudes("ISO", of: "isophotal flux") { $0.source.isophotalMeasuredFlux }
    + [
      correctedFlux,
      error("ISOCOR", needs: .thresholds, of: corrected, { $0.source.correctedFlux }),
    ]
    + magnitudes("ISOCOR", of: corrected, needs: .thresholds) { $0.source.correctedFlux }
    + [apertureFluxError, apertureMagnitude, apertureMagnitudeError]
    + [error("AUTO", needs: .kron, of: "Kron flux") { $0.kron }]
    + magnitudes("AUTO", of: "Kron flux", needs: .kron) { $0.kron }
    + [bestFlux, error("BEST", needs: best, of: "best flux") { $0.source.bestFlux }]
    + magnitudes("BEST", of: "best flux", needs: best) { $0.source.bestFlux }
    + [petrosianFlux, petrosianRadius]
    + [error("PETRO", needs: .petrosian, of: "Petrosian flux") { $0.petrosian }]
    + magnitudes("PETRO", of: "Petrosian flux", needs: .petrosian) { $0.petrosian }
    + [maximumBrightness, thresholdBrightness, threshold, background]

  private static let corrected = "isophotal flux, corrected"
  private static let best: Needs = [.kron, .thresholds]

  typealias FluxOfRow = @Sendable (CatalogRow) -> MeasuredFlux?

  /// The column of a flux's error.
  static func error(
    _ name: String, needs: Needs = [], of flux: String, _ measured: @escaping FluxOfRow
  ) -> Column {
    Column(
      "FLUXERR_\(name)", "r.m.s. error of the \(flux)", unit: "count",
      needs: needs.union(.fluxErrors), printed: .flux, .float32 { measured($0)?.error })
  }

  /// The columns of a flux's magnitude and of its error.
  static func magnitudes(
    _ name: String, of flux: String, needs: Needs = [], _ measured: @escaping FluxOfRow
  ) -> [Column] {
    [
      Column(
        "MAG_\(name)", "magnitude of the \(flux)", unit: "mag", needs: needs,
        printed: .magnitude, absent: noMagnitude,
        .float32(places: 4) { measured($0)?.magnitude($0.context.catalog.zeroPoint) }),
      Column(
        "MAGERR_\(name)", "r.m.s. error of that magnitude", unit: "mag",
        needs: name.hasPrefix("ISO") ? needs : needs.union(.fluxErrors), printed: .magnitude,
        absent: noMagnitude, .float32(places: 4) { measured($0)?.magnitudeError }),
    ]
  }

  // MARK: Fluxes

  static let correctedFlux = Column(
    "FLUX_ISOCOR", corrected, unit: "count", needs: .thresholds, printed: .flux,
    .float32 { $0.source.correctedFlux?.flux })
  static let bestFlux = Column(
    "FLUX_BEST", "Kron flux; where crowded, corrected isophotal flux", unit: "count",
    needs: best, printed: .flux, .float32 { $0.source.bestFlux?.flux })
  static let petrosianFlux = Column(
    "FLUX_PETRO", "flux within an ellipse of the Petrosian radius", unit: "count",
    needs: .petrosian, printed: .flux, .float32 { $0.petrosian?.flux })
  static let petrosianRadius = Column(
    "PETRO_RADIUS", "that ellipse, in units of A and B", needs: .petrosian,
    printed: .fixed(width: 5, places: 2), .float32(places: 2) { $0.source.petrosian?.radius })

  // MARK: Circles

  // A circle that there is not has the magnitude 0, like its flux.
  static let apertureFluxError = Column(
    "FLUXERR_APER", "r.m.s. error of the flux within a circle", unit: "count",
    needs: [.apertures, .fluxErrors], printed: .flux, .float32 { $0.inCircle?.error })
  static let apertureMagnitude = Column(
    "MAG_APER", "magnitude of the flux within a circle", unit: "mag", needs: .apertures,
    printed: .magnitude, absent: noMagnitude,
    .float32(places: 4) {
      $0.hasCircle ? $0.inCircle?.magnitude($0.context.catalog.zeroPoint) : 0
    })
  static let apertureMagnitudeError = Column(
    "MAGERR_APER", "r.m.s. error of that magnitude", unit: "mag",
    needs: [.apertures, .fluxErrors], printed: .magnitude, absent: noMagnitude,
    .float32(places: 4) { $0.hasCircle ? $0.inCircle?.magnitudeError : 0 })

  // MARK: Levels

  static let maximumBrightness = Column(
    "MU_MAX", "surface brightness of the highest pixel", unit: "mag * arcsec**(-2)",
    needs: .scale, printed: .magnitude, absent: noMagnitude,
    .float32(places: 4) { $0.surfaceBrightness(Double($0.source.isophotal.peak)) })
  static let thresholdBrightness = Column(
    "MU_THRESHOLD", "surface brightness of the threshold of unsmoothed pixels",
    unit: "mag * arcsec**(-2)", needs: [.scale, .thresholds], printed: .magnitude,
    absent: noMagnitude,
    .float32(places: 4) { row in
      row.surfaceBrightness(
        row.source.thresholds.map { Double($0.analysis) - row.localBackground })
    })
  static let threshold = Column(
    "THRESHOLD", "threshold of smoothed pixels over the background", unit: "count",
    needs: .thresholds, printed: .flux,
    .float32 { $0.source.thresholds.map { Double($0.detection) } })
  static let background = Column(
    "BACKGROUND", "level of the background at the barycentre", unit: "count",
    needs: .background, printed: .flux,
    .float32 { row in
      row.context.background.map {
        $0.level(nearX: row.source.x, y: row.source.y) + row.localBackground
      }
    })

  /// What SExtractor has for the magnitude of a flux that is not positive.
  static let noMagnitude = 99.0
}

extension CatalogRow {
  fileprivate var kron: MeasuredFlux? { source.kron.map(MeasuredFlux.init) }
  fileprivate var petrosian: MeasuredFlux? { source.petrosian.map(MeasuredFlux.init) }

  /// The level of the sky around the source, over the background.
  fileprivate var localBackground: Double { source.localBackground ?? 0 }

  fileprivate var hasCircle: Bool { context.detection.apertures[index] > 0 }

  /// The flux within the column's circle.
  fileprivate var inCircle: MeasuredFlux? {
    let variances = source.apertureVariances
    return MeasuredFlux(
      source.apertureFluxes[index],
      variance: variances.indices.contains(index) ? variances[index] : nil)
  }
}
