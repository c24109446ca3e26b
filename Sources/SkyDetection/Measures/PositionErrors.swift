extension Component {
  /// The variances of the barycentres of the component's sources.
  ///
  /// Every pixel has the noise of the sky, whatever its weight, and that of the photons of its smoothed
  /// value (the SExtractor manual, "Position errors").
  ///
  /// - Parameters:
  ///   - sums: the sources' sums.
  ///   - owners: the source of each pixel; empty if there is one source.
  ///   - noise: the standard deviation of a typical pixel of empty sky.
  ///   - gain: the number of photons per count; 0 stands for infinitely many.
  func positionErrors(
    of sums: [SourceSums], owners: [Int], noise: Double, gain: Double
  ) -> [Source.PositionErrors] {
    var errors = [ErrorSums](repeating: ErrorSums(), count: sums.count)
    for pixel in 0..<area {
      let owner = owners.isEmpty ? 0 : owners[pixel]
      let (center, value) = (sums[owner].center, Double(smoothed[pixel]))
      errors[owner].add(
        noise * noise + (gain > 0 ? max(0, value) / gain : 0),
        Double(x[pixel]) - center.x, Double(y[pixel]) - center.y)
    }
    return zip(errors, sums).map { errors, sums in
      let spread = sums.moments.spread(about: sums.center)
      return errors.errors(weight: sums.moments.weight, isLine: spread.regular != spread)
    }
  }
}

/// Sums over a source's pixels, each with its variance.
private struct ErrorSums {
  private var variance = 0.0
  private var (xx, yy, xy) = (0.0, 0.0, 0.0)

  /// The variance of a pixel's own place along x and y.
  private static let pixel = 0.08333

  /// - Parameters:
  ///   - dx: the distance from the barycentre.
  mutating func add(_ variance: Double, _ dx: Double, _ dy: Double) {
    self.variance += variance
    xx += variance * dx * dx
    yy += variance * dy * dy
    xy += variance * dx * dy
  }

  func errors(weight: Double, isLine: Bool) -> Source.PositionErrors {
    let unit = 1 / (weight * weight)
    var errors = Source.PositionErrors(xx: xx * unit, yy: yy * unit, xy: xy * unit)
    if isLine { errors.widen(by: Self.pixel * variance * unit) }
    return errors
  }
}
