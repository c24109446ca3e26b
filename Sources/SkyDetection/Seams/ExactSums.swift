// What this file codes is frozen by the version of `SourceScan.kind`.

/// Sums over a component's pixels. They are sums of integers, so they are the same in whatever
/// order, and in however many parts, they are added.
///
/// A value counts in units of 2⁻¹⁶ of the noise, and at most as 2²⁸ times the noise. With
/// coordinates below 2²⁰, the sums over 2⁴⁰ pixels, and the products formed from them, stay below
/// 2¹²⁶.
package struct ExactSums: Hashable, Sendable {
  private static let fraction = 65536.0
  private static let limit = 1 << 44

  private(set) var isophotal = IsophotalMeasures()
  private var sums = Sums()

  private struct Sums: Codable, Hashable {
    var isSaturated = false
    /// The sum of the unsmoothed values.
    var flux: Int128 = 0
    /// The sum of the variances, in units of 2⁻¹⁶ of the noise squared.
    var variance: Int128 = 0
    /// The sum of the smoothed values, and of their products with columns and rows.
    var weight: Int128 = 0
    var x: Int128 = 0
    var y: Int128 = 0
    var xx: Int128 = 0
    var yy: Int128 = 0
    var xy: Int128 = 0
  }

  package init() {}

  /// The number of pixels.
  package var area: Int { Int(isophotal.area) }

  /// Adds a pixel of the image.
  ///
  /// - Parameters:
  ///   - variance: the variance of the pixel.
  ///   - noise: the standard deviation of a typical pixel, which is the sums' unit.
  package mutating func add(
    _ pixel: MeasuredPixel, isSaturated: Bool, variance: Double, noise: Double
  ) {
    isophotal.add(pixel)
    if isSaturated { sums.isSaturated = true }
    sums.variance += Self.whole(variance / (noise * noise))
    sums.flux += Self.whole(Double(pixel.value) / noise)
    // The pixel is over the threshold, so it has a weight even if its value is a tiny part of the
    // noise.
    let w = max(1, Self.whole(Double(pixel.smoothed) / noise))
    let (column, row) = (Int128(pixel.place.column), Int128(pixel.place.row))
    sums.weight += w
    sums.x += w * column
    sums.y += w * row
    sums.xx += w * column * column
    sums.yy += w * row * row
    sums.xy += w * column * row
  }

  mutating func add(_ other: ExactSums) {
    isophotal.add(other.isophotal)
    sums.isSaturated = sums.isSaturated || other.sums.isSaturated
    sums.variance += other.sums.variance
    sums.flux += other.sums.flux
    sums.weight += other.sums.weight
    sums.x += other.sums.x
    sums.y += other.sums.y
    sums.xx += other.sums.xx
    sums.yy += other.sums.yy
    sums.xy += other.sums.xy
  }

  private static func whole(_ ratio: Double) -> Int128 {
    Int128(max(-Double(limit), min(Double(limit), (ratio * fraction).rounded())))
  }

  /// Whether the sums can be those of pixels in a box. The box must not be empty, and must be
  /// within an image.
  package func areSound(in box: PixelBox) -> Bool {
    guard isophotal.areSound(in: box) else { return false }
    let most = Int128(Self.limit) * Int128(area)
    let weight = sums.weight
    guard (-most...most).contains(sums.flux), (0...most).contains(sums.variance),
      (1...most).contains(weight)
    else { return false }
    let left = Int128(box.columns.lowerBound)
    let right = Int128(box.columns.upperBound - 1)
    let top = Int128(box.rows.lowerBound)
    let bottom = Int128(box.rows.upperBound - 1)
    func isMean(_ sum: Int128, _ range: ClosedRange<Int128>) -> Bool {
      (weight * range.lowerBound...weight * range.upperBound).contains(sum)
    }
    return isMean(sums.x, left...right) && isMean(sums.y, top...bottom)
      && isMean(sums.xx, left * left...right * right)
      && isMean(sums.yy, top * top...bottom * bottom)
      && isMean(sums.xy, left * top...right * bottom)
  }

  // MARK: Results

  /// The component as one source, without the fluxes in apertures.
  func source(
    first: PixelPlace, box: PixelBox, noise: Double, settings: DetectionSettings
  ) -> Source {
    let shape = shape
    let unit = noise / Self.fraction
    let flux = Double(sums.flux) * noise / Self.fraction
    // Where pixels have gains of their own, each has brought its photons' variance.
    let photons = settings.scalesGain ? 0 : settings.photonVariance(of: flux)
    let cleaning = settings.cleaningThreshold(noise: noise).map { threshold in
      CleaningMeasures(flux: Double(sums.weight) * unit, threshold: threshold)
    }
    return Source(
      component: first, part: 0, x: shape.x + 1, y: shape.y + 1,
      xx: shape.spread.xx, yy: shape.spread.yy, xy: shape.spread.xy,
      flux: flux, variance: Double(sums.variance) * noise * noise / Self.fraction + photons,
      isophotal: isophotal,
      xMin: Int32(box.columns.lowerBound + 1), yMin: Int32(box.rows.lowerBound + 1),
      xMax: Int32(box.columns.upperBound), yMax: Int32(box.rows.upperBound),
      flags: sums.isSaturated ? [.notDeblended, .saturated] : .notDeblended, apertureFluxes: [],
      cleaning: settings.isListed(area: isophotal.area) ? cleaning : nil)
  }

  /// The barycentre in the image, where the centre of the first pixel is (0, 0), and the moments
  /// about it.
  private var shape: (x: Double, y: Double, spread: Spread) {
    // The moments are taken from a whole pixel nearby. From far away, their digits would be lost in
    // the squares of coordinates.
    let (x, y) = (sums.x, sums.y)
    let (column, row) = (x / sums.weight, y / sums.weight)
    let weight = Double(sums.weight)
    let dx = Double(x - column * sums.weight) / weight
    let dy = Double(y - row * sums.weight) / weight
    let xx = Double(sums.xx - 2 * column * x + column * column * sums.weight) / weight
    let yy = Double(sums.yy - 2 * row * y + row * row * sums.weight) / weight
    let xy =
      Double(sums.xy - column * y - row * x + column * row * sums.weight) / weight
    return (
      Double(column) + dx, Double(row) + dy,
      Spread(xx: max(0, xx - dx * dx), yy: max(0, yy - dy * dy), xy: xy - dx * dy)
    )
  }
}

/// The isophotal measures and the sums are side by side.
extension ExactSums: Codable {
  package init(from decoder: any Decoder) throws {
    isophotal = try IsophotalMeasures(from: decoder)
    sums = try Sums(from: decoder)
  }

  package func encode(to encoder: any Encoder) throws {
    try isophotal.encode(to: encoder)
    try sums.encode(to: encoder)
  }
}
