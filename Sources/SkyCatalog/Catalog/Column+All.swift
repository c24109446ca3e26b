import SkyDetection
import SkyFITS

/// The definitions of the columns. Elsewhere, columns are named where they are more than columns: an ellipse of DS9's
/// regions, the number of `FLUX_APER`'s circles. What a column shows that no other does is measured in
/// `SkyDetection`, as a member of `Source` or of its `IsophotalMeasures`.
extension Column {
  /// All columns, in the order in which a list names them.
  public static let allCases: [Column] = [
    number, x, y, rightAscension, declination, isophotalFlux, isophotalFluxError, apertureFlux,
    kronFlux, kronRadius, peak, isophotalArea, area, semiMajorAxis, semiMinorAxis, angle,
    ellipticity, elongation, xMin, yMin, xMax, yMax, xPeak, yPeak, flags,
  ]

  /// The columns of a catalogue by default.
  public static let usual: [Column] = [
    number, x, y, rightAscension, declination, isophotalFlux, isophotalFluxError, apertureFlux,
    peak, isophotalArea, semiMajorAxis, semiMinorAxis, angle, ellipticity, xMin, yMin,
    xMax, yMax, flags,
  ]

  public static let number = Column("NUMBER", "running number", .int32 { $0.number })

  // MARK: Positions

  public static let x = Column(
    "X_IMAGE", "barycentre along x, from 1 at the centre of the first pixel", unit: "pixel",
    .float64(places: 4) { $0.source.x })
  public static let y = Column(
    "Y_IMAGE", "barycentre along y", unit: "pixel", .float64(places: 4) { $0.source.y })
  public static let rightAscension = Column(
    "ALPHA_J2000", "right ascension of the barycentre (J2000)", unit: "deg", needs: .sky,
    .float64(places: 7) { $0.position?.rightAscension })
  public static let declination = Column(
    "DELTA_J2000", "declination of the barycentre (J2000)", unit: "deg", needs: .sky,
    .float64(places: 7) { $0.position?.declination })
  public static let xPeak = Column(
    "XPEAK_IMAGE", "column of the highest pixel when smoothed", unit: "pixel",
    .int32 { Int($0.source.isophotal.xPeak) })
  public static let yPeak = Column(
    "YPEAK_IMAGE", "row of the highest pixel when smoothed", unit: "pixel",
    .int32 { Int($0.source.isophotal.yPeak) })

  // MARK: Fluxes

  public static let isophotalFlux = Column(
    "FLUX_ISO", "flux of the pixels over the threshold", unit: "count", .float32 { $0.source.flux })
  public static let isophotalFluxError = Column(
    "FLUXERR_ISO", "its r.m.s. error", unit: "count",
    .float32 { $0.source.variance.squareRoot() })
  public static let apertureFlux = Column(
    "FLUX_APER", "flux within a circle", unit: "count", needs: .apertures,
    .float32 { $0.source.apertureFluxes[$0.aperture] })
  public static let kronFlux = Column(
    "FLUX_AUTO", "flux within an ellipse that fits the source (Kron)", unit: "count",
    needs: .kron, .float32 { $0.source.kron?.flux })
  public static let kronRadius = Column(
    "KRON_RADIUS", "that ellipse, in units of A and B", needs: .kron,
    .float64(places: 2) { $0.source.kron?.radius })
  public static let peak = Column(
    "FLUX_MAX", "highest pixel over the background", unit: "count",
    .float32 { Double($0.source.isophotal.peak) })

  // MARK: Shapes

  public static let isophotalArea = Column(
    "ISOAREA_IMAGE", "number of pixels over the threshold", unit: "pixel**2",
    .int32 { Int($0.source.isophotal.isophotalArea) })
  public static let area = Column(
    "ISOAREAF_IMAGE", "number of pixels over the threshold when smoothed", unit: "pixel**2",
    .int32 { Int($0.source.isophotal.area) })
  public static let semiMajorAxis = Column(
    "A_IMAGE", "r.m.s. of the profile along the major axis", unit: "pixel",
    .float64(places: 4) { $0.ellipse.semiMajorAxis })
  public static let semiMinorAxis = Column(
    "B_IMAGE", "r.m.s. of the profile along the minor axis", unit: "pixel",
    .float64(places: 4) { $0.ellipse.semiMinorAxis })
  public static let angle = Column(
    "THETA_IMAGE", "position angle of the major axis, from x towards y", unit: "deg",
    .float64(places: 4) { $0.ellipse.angle })
  public static let ellipticity = Column(
    "ELLIPTICITY", "1 - B/A", .float64(places: 4) { $0.ellipse.ellipticity })
  public static let elongation = Column(
    "ELONGATION", "A/B",
    .float32(places: 3) { row in
      row.ellipse.semiMinorAxis > 0 ? row.ellipse.semiMajorAxis / row.ellipse.semiMinorAxis : nil
    })

  // MARK: Bounds

  public static let xMin = Column(
    "XMIN_IMAGE", "first column of the pixels over the threshold", unit: "pixel",
    .int32 { Int($0.source.xMin) })
  public static let yMin = Column(
    "YMIN_IMAGE", "first row of the pixels over the threshold", unit: "pixel",
    .int32 { Int($0.source.yMin) })
  public static let xMax = Column(
    "XMAX_IMAGE", "last column of the pixels over the threshold", unit: "pixel",
    .int32 { Int($0.source.xMax) })
  public static let yMax = Column(
    "YMAX_IMAGE", "last row of the pixels over the threshold", unit: "pixel",
    .int32 { Int($0.source.yMax) })

  public static let flags = Column(
    "FLAGS", "1 crowded, 2 parted, 4 saturated, 8 at edge, 16 cut, 64 not parted",
    .int16 { Int($0.source.flags.rawValue) })
}
