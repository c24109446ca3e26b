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

  /// Adds what the window shows of each pixel in a box, row by row.
  ///
  /// - Parameters:
  ///   - x: the window's centre, in pixels from 1.
  ///   - box: the pixels that the window sees.
  func sum<Sums: PixelSums>(
    _ x: Double, _ y: Double, in box: PixelBox, _ pixels: SourcePixels, from sums: Sums
  ) -> Sums {
    let columns = box.columns.clamped(to: pixels.patch.columns)
    let (inner, outer) = (max(0, radius - Self.margin), radius + Self.margin)
    // The window's height is a product of a column's and a row's.
    let heights = columns.map { height(Double($0 + 1) - x) }
    var all = sums
    heights.withUnsafeBufferPointer { heights in
      for row in box.rows.clamped(to: pixels.patch.rows) {
        let dy = Double(row + 1) - y
        let rowHeight = height(dy)
        let chords = Chords(dy, radius: radius, from: Double(columns.lowerBound + 1) - x)
        // Sums that only these loops know of stay in registers.
        var sums = all
        func add(_ column: Int, share: Double) {
          sums.add(
            pixels.measured(column, row),
            weight: rowHeight * heights[column - columns.lowerBound] * share,
            Double(column + 1) - x, dy)
        }
        func addEdge(_ column: Int) {
          let count = chords.count(inPixel: column - columns.lowerBound)
          guard count > 0 else { return }
          add(column, share: Double(count) / Double(Chords.parts * Chords.parts))
        }
        let seen = Self.columns(around: x, within: outer * outer - dy * dy).clamped(to: columns)
        let whole = Self.columns(around: x, within: inner * inner - dy * dy).clamped(to: seen)
        for column in seen.lowerBound..<whole.lowerBound { addEdge(column) }
        for column in whole { add(column, share: 1) }
        for column in whole.upperBound..<seen.upperBound { addEdge(column) }
        all = sums
      }
    }
    return all
  }

  /// The columns whose centres are nearer than a distance to a place, in pixels from 1.
  @inline(__always)
  private static func columns(around x: Double, within square: Double) -> Range<Int> {
    let half = max(0, square).squareRoot()
    let first = Int(x - half)
    return first..<max(first, Int(x + half))
  }

  private func height(_ distance: Double) -> Double {
    PortableMath.exp(-distance * distance * falloff)
  }
}

/// The chords of a circle through a row of pixels, each of which is cut into equal parts: a chord for
/// each row of parts, from the first of its parts to the one after its last, with centres in the circle.
private struct Chords {
  static let parts = 11
  /// Counted in parts, from the left edge of the first pixel. What has no chord is empty.
  private let begins: SIMD16<Int16>
  private let ends: SIMD16<Int16>

  /// - Parameters:
  ///   - dy: the place of the pixels' centres from the circle's, in pixels.
  ///   - dx: that of the first pixel's.
  @inline(__always)
  init(_ dy: Double, radius: Double, from dx: Double) {
    let parts = Double(Self.parts)
    let middle = (0.5 - dx) * parts - 0.5
    // The last lanes are no parts: they lie far outside of any circle.
    let far = 1e9
    let centers =
      SIMD16(0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, far, far, far, far, far)
      / parts
    let distances = dy + centers - 0.5
    let squares = radius * radius - distances * distances
    let isIn = squares .> 0
    var halves = squares.replacing(with: 0, where: .!isIn)
    // The vector's own `squareRoot` takes longer.
    for part in 0..<Self.parts { halves[part] = halves[part].squareRoot() }
    halves *= parts
    begins = Self.whole(Self.floor(middle - halves) + 1, where: isIn)
    ends = Self.whole(0 - Self.floor(-middle - halves), where: isIn)
  }

  /// 1.5 × 2⁵²: a number that is added to it loses its fraction, and the sum's last bits are the whole number.
  private static var shift: Double { 6_755_399_441_055_744 }

