extension Component {
  /// The profiles of the component's sources.
  ///
  /// - Parameters:
  ///   - sums: the sources' sums.
  ///   - owners: the source of each pixel; empty if there is one source.
  ///   - isSaturated: whether each pixel is saturated; empty if none is.
  ///   - skies: the level of the sky around each source; empty if it is 0.
  func profiles(
    of sums: [SourceSums], owners: [Int], isSaturated: [Bool], over skies: [Double] = []
  ) -> [Source.Profile] {
    let thresholds = thresholds(of: sums.count, owners: owners)
    var profiles = zip(sums, thresholds).enumerated().map { part, measured in
      let (sums, thresholds) = measured
      return IsophotalProfile(
        peak: Double(sums.isophotal.peak), threshold: Double(thresholds.analysis),
        over: skies.isEmpty ? 0 : skies[part],
        spread: sums.moments.spread(about: sums.center))
    }
    for pixel in 0..<area {
      let owner = owners.isEmpty ? 0 : owners[pixel]
      let center = sums[owner].center
      profiles[owner].add(
        Double(values[pixel]), Double(x[pixel]) - center.x, Double(y[pixel]) - center.y,
        isSaturated: !isSaturated.isEmpty && isSaturated[pixel])
    }
    return profiles.map(\.profile)
  }
}

/// Counts a source's pixels over levels, and fits a Gaussian core to the brightest.
struct IsophotalProfile {
  private let levels: [Double]
  private var areas = [Int32](repeating: 0, count: Source.Profile.levelCount)
  /// The value over which pixels are part of the core. It is a fifth of the peak, or the threshold if
  /// that is higher.
  private let coreThreshold: Double
  /// The smallest slope of the core's logarithm: a wider core would be wider than the source.
  private let smallestSlope: Double
  /// The level of the sky around the source.
  private let sky: Double
  /// Sums for the straight line of a value's logarithm over the square of its distance. Each pixel has
  /// the weight of its value's square.
  private var weight = 0.0
  private var (x, xx, y, xy) = (0.0, 0.0, 0.0, 0.0)

  /// - Parameters:
  ///   - peak: the highest unsmoothed value.
  ///   - threshold: the threshold of unsmoothed values.
  ///   - sky: the level of the sky around the source. As in SExtractor, it lowers the peak and the
  ///     threshold, and the values of the core, but not those that are counted over levels.
  ///   - spread: the source's second moments.
  init(peak: Double, threshold: Double, over sky: Double = 0, spread: Spread) {
    self.sky = sky
    let (peak, threshold) = (peak - sky, threshold - sky)
    // The eighth root of the ratio: library functions differ between machines.
    let isOver = peak > 0 && threshold > 0
    let ratio = isOver ? (peak / threshold).squareRoot().squareRoot().squareRoot() : 0
    var level = threshold
    levels =
      isOver
      ? (0..<Source.Profile.levelCount).map { _ in
        defer { level *= ratio }
        return level
      } : []
    coreThreshold = max(peak / 5, threshold)
    let shape = spread.regular
    smallestSlope = 1 / (13 * (shape.xx * shape.yy - shape.xy * shape.xy).squareRoot())
  }

  /// Adds a pixel.
  ///
  /// - Parameters:
  ///   - value: the unsmoothed value.
  ///   - dx: the distance from the source's centre.
  ///   - isSaturated: whether the pixel's value is too low. It is no part of the core then.
  mutating func add(_ value: Double, _ dx: Double, _ dy: Double, isSaturated: Bool) {
    for (number, level) in levels.enumerated() where value > level { areas[number] += 1 }
    let value = value - sky
    guard coreThreshold > 0, value > coreThreshold, !isSaturated else { return }
    let (square, height, share) = (dx * dx + dy * dy, PortableMath.log(value), value * value)
    weight += share
    x += share * square
    xx += share * square * square
    y += share * height
    xy += share * square * height
  }

  var profile: Source.Profile { Source.Profile(areas: areas, fwhm: fwhm) }

  private var fwhm: Double {
    let determinant = weight * xx - x * x
    guard abs(determinant) > 0 else { return 0 }
    let slope = max(smallestSlope, -(weight * xy - x * y) / determinant)
    let width = 1.6651 / slope.squareRoot()
    // A pixel widens the core of a star that is hardly wider itself.
    return width - 1 / (4 * width)
  }
}
