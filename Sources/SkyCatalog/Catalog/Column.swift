/// A column of a catalogue, with SExtractor's name for the measure (the SExtractor manual,
/// "Measurements").
public enum Column: String, CaseIterable, Hashable, Sendable {
  case number = "NUMBER"
  case x = "X_IMAGE"
  case y = "Y_IMAGE"
  case rightAscension = "ALPHA_J2000"
  case declination = "DELTA_J2000"
  case isophotalFlux = "FLUX_ISO"
  case isophotalFluxError = "FLUXERR_ISO"
  case apertureFlux = "FLUX_APER"
  case kronFlux = "FLUX_AUTO"
  case kronRadius = "KRON_RADIUS"
  case peak = "FLUX_MAX"
  case isophotalArea = "ISOAREA_IMAGE"
  case area = "ISOAREAF_IMAGE"
  case semiMajorAxis = "A_IMAGE"
  case semiMinorAxis = "B_IMAGE"
  case angle = "THETA_IMAGE"
  case ellipticity = "ELLIPTICITY"
  case firstColumn = "XMIN_IMAGE"
  case firstRow = "YMIN_IMAGE"
  case lastColumn = "XMAX_IMAGE"
  case lastRow = "YMAX_IMAGE"
  case flags = "FLAGS"

  /// The columns of a catalogue by default.
  public static let usual: [Column] = [
    .number, .x, .y, .rightAscension, .declination, .isophotalFlux, .isophotalFluxError,
    .apertureFlux, .peak, .isophotalArea, .semiMajorAxis, .semiMinorAxis, .angle, .ellipticity,
    .firstColumn, .firstRow, .lastColumn, .lastRow, .flags,
  ]

  /// Whether the column needs the image's sky positions.
  public var isInSky: Bool { self == .rightAscension || self == .declination }

  /// Whether the column has one value for each aperture.
  var isVector: Bool { self == .apertureFlux }

  /// The description in a table's header.
  var description: String {
    switch self {
    case .number: "running number"
    case .x: "barycentre along x, from 1 at the centre of the first pixel"
    case .y: "barycentre along y"
    case .rightAscension: "right ascension of the barycentre (J2000)"
    case .declination: "declination of the barycentre (J2000)"
    case .isophotalFlux: "flux of the pixels over the threshold"
    case .isophotalFluxError: "its r.m.s. error"
    case .apertureFlux: "flux within a circle"
    case .kronFlux: "flux within an ellipse that fits the source (Kron)"
    case .kronRadius: "that ellipse, in units of A and B"
    case .peak: "highest pixel over the background"
    case .isophotalArea: "number of pixels over the threshold"
    case .area: "number of pixels over the threshold when smoothed"
    case .semiMajorAxis: "r.m.s. of the profile along the major axis"
    case .semiMinorAxis: "r.m.s. of the profile along the minor axis"
    case .angle: "position angle of the major axis, from x towards y"
    case .ellipticity: "1 - B/A"
    case .firstColumn: "first column of the pixels over the threshold"
    case .firstRow: "first row of the pixels over the threshold"
    case .lastColumn: "last column of the pixels over the threshold"
    case .lastRow: "last row of the pixels over the threshold"
    case .flags: "1 crowded, 2 parted, 4 saturated, 8 at edge, 16 cut, 64 not parted"
    }
  }

  /// The unit, as in FITS (FITS Standard 4.0, section 4.3); `nil` for a plain number.
  var unit: String? {
    switch self {
    case .x, .y, .semiMajorAxis, .semiMinorAxis, .firstColumn, .firstRow, .lastColumn, .lastRow:
      "pixel"
    case .isophotalArea, .area: "pixel**2"
    case .rightAscension, .declination, .angle: "deg"
    case .isophotalFlux, .isophotalFluxError, .apertureFlux, .kronFlux, .peak: "count"
    case .kronRadius, .number, .ellipticity, .flags: nil
    }
  }
}
