/// A round Gaussian window that is cut off at four times its deviation.
struct Window {
  let radius: Double
  /// 1/2σ².
  private let falloff: Double

  /// A pixel on the edge counts by how many of its 11 × 11 equal parts have their centres inside.
  private static let margin = 0.75

  /// The window for a source, as wide as a Gaussian whose width at half of its height is twice the
  /// source's half-light radius.
  init(halfLightRadius: Double) {
    let deviation = halfLightRadius * 2 / 2.35
    radius = 4 * deviation
    falloff = 1 / (2 * deviation * deviation)
  }

  /// Sums the pixels of a box, row by row.
  ///
  /// - Parameters:
  ///   - x: the window's centre, in pixels from 1.
  ///   - box: the pixels that the window sees.
  func sums(
    _ x: Double, _ y: Double, in box: PixelBox, _ pixels: SourcePixels, _ noise: PixelNoise
  ) -> WindowSums {
    let columns = box.columns.clamped(to: pixels.patch.columns)
    let rows = box.rows.clamped(to: pixels.patch.rows)
    let inner = max(0, radius - Self.margin)
    let outer = radius + Self.margin
    // The window's height is a product of a column's and a row's.
    let heights = columns.map { height(Double($0 + 1) - x) }
    let parts = columns.map { Parts(Double($0 + 1) - x) }
    var sums = WindowSums()
    for row in rows {
      let dy = Double(row + 1) - y
      let rowHeight = height(dy)
      for (offset, column) in columns.enumerated() {
        let dx = Double(column + 1) - x
        let square = dx * dx + dy * dy
        guard square < outer * outer else { continue }
        var area = 1.0
        if square > inner * inner {
          let count = parts[offset].count(dy, within: radius * radius)
          guard count > 0 else { continue }
          area = Double(count) / Double(Parts.count * Parts.count)
        }
        let (value, variance) = pixels.measured(column, row)
        sums.add(
          value, weight: area * rowHeight * heights[offset], dx, dy,
          variance: noise.variance(ofPixel: value, skyVariance: variance * noise.unitVariance))
      }
    }
    return sums
  }

  private func height(_ distance: Double) -> Double {
    PortableMath.exp(-distance * distance * falloff)
  }
}

/// The equal parts of the pixels in a column of a window.
private struct Parts {
  static let count = 11
  /// The squares of the distances of the parts' centres from the window's centre along x, padded
  /// with infinity; and the smallest and the largest of them.
  private var squares = SIMD16<Double>(repeating: .infinity)
  private let nearest: Double
  private let farthest: Double

  /// - Parameter dx: the distance of the pixels' centres.
  init(_ dx: Double) {
    for part in 0..<Self.count { squares[part] = Self.square(dx, part) }
    nearest = squares.min()
    farthest = max(squares[0], squares[Self.count - 1])
  }

  /// How many of a pixel's parts have their centres in a circle.
  ///
  /// - Parameter dy: the distance of the pixel's centre along y.
  @inline(__always)
  func count(_ dy: Double, within square: Double) -> Int {
    var count = 0
    for part in 0..<Self.count {
      let rest = square - Self.square(dy, part)
      if farthest < rest {
        count += Self.count
      } else if nearest < rest {
        for column in 0..<Self.count where squares[column] < rest { count += 1 }
      }
    }
    return count
  }

  private static func square(_ distance: Double, _ part: Int) -> Double {
    let distance = distance + (Double(part) + 0.5) / Double(count) - 0.5
    return distance * distance
  }
}

/// Sums over the pixels in a window. Places count from its centre.
struct WindowSums {
  private(set) var flux = 0.0
  private(set) var variance = 0.0
  private var (x, y) = (0.0, 0.0)
  private var (xx, yy, xy) = (0.0, 0.0, 0.0)
  private var (errorXX, errorYY, errorXY) = (0.0, 0.0, 0.0)

  /// A pixel's variance along x and y, as SExtractor's constants have it for windows, and for
  /// sources in a line.
  private static let pixel = 0.0833
  private static let linePixel = 0.08333

  @inline(__always)
  mutating func add(
    _ value: Double, weight: Double, _ dx: Double, _ dy: Double, variance: Double
  ) {
    let light = weight * value
    flux += light
    x += light * dx
    y += light * dy
    xx += light * dx * dx
    yy += light * dy * dy
    xy += light * dx * dy
    let error = weight * weight * variance
    self.variance += error
    errorXX += error * (dx * dx + Self.pixel)
    errorYY += error * (dy * dy + Self.pixel)
    errorXY += error * dx * dy
  }

  /// The centre of the light. If there is no light, SExtractor has sums in its place, from which the
  /// flags follow.
  var meanX: Double { flux > 0 ? x / flux : x }
  var meanY: Double { flux > 0 ? y / flux : y }

  /// The second moments about the centre of the light.
  var spread: Spread {
    Spread(
      xx: xx / flux - meanX * meanX, yy: yy / flux - meanY * meanY,
      xy: xy / flux - meanX * meanY)
  }

  var flags: Source.WindowMeasures.Flags {
    let spread = spread
    var flags: Source.WindowMeasures.Flags = flux > 0 ? [] : .noFlux
    if spread.xx < 0 || spread.yy < 0 { flags.insert(.negativeMoment) }
    if spread.xx * spread.yy - spread.xy * spread.xy < 0 { flags.insert(.noEllipse) }
    return flags
  }

  /// The variances of the centre.
  ///
  /// - Parameters:
  ///   - scale: the window's step, in units of the distance of the centre of the light.
  ///   - isLine: whether the source's pixels lie in a line.
  func errors(scale: Double, isLine: Bool) -> Source.PositionErrors {
    let unit = scale * scale / (flux * flux)
    var errors = Source.PositionErrors(
      xx: errorXX * unit, yy: errorYY * unit, xy: errorXY * unit)
    if isLine { errors.widen(by: Self.linePixel * variance * unit) }
    return errors
  }
}
