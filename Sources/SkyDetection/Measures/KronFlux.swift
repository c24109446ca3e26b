/// A source's flux in an ellipse that fits it (Kron 1980, ApJS 43, 305; the SExtractor manual,
/// "Automatic aperture magnitudes").
public struct KronFlux: Codable, Hashable, Sendable {
  /// The ellipse, in units of A and B (KRON_RADIUS).
  public var radius: Double
  /// The flux in it, in the image's units (FLUX_AUTO).
  public var flux: Double

  package init(radius: Double, flux: Double) {
    self.radius = radius
    self.flux = flux
  }
}

/// Measures Kron's fluxes in a patch.
///
/// For the mean radius, others' pixels and those without values are left out; for the flux, each is
/// replaced by the one opposite to it across the source's centre.
struct KronMeter {
  let settings: KronSettings
  let patch: PixelRectangle
  let sight: Sight

  /// Measures a source of the component that the mask has taken.
  ///
  /// - Returns: `nil`, if pixels are needed that the patch does not have; and what is to be flagged:
  ///   that of an ellipse's pixels more than a tenth are others' or have no values, or that one
  ///   reaches out of the image.
  func measure(
    _ source: Source, in plane: Plane, _ mask: SourceMask
  ) -> (kron: KronFlux, flags: SourceFlags)? {
    let ellipse = SourceEllipse(source)
    guard holds(ellipse.box(KronSettings.extent)) else { return nil }
    var (moment, sum, count, others) = (0.0, 0.0, 0, 0)
    forEachPixel(of: source, in: ellipse, within: KronSettings.extent) { column, row, square in
      count += 1
      if let value = mask.value(column, row, of: source.part, plane) {
        moment += square.squareRoot() * value
        sum += value
      } else {
        others += 1
      }
    }
    var isBiased = 10 * others > count
    let radius = settings.radius(mean: moment > 0 && sum > 0 ? moment / sum : 0)
    guard holds(ellipse.box(radius)) else { return nil }
    var flux = 0.0
    (count, others) = (0, 0)
    forEachPixel(of: source, in: ellipse, within: radius) { column, row, _ in
      count += 1
      if let value = mask.value(column, row, of: source.part, plane) {
        flux += value
      } else {
        others += 1
        flux += mask.opposite(column, row, of: source, plane)
      }
    }
    isBiased = isBiased || 10 * others > count
    var flags: SourceFlags = isBiased ? .biased : []
    if isCut(ellipse.limits(KronSettings.extent)) || isCut(ellipse.limits(radius)) {
      flags.insert(.incompleteAperture)
    }
    return (KronFlux(radius: flux > 0 ? radius : 0, flux: flux), flags)
  }

  /// Whether a box, as far as it is in the image, and what is opposite to its pixels is in sight.
  private func holds(_ box: PixelBox) -> Bool { !sight.cuts(box.grown(by: 1)) }

  /// Whether a box reaches out of the image. All that is needed is in sight, so what is not in the patch
  /// is not in the image.
  private func isCut(_ box: PixelBox) -> Bool {
    !patch.columns.contains(box.columns) || !patch.rows.contains(box.rows)
  }

  /// Goes through the pixels whose centres are in an ellipse, row by row.
  private func forEachPixel(
    of source: Source, in ellipse: SourceEllipse, within radius: Double,
    _ body: (_ column: Int, _ row: Int, _ square: Double) -> Void
  ) {
    let box = ellipse.box(radius)
    for row in box.rows.clamped(to: patch.rows) {
      for column in box.columns.clamped(to: patch.columns) {
        let square = ellipse.square(Double(column + 1) - source.x, Double(row + 1) - source.y)
        if square <= radius * radius { body(column, row, square) }
      }
    }
  }
}

extension Source {
  /// The rectangle that holds all pixels which its fluxes in apertures and ellipses were measured by.
  package func reach(_ settings: DetectionSettings) -> PixelBox {
    let (column, row) = (Int((x - 1).rounded()), Int((y - 1).rounded()))
    let radius = settings.apertures.map { Aperture(radius: $0 / 2).reach }.max() ?? 0
    let circles = PixelBox(
      columns: column - radius..<column + radius + 1, rows: row - radius..<row + radius + 1)
    guard let kron else { return circles }
    // Of a flux that is not positive the ellipse is not told.
    let largest = kron.radius > 0 ? kron.radius : KronSettings.largest
    return circles.union(SourceEllipse(self).box(max(KronSettings.extent, largest)))
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

  /// The pixels that it must have not to count as cut off, in columns and rows from 0.
  func limits(_ radius: Double) -> PixelBox {
    func range(_ center: Double, _ half: Double) -> Range<Int> {
      let half = min(half, Double(KronSettings.maximumReach - 4))
      return Int((center - 1 - half).rounded(.toNearestOrEven))..<Int(
        (center - 1 + half).rounded(.toNearestOrEven)) + 1
    }
    return PixelBox(
      columns: range(source.x, radius * spread.xx.squareRoot()),
      rows: range(source.y, radius * spread.yy.squareRoot()))
  }

  private func range(_ center: Double, _ half: Double) -> Range<Int> {
    // In columns and rows from 0, where FITS counts from 1. With room for what is opposite.
    let half = min(half, Double(KronSettings.maximumReach - 4))
    return Int((center - 1 - half).rounded(.down))..<Int((center - 1 + half).rounded(.up)) + 1
  }
}
