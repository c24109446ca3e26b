/// A source's flux in an ellipse that fits it (Kron 1980, ApJS 43, 305; the SExtractor manual,
/// "Automatic aperture magnitudes").
public struct KronFlux: Codable, Hashable, Sendable {
  /// The ellipse, in units of A and B (KRON_RADIUS).
  public var radius: Double
  /// The flux in it, in the image's units (FLUX_AUTO).
  public var flux: Double
}

/// Measures Kron's fluxes in a patch.
///
/// Pixels of other sources, and those without values, are replaced by the ones opposite to them
/// across the source's centre. Every pixel over the threshold counts as another source's: also those
/// of too few pixels to be one, since a patch need not hold these whole.
struct KronMeter {
  private let settings: KronSettings
  private let patch: PixelRectangle
  private let sight: Sight
  /// The number of the component that each pixel of the patch is in, from 1; 0 if in none.
  private var labels: [Int32]
  /// Which of its component's sources a pixel belongs to: for the component that was taken last.
  private var parts: [Int32]
  private var taken: Int32 = 0

  init(_ settings: KronSettings, components: Components, patch: PixelRectangle, sight: Sight) {
    self.settings = settings
    self.patch = patch
    self.sight = sight
    labels = [Int32](repeating: 0, count: patch.width * patch.height)
    parts = labels
    for number in 0..<components.count {
      for run in components[number] {
        let start = run.row * patch.width
        for column in run.columns { labels[start + column] = Int32(number + 1) }
      }
    }
  }

  /// Takes the component whose sources are measured next.
  ///
  /// - Parameter owners: which source each pixel belongs to; empty if there is one source.
  mutating func take(_ component: Component, number: Int, owners: [Int]) {
    taken = Int32(number + 1)
    for pixel in 0..<component.area {
      let column = component.columns.lowerBound + Int(component.x[pixel])
      let row = component.rows.lowerBound + Int(component.y[pixel])
      parts[row * patch.width + column] = owners.isEmpty ? 0 : Int32(owners[pixel])
    }
  }

  /// Measures a source of the component that was taken.
  ///
  /// - Returns: `nil`, if pixels are needed that the patch does not have; and what is to be flagged:
  ///   that more than a tenth of the ellipse's pixels are others' or have no values, or that it
  ///   reaches out of the image.
  func measure(_ source: Source, in plane: Plane) -> (kron: KronFlux, flags: SourceFlags)? {
    let ellipse = SourceEllipse(source)
    let extent = ellipse.box(KronSettings.extent)
    guard holds(extent) else { return nil }
    var (moment, sum) = (0.0, 0.0)
    for (square, value, _) in pixels(of: source, ellipse, extent, plane, KronSettings.extent) {
      moment += square.squareRoot() * value
      sum += value
    }
    let radius = settings.radius(mean: moment > 0 && sum > 0 ? moment / sum : 0)
    let box = ellipse.box(radius)
    guard holds(box) else { return nil }
    var (flux, count, others) = (0.0, 0, 0)
    for (_, value, isOwn) in pixels(of: source, ellipse, box, plane, radius) {
      flux += value
      count += 1
      if !isOwn { others += 1 }
    }
    var flags: SourceFlags = 10 * others > count ? .biased : []
    // All that is needed is in sight, so what is not in the patch is not in the image.
    if !patch.columns.contains(box.columns) || !patch.rows.contains(box.rows) {
      flags.insert(.incompleteAperture)
    }
    return (KronFlux(radius: radius, flux: flux), flags)
  }

  /// Whether a box, as far as it is in the image, and what is opposite to its pixels is in sight.
  private func holds(_ box: PixelBox) -> Bool {
    !sight.cuts(
      PixelBox(
        columns: box.columns.lowerBound - 1..<box.columns.upperBound + 1,
        rows: box.rows.lowerBound - 1..<box.rows.upperBound + 1))
  }

  private typealias Pixel = (square: Double, value: Double, isOwn: Bool)

  /// The pixels whose centres are in an ellipse, row by row, with what stands for those of others.
  private func pixels(
    of source: Source, _ ellipse: SourceEllipse, _ box: PixelBox, _ plane: Plane, _ radius: Double
  ) -> some Sequence<Pixel> {
    let rows = box.rows.clamped(to: patch.rows)
    let columns = box.columns.clamped(to: patch.columns)
    return rows.lazy.flatMap { row in
      columns.lazy.compactMap { column -> Pixel? in
        let square = ellipse.square(Double(column + 1) - source.x, Double(row + 1) - source.y)
        guard square <= radius * radius else { return nil }
        if let value = self.value(column, row, of: source, plane) { return (square, value, true) }
        let opposite = value(
          Int((2 * (source.x - 1)).rounded()) - column, Int((2 * (source.y - 1)).rounded()) - row,
          of: source, plane)
        return (square, opposite ?? 0, false)
      }
    }
  }

  /// A pixel's value, unless it has none or is another source's.
  private func value(_ column: Int, _ row: Int, of source: Source, _ plane: Plane) -> Double? {
    guard patch.columns.contains(column), patch.rows.contains(row) else { return nil }
    let index = (row - patch.y) * patch.width + column - patch.x
    let label = labels[index]
    guard label == 0 || label == taken && Int(parts[index]) == source.part else { return nil }
    let value = plane.values[index]
    return value.isNaN ? nil : Double(value)
  }
}

/// The ellipse of a source's moments: where its quadratic form is 1.
private struct SourceEllipse {
  private let source: Source
  private let spread: Spread

  init(_ source: Source) {
    self.source = source
    spread = Spread(xx: source.xx, yy: source.yy, xy: source.xy).regular
  }

  /// The square of a place's distance from the centre, in units of A and B (CXX, CYY, CXY: the
  /// SExtractor manual, "Ellipse parameters").
  func square(_ dx: Double, _ dy: Double) -> Double {
    let determinant = spread.xx * spread.yy - spread.xy * spread.xy
    return (spread.yy * dx * dx + spread.xx * dy * dy - 2 * spread.xy * dx * dy) / determinant
  }

  /// The pixels around one so many times as large, but none too far away.
  func box(_ radius: Double) -> PixelBox {
    PixelBox(
      columns: range(source.x, radius * spread.xx.squareRoot()),
      rows: range(source.y, radius * spread.yy.squareRoot()))
  }

  private func range(_ center: Double, _ half: Double) -> Range<Int> {
    // In columns and rows from 0, where FITS counts from 1. With room for what is opposite.
    let half = min(half, Double(KronSettings.maximumReach - 4))
    return Int((center - 1 - half).rounded(.down))..<Int((center - 1 + half).rounded(.up)) + 1
  }
}
