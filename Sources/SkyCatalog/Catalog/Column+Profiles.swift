import SkyDetection

/// Profiles: areas over levels, the width of the core, and radii of fractions of the flux.
extension Column {
  static let profiles: [Column] =
    (0..<Source.Profile.levelCount).map(area) + [
      fwhm, fwhmInSky, isophotalAreaInSky, areaInSky, fluxRadius,
    ]

  private static func area(overLevel level: Int) -> Column {
    Column(
      "ISO\(level)", "number of pixels over level \(level)", unit: "pixel**2", needs: .profile,
      printed: .integer(width: 8), .int32 { Int($0.source.profile?.areas[level] ?? 0) })
  }

  static let fwhm = Column(
    "FWHM_IMAGE", "width of a Gaussian core at half of its height", unit: "pixel",
    needs: .profile, printed: .fixed(width: 8, places: 2),
    .float32(places: 2) { $0.source.profile?.fwhm })
  static let fwhmInSky = Column(
    "FWHM_WORLD", "the same width in the sky", unit: "deg", needs: [.profile, .scale],
    printed: .flux,
    .float32 { row in
      row.source.profile.flatMap { profile in row.pixelSide.map { profile.fwhm * $0 } }
    })
  static let isophotalAreaInSky = Column(
    "ISOAREA_WORLD", "area of the pixels over the threshold", unit: "deg**2", needs: .scale,
    printed: .flux, .float32 { $0.inSky(Double($0.source.isophotal.isophotalArea)) })
  static let areaInSky = Column(
    "ISOAREAF_WORLD", "area of the pixels over the threshold when smoothed", unit: "deg**2",
    needs: .scale, printed: .flux, .float32 { $0.inSky(Double($0.source.isophotal.area)) })
  static let fluxRadius = Column(
    "FLUX_RADIUS", "radius with a fraction of the Kron flux", unit: "pixel",
    needs: .fluxFractions, printed: .fixed(width: 10, places: 3),
    .float32(places: 3) { row in
      let radii = row.source.fluxRadii
      guard row.context.detection.fluxFractions[row.index] != 0 else { return 0 }
      return radii.indices.contains(row.index) ? radii[row.index] : nil
    })
}

extension CatalogRow {
  /// The side of a pixel in the sky, in degrees.
  fileprivate var pixelSide: Double? { pixelArea.map { $0.squareRoot() / 3600 } }

  /// The area of a number of pixels in the sky, in square degrees.
  fileprivate func inSky(_ count: Double) -> Double? {
    pixelArea.map { count * $0 / (3600 * 3600) }
  }
}
