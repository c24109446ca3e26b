/// All columns. Their definitions are beside, by family. Elsewhere, columns are named where they are more than
/// columns: an ellipse of DS9's regions. What a column shows that no other does is measured in
/// `SkyDetection`, as a member of `Source` or of one of its groups.
extension Column {
  /// All columns, in the order in which a list names them.
  public static let allCases: [Column] =
    [
      number, x, y, rightAscension, declination, isophotalFlux, isophotalFluxError, apertureFlux,
      kronFlux, kronRadius, peak, isophotalArea, area, semiMajorAxis, semiMinorAxis, angle,
      ellipticity, elongation, xMin, yMin, xMax, yMax, xPeak, yPeak, flags,
    ] + photometry + ellipses + profiles + windowed + places + worldEllipses + weights

  /// The columns of a catalogue by default.
  public static let usual: [Column] = [
    number, x, y, rightAscension, declination, isophotalFlux, isophotalFluxError, apertureFlux,
    peak, isophotalArea, semiMajorAxis, semiMinorAxis, angle, ellipticity, xMin, yMin,
    xMax, yMax, flags,
  ]
}
