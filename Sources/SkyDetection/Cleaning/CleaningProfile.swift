#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The wings that a source is taken to have: an elliptical Moffat profile, which has the threshold
/// as its height where the source's pixels end, and a central height that follows from its flux.
///
/// SExtractor's CLEAN (Bertin & Arnouts 1996, A&AS 117, 393), as `clean` in sep 1.4 has it.
/// Everything is in pixels and in the image's units.
struct CleaningProfile {
  /// How far from each other sources are compared, in units of the sum of their major axes.
  private static let zone = 10.0
  /// Further out there is nothing, in units of the profile's own radius, squared.
  private static let end = 1e10

  let x: Double
  let y: Double
  let flux: Double
  let semiMajorAxis: Double
  /// How high another's wings must be here to eat it; endlessly, if nothing eats it.
  let height: Double
  /// At the centre; 0 if nothing is known of its wings.
  private let amplitude: Double
  /// The profile is amplitude / (1 + steepness · distance²) ^ exponent, the distance being in
  /// units of the ellipse's axes.
  private let steepness: Double
  private let exponent: Double
  private let (cxx, cyy, cxy): (Double, Double, Double)

  /// - Returns: `nil` if it was not measured for that, or has numbers that are none.
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
      (pow(amplitude / threshold, 1 / parameter) - 1) * area / Double(source.area)
    // A profile that rises outwards covers nothing.
    let falls = determinant > 0 && steepness > 0 && steepness.isFinite
    self.amplitude = falls ? amplitude : 0
    self.steepness = falls ? steepness : 0
  }

  /// By how much the area of the slope is less than that of a Gaussian with the same moments, which
  /// were taken over the threshold only; at most 1 (`abcor` in SExtractor).
  private static func concentration(
    of source: Source, _ measures: CleaningMeasures, _ area: Double
  ) -> Double {
    let threshold = Double(measures.threshold)
    let ratio = threshold / ((threshold + Double(source.peak)) / 2)
    guard let slopeArea = measures.slopeArea, ratio > 0 else { return 1 }
    return min(1, -Double(max(1, slopeArea)) / (2 * area * log(ratio < 1 ? ratio : 0.99)))
  }

  /// Whether its wings, where a fainter source is, are higher than what that one stands out by. Not
  /// if both have the same centre.
  func covers(_ other: CleaningProfile) -> Bool {
    let (dx, dy) = (x - other.x, y - other.y)
    let limit = Self.zone * (semiMajorAxis + other.semiMajorAxis)
    guard amplitude > 0, dx * dx + dy * dy <= limit * limit else { return false }
    let base = 1 + steepness * (cxx * dx * dx + cyy * dy * dy + cxy * dx * dy)
    return base > 1 && base < Self.end && amplitude * pow(base, -exponent) > other.height
  }

  /// How far away, in pixels, it covers none of those that have at least this height and at most
  /// this axis.
  func reach(height: Double, semiMajorAxis: Double) -> Double {
    guard amplitude > height else { return 0 }
    let base = min(height > 0 ? pow(amplitude / height, 1 / exponent) : .infinity, Self.end)
    let wings = self.semiMajorAxis * ((base - 1) / steepness).squareRoot()
    // A little more, so that rounding leaves out none.
    return 1.001 * min(wings, Self.zone * (self.semiMajorAxis + semiMajorAxis)) + 0.001
  }
}