  /// The largest whole numbers that are no larger.
  @inline(__always)
  private static func floor(_ places: SIMD16<Double>) -> SIMD16<Double> {
    let nearest = (places + shift) - shift
    return nearest.replacing(with: nearest - 1, where: nearest .> places)
  }

  /// The numbers, which are fewer than a row has parts; 0 in place of negative ones, and of those that are not in.
  @inline(__always)
  private static func whole(
    _ numbers: SIMD16<Double>, where isIn: SIMDMask<SIMD16<Int64>>
  ) -> SIMD16<Int16> {
    let bits = numbers.replacing(with: 0, where: .!isIn .| (numbers .< 0)) + shift
    return SIMD16(truncatingIfNeeded: unsafeBitCast(bits, to: SIMD16<Int64>.self))
  }

  /// How many parts of a pixel are in the circle.
  @inline(__always)
  func count(inPixel number: Int) -> Int {
    let left = SIMD16(repeating: Int16(truncatingIfNeeded: number * Self.parts))
    let right = left &+ Int16(Self.parts)
    let begins = begins.replacing(with: left, where: begins .< left)
    let ends = ends.replacing(with: right, where: ends .> right)
    let lengths = (ends &- begins).replacing(with: 0, where: ends .< begins)
    return Int(lengths.wrappedSum())
  }
}

/// Sums over the pixels in a window.
protocol PixelSums {
  /// Adds a pixel by its value and its relative variance, its weight in the window, and its place from the centre.
  mutating func add(
    _ pixel: (value: Double, variance: Double), weight: Double, _ dx: Double, _ dy: Double)
}

/// The light in a window, and its place: what moves the window. Places count from the window's centre.
struct WindowLight: PixelSums {
  private(set) var flux = 0.0
  private var (x, y) = (0.0, 0.0)

  @inline(__always)
  mutating func add(
    _ pixel: (value: Double, variance: Double), weight: Double, _ dx: Double, _ dy: Double
  ) {
    let light = weight * pixel.value
    flux += light
    x += light * dx
    y += light * dy
  }

  /// The centre of the light. If there is no light, SExtractor has sums in its place, from which the
  /// flags follow.
  var meanX: Double { flux > 0 ? x / flux : x }
  var meanY: Double { flux > 0 ? y / flux : y }
}

/// All sums over the pixels in a window. Places count from its centre.
struct WindowSums: PixelSums {
  private let noise: PixelNoise
  private var light = WindowLight()
  private(set) var variance = 0.0
  private var (xx, yy, xy) = (0.0, 0.0, 0.0)
  private var (errorXX, errorYY, errorXY) = (0.0, 0.0, 0.0)

  /// A pixel's variance along x and y, as SExtractor's constants have it for windows, and for
  /// sources in a line.
  private static let pixel = 0.0833
  private static let linePixel = 0.08333

  init(_ noise: PixelNoise) { self.noise = noise }

  @inline(__always)
  mutating func add(
    _ pixel: (value: Double, variance: Double), weight: Double, _ dx: Double, _ dy: Double
  ) {
    let light = weight * pixel.value
    self.light.add(pixel, weight: weight, dx, dy)
    xx += light * dx * dx
    yy += light * dy * dy
    xy += light * dx * dy
    let error =
      weight * weight
      * noise.variance(
        ofPixel: pixel.value, skyVariance: pixel.variance * noise.unitVariance)
    variance += error
    errorXX += error * (dx * dx + Self.pixel)
    errorYY += error * (dy * dy + Self.pixel)
    errorXY += error * dx * dy
  }

  var flux: Double { light.flux }

  /// The second moments about the centre of the light.
  var spread: Spread {
    Spread(
      xx: xx / flux - light.meanX * light.meanX, yy: yy / flux - light.meanY * light.meanY,
      xy: xy / flux - light.meanX * light.meanY)
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
