/// Sums over a component's pixels. They are sums of integers, so they are the same in whatever
/// order, and in however many parts, they are added.
///
/// A value counts in units of 2⁻¹⁶ of the noise, and at most as 2²⁸ times the noise. With
/// coordinates below 2²⁰, the sums over 2⁴⁰ pixels, and the products formed from them, stay below
/// 2¹²⁶.
package struct ExactSums: Codable, Hashable, Sendable {
  private static let fraction = 65536.0
  private static let limit = 1 << 44

  package private(set) var area = 0
  private(set) var isophotalArea = 0
  private(set) var peak = -Float.infinity
  private(set) var isSaturated = false
  /// The sum of the unsmoothed values.
  private var flux: Int128 = 0
  /// The sum of the variances, in units of 2⁻¹⁶ of the noise squared.
  private var variance: Int128 = 0
  /// The sum of the smoothed values, and of their products with columns and rows.
  private var weight: Int128 = 0
  private var x: Int128 = 0
  private var y: Int128 = 0
  private var xx: Int128 = 0
  private var yy: Int128 = 0
  private var xy: Int128 = 0

  package init() {}

  /// Adds a pixel of the image.
  ///
  /// - Parameters:
  ///   - variance: the variance of the pixel.
  ///   - noise: the standard deviation of a typical pixel, which is the sums' unit.
  package mutating func add(
    value: Float, smoothed: Float, column: Int, row: Int, isSaturated: Bool,
    isOverThreshold: Bool, variance: Double, noise: Double
  ) {
    area += 1
    if isOverThreshold { isophotalArea += 1 }
    peak = max(peak, value)
    if isSaturated { self.isSaturated = true }
    self.variance += Self.whole(variance / (noise * noise))
    flux += Self.whole(Double(value) / noise)
    // The pixel is over the threshold, so it has a weight even if its value is a tiny part of the
    // noise.
    let w = max(1, Self.whole(Double(smoothed) / noise))
    let (column, row) = (Int128(column), Int128(row))
    weight += w
    x += w * column
    y += w * row
    xx += w * column * column
    yy += w * row * row
    xy += w * column * row
  }

  mutating func add(_ other: ExactSums) {
    area += other.area
    isophotalArea += other.isophotalArea
    peak = max(peak, other.peak)
    isSaturated = isSaturated || other.isSaturated
    variance += other.variance
    flux += other.flux
    weight += other.weight
    x += other.x
    y += other.y
    xx += other.xx
    yy += other.yy
    xy += other.xy
  }

  private static func whole(_ ratio: Double) -> Int128 {
    Int128(max(-Double(limit), min(Double(limit), (ratio * fraction).rounded())))
  }

  /// Whether the sums can be those of pixels in a box. The box must not be empty, and must be
  /// within an image.
  package func areSound(in box: PixelBox) -> Bool {
    guard (1...box.columns.count * box.rows.count).contains(area),
      (0...area).contains(isophotalArea), peak.isFinite
    else { return false }
    let most = Int128(Self.limit) * Int128(area)
    guard (-most...most).contains(flux), (0...most).contains(variance),
      (1...most).contains(weight)
    else { return false }
    let left = Int128(box.columns.lowerBound)
    let right = Int128(box.columns.upperBound - 1)
    let top = Int128(box.rows.lowerBound)
    let bottom = Int128(box.rows.upperBound - 1)
    func isMean(_ sum: Int128, _ range: ClosedRange<Int128>) -> Bool {
      (weight * range.lowerBound...weight * range.upperBound).contains(sum)
    }
    return isMean(x, left...right) && isMean(y, top...bottom)
      && isMean(xx, left * left...right * right) && isMean(yy, top * top...bottom * bottom)
      && isMean(xy, left * top...right * bottom)
  }

  // MARK: Results

  /// The component as one source, without the fluxes in apertures.
  func source(
    first: PixelPlace, box: PixelBox, noise: Double, settings: DetectionSettings
  ) -> Source {
    let shape = shape
    let unit = noise / Self.fraction
    let flux = Double(flux) * noise / Self.fraction
    // Where pixels have gains of their own, each has brought its photons' variance.
    let photons = settings.scalesGain ? 0 : settings.photonVariance(of: flux)
    let cleaning = settings.cleaningThreshold(noise: noise).map { threshold in
      CleaningMeasures(flux: Double(weight) * unit, threshold: threshold)
    }
    return Source(
      component: first, part: 0, x: shape.x + 1, y: shape.y + 1,
      xx: shape.spread.xx, yy: shape.spread.yy, xy: shape.spread.xy,
      flux: flux, variance: Double(variance) * noise * noise / Self.fraction + photons, peak: peak,
      area: Int32(clamping: area), isophotalArea: Int32(clamping: isophotalArea),
      xMin: Int32(box.columns.lowerBound + 1), yMin: Int32(box.rows.lowerBound + 1),
      xMax: Int32(box.columns.upperBound), yMax: Int32(box.rows.upperBound),
      flags: isSaturated ? [.notDeblended, .saturated] : .notDeblended, apertureFluxes: [],
      cleaning: cleaning)
  }

  /// The barycentre in the image, where the centre of the first pixel is (0, 0), and the moments
  /// about it.
  private var shape: (x: Double, y: Double, spread: Spread) {
    // The moments are taken from a whole pixel nearby. From far away, their digits would be lost in
    // the squares of coordinates.
    let (column, row) = (x / weight, y / weight)
    let weight = Double(self.weight)
    let dx = Double(x - column * self.weight) / weight
    let dy = Double(y - row * self.weight) / weight
    let xx = Double(self.xx - 2 * column * x + column * column * self.weight) / weight
    let yy = Double(self.yy - 2 * row * y + row * row * self.weight) / weight
    let xy =
      Double(self.xy - column * y - row * x + column * row * self.weight) / weight
    return (
      Double(column) + dx, Double(row) + dy,
      Spread(xx: max(0, xx - dx * dx), yy: max(0, yy - dy * dy), xy: xy - dx * dy)
    )
  }
}
