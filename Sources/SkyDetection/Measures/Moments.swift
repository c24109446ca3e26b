/// Weighted sums over pixels, from which positions and shapes are computed.
struct Moments {
  private(set) var weight = 0.0
  private var x = 0.0
  private var y = 0.0
  private var xx = 0.0
  private var yy = 0.0
  private var xy = 0.0

  @inline(__always)
  mutating func add(_ weight: Double, _ x: Double, _ y: Double) {
    self.weight += weight
    self.x += weight * x
    self.y += weight * y
    xx += weight * x * x
    yy += weight * y * y
    xy += weight * x * y
  }

  var meanX: Double { x / weight }
  var meanY: Double { y / weight }

  /// The second moments about a centre.
  func spread(about center: (x: Double, y: Double)) -> Spread {
    let (meanX, meanY) = (meanX, meanY)
    return Spread(
      xx: max(0, xx / weight + center.x * center.x - 2 * meanX * center.x),
      yy: max(0, yy / weight + center.y * center.y - 2 * meanY * center.y),
      xy: xy / weight + center.x * center.y - meanX * center.y - center.x * meanY)
  }
}

/// Second moments, in square pixels.
struct Spread: Hashable {
  var xx: Double
  var yy: Double
  var xy: Double

  /// The same moments; or, if the pixels lie in a line, with a pixel's own variance, 1/12, added.
  /// Otherwise a source one pixel wide would have no width at all.
  var regular: Spread {
    let pixel = 1.0 / 12
    guard xx * yy - xy * xy < pixel * pixel else { return self }
    return Spread(xx: xx + pixel, yy: yy + pixel, xy: xy)
  }
}
