/// A model of a source's wings: an elliptical Moffat profile. Where the source's pixels end, the
/// profile is as high as the threshold. Its central height follows from the flux.
///
/// This is SExtractor's CLEAN (Bertin & Arnouts 1996, A&AS 117, 393) in the version of `clean` in
/// sep 1.4. Everything is in pixels and in the image's units.
struct CleaningProfile {
  /// Two sources are compared within this distance, in units of the sum of their major axes.
  private static let zone = 10.0
  /// The square of the distance where the profile ends, in units of the profile's own radius.
  private static let end = 1e10

  let x: Double
  let y: Double
  let flux: Double
  let semiMajorAxis: Double
  /// The height that another source's wings must have here to absorb this source; infinite if no
  /// source absorbs it.
  let height: Double
  /// The height at the centre; 0 if the wings are unknown.
  private let amplitude: Double
  /// The profile is amplitude / (1 + steepness · distance²) ^ exponent, with the distance in units
  /// of the ellipse's axes.
  private let steepness: Double
  private let exponent: Double
  private let (cxx, cyy, cxy): (Double, Double, Double)

  /// - Returns: `nil` if the source was not measured for cleaning, or has numbers that are not
  ///   finite.
  init?(_ source: Source, parameter: Double) {
    guard let measures = source.cleaning, source.isFinite, measures.flux.isFinite else {
      return nil
    }
    let spread = Spread(xx: source.xx, yy: source.yy, xy: source.xy).regular
    let (ellipse, threshold) = (source.ellipse, Double(measures.threshold))
    (x, y, flux) = (source.x, source.y, measures.flux)
    semiMajorAxis = ellipse.semiMajorAxis
    height = measures.height.map(Double.init) ?? .infinity
    exponent = parameter
    let determinant = spread.xx * spread.yy - spread.xy * spread.xy
    cxx = spread.yy / determinant
    cyy = spread.xx / determinant
    cxy = -2 * spread.xy / determinant
    let area = Double.pi * ellipse.semiMajorAxis * ellipse.semiMinorAxis
    let amplitude = flux / (2 * area * Self.concentration(of: source, measures, area))
    let steepness =
      (Self.power(amplitude / threshold, 1 / parameter) - 1) * area / Double(source.isophotal.area)
    // A profile that rises outwards covers nothing.
    let falls = determinant > 0 && steepness > 0 && steepness.isFinite
    self.amplitude = falls ? amplitude : 0
    self.steepness = falls ? steepness : 0
  }

  /// The area of the slope divided by that of a Gaussian with the same moments; at most 1. It is
  /// less than 1 because only pixels over the threshold count for the moments (`abcor` in
  /// SExtractor).
  private static func concentration(
    of source: Source, _ measures: CleaningMeasures, _ area: Double
  ) -> Double {
    let threshold = Double(measures.threshold)
    let ratio = threshold / ((threshold + Double(source.isophotal.peak)) / 2)
    guard let slopeArea = measures.slopeArea, ratio > 0 else { return 1 }
    return min(
      1, -Double(max(1, slopeArea)) / (2 * area * PortableMath.log(ratio < 1 ? ratio : 0.99)))
  }

  /// A number to a power: the same on every machine, as the systems that scan whole images clean them themselves.
  /// `nan` if the number is negative.
  private static func power(_ number: Double, _ exponent: Double) -> Double {
    guard number > 0, number < .infinity else {
      return number == 0 || number == .infinity
        ? (number == 0) == (exponent > 0) ? 0 : .infinity : .nan
    }
    let logarithm = PortableMath.log(number) * exponent
    guard abs(logarithm) < 700 else { return logarithm > 0 ? .infinity : 0 }
    return PortableMath.exp(logarithm)
  }

  /// Whether this source's wings are higher, at a fainter source, than the fainter source's own
  /// height. `false` if both have the same centre.
  func covers(_ other: CleaningProfile) -> Bool {
    let (dx, dy) = (x - other.x, y - other.y)
    let limit = Self.zone * (semiMajorAxis + other.semiMajorAxis)
    guard amplitude > 0, dx * dx + dy * dy <= limit * limit else { return false }
    let base = 1 + steepness * (cxx * dx * dx + cyy * dy * dy + cxy * dx * dy)
    return base > 1 && base < Self.end && amplitude * Self.power(base, -exponent) > other.height
  }

  /// The distance, in pixels, beyond which this profile covers no source with at least this height
  /// and at most this axis.
  func reach(height: Double, semiMajorAxis: Double) -> Double {
    guard amplitude > height else { return 0 }
    let base = min(height > 0 ? Self.power(amplitude / height, 1 / exponent) : .infinity, Self.end)
    let wings = self.semiMajorAxis * ((base - 1) / steepness).squareRoot()
    // The margin makes sure that rounding excludes no source.
    return 1.001 * min(wings, Self.zone * (self.semiMajorAxis + semiMajorAxis)) + 0.001
  }
}
