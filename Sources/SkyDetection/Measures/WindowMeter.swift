/// Measures sources through Gaussian windows in a patch (the SExtractor manual, "Windowed positional
/// parameters").
///
/// The window begins at the source's barycentre, and moves to the centre of the light in it until it
/// stands still. A pixel without a value, or of another source, is replaced by the opposite one across
/// the window's centre.
///
/// SExtractor lets a window go anywhere in the image. Here, it sees no pixel farther from the barycentre than
/// ``limit(of:)``, so that a part of the image surely suffices. A window that reaches beyond would soon
/// measure another source: it has strayed.
struct WindowMeter {
  let field: MeterField
  let noise: PixelNoise

  /// The most times that the window moves.
  private static let mostRounds = 16
  /// The step below which the window stands still, in pixels.
  private static let smallestStep = 0.0001
  /// A Gaussian source's centre is twice as far away as the centre of its light in a window of the
  /// same width.
  private static let gradient = 2.0
  /// The distance from the barycentre up to which pixels are seen, in units of A.
  static let extent = 24.0
  /// A window that ends farther away than that along x, and also along y, has strayed, in pixels.
  /// SExtractor does not document its rule. On six images this one decides as SExtractor 2.25 does
  /// for all windows that it flags, and for all but one in a thousand of the others.
  private static let farthest = 1.0

  /// Measures a source of the component that the mask has taken. The flags have
  /// ``Source/Flags/incompleteAperture`` if a window extends beyond the image.
  ///
  /// - Parameters:
  ///   - halfLightRadius: the radius of the circle with half of the source's light; see
  ///     ``GrowthCurve/halfLightRadius(of:)``.
  ///   - isophotalErrors: the variances of the barycentre, which stand for those of a window without
  ///     an ellipse.
  func measure(
    _ source: Source, halfLightRadius: Double, isophotalErrors: Source.PositionErrors,
    in plane: Plane, _ mask: SourceMask
  ) -> MeterOutcome<Source.WindowMeasures> {
    let window = Window(halfLightRadius: halfLightRadius)
    let limit = Self.limit(of: source)
    var flags: Source.Flags = []
    var seen = PixelBox(around: source.x, source.y, radius: 0)
    return mask.withPixels(of: source, in: plane) { pixels in
      var pixels = pixels
      var (x, y) = (source.x, source.y)
      // Where the window was in the last round.
      var last: (x: Double, y: Double, box: PixelBox)?
      var rounds = 0
      // The window of a huge source may be larger than the limit from the first.
      let fits = limit.holds(circleAround: x, y, radius: window.radius)
      func hasStrayed() -> Bool {
        !limit.holds(circleAround: x, y, radius: fits ? window.radius : 0)
      }
      while !hasStrayed() {
        let box = limit.clipped(around: x, y, radius: window.radius)
        rounds += 1
        guard field.holds(box) else { return .needs(limit) }
        seen = seen.union(box)
        if field.isCut(x: x, y: y, radius: window.radius) { flags.insert(.incompleteAperture) }
        pixels.center(x: x, y: y, in: box)
        last = (x, y, box)
        let light = window.sum(x, y, in: box, pixels, from: WindowLight())
        guard light.flux > 0 else { break }
        let (dx, dy) = (light.meanX, light.meanY)
        (x, y) = (x + Self.gradient * dx, y + Self.gradient * dy)
        if dx * dx + dy * dy < Self.smallestStep * Self.smallestStep { break }
        // A window that still moves counts one round more.
        if rounds == Self.mostRounds {
          rounds += 1
          break
        }
      }
      let isFar = min(abs(x - source.x), abs(y - source.y)) > Self.farthest
      var sums = WindowSums(noise)
      if let last {
        pixels.center(x: last.x, y: last.y, in: last.box)
        sums = window.sum(last.x, last.y, in: last.box, pixels, from: sums)
      }
      var measures = measures(
        of: sums, x, y, rounds, source, isophotalErrors,
        hasStrayed: isFar || hasStrayed())
      measures.reach = Int16(clamping: seen.reach(from: PixelPlace(source)))
      return .measured(measures, flags, seen)
    }
  }

  /// The pixels that a window may see.
  static func limit(of source: Source) -> PixelBox {
    PixelBox(
      around: source.x, source.y, radius: extent * SourceEllipse(source).semiMajorAxis)
  }

  private func measures(
    of sums: WindowSums, _ x: Double, _ y: Double, _ rounds: Int, _ source: Source,
    _ isophotalErrors: Source.PositionErrors, hasStrayed: Bool
  ) -> Source.WindowMeasures {
    let flags = hasStrayed ? sums.flags.union(.strayed) : sums.flags
    let spread = sums.spread
    let isSound = flags.isEmpty
    return Source.WindowMeasures(
      x: isSound ? x : source.x, y: isSound ? y : source.y,
      xx: isSound ? spread.xx : source.xx, yy: isSound ? spread.yy : source.yy,
      xy: isSound ? spread.xy : source.xy,
      errors: isSound
        ? sums.errors(scale: Self.gradient, isLine: SourceEllipse(source).isLine)
        : isophotalErrors,
      flux: sums.flux, variance: sums.variance, iterations: Int16(rounds), flags: flags)
  }
}

extension PixelBox {
  /// The part of the box around a circle, whose centre is in the box. Places count from 1, as in FITS.
  fileprivate func clipped(around x: Double, _ y: Double, radius: Double) -> PixelBox {
    let box = PixelBox(around: x, y, radius: radius)
    return PixelBox(columns: columns.clamped(to: box.columns), rows: rows.clamped(to: box.rows))
  }

  /// The distance from a pixel in the box to the farthest one along an axis, in pixels.
  func reach(from place: PixelPlace) -> Int {
    max(
      max(place.column - columns.lowerBound, columns.upperBound - 1 - place.column),
      max(place.row - rows.lowerBound, rows.upperBound - 1 - place.row))
  }

  /// Whether the box holds a circle, in pixels from 1 as in FITS.
  fileprivate func holds(circleAround x: Double, _ y: Double, radius: Double) -> Bool {
    Double(columns.lowerBound) <= (x - 1 - radius).rounded(.down)
      && (x - 1 + radius).rounded(.up) < Double(columns.upperBound)
      && Double(rows.lowerBound) <= (y - 1 - radius).rounded(.down)
      && (y - 1 + radius).rounded(.up) < Double(rows.upperBound)
  }
}
