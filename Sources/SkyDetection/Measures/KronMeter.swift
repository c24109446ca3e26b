/// Measures Kron fluxes in a patch.
///
/// For the mean radius, pixels of other sources and pixels without values are left out. For the
/// flux, each of them is replaced by the opposite one across the source's centre.
struct KronMeter {
  let settings: DetectionSettings.Kron
  let patch: PixelRectangle
  let validArea: ValidArea

  /// Measures a source of the component that the mask has taken.
  ///
  /// - Returns: the flux, with the flags ``Source/Flags/biased`` if more than a tenth of an
  ///   ellipse's pixels belong to other sources or have no values, and
  ///   ``Source/Flags/incompleteAperture`` if an ellipse extends beyond the image; `nil` if the
  ///   patch lacks pixels that are needed.
  func measure(
    _ source: Source, in plane: Plane, _ mask: SourceMask
  ) -> (kron: Source.KronFlux, flags: Source.Flags)? {
    let ellipse = SourceEllipse(source)
    guard holds(ellipse.box(DetectionSettings.Kron.extent)) else { return nil }
    var (moment, sum, count, others) = (0.0, 0.0, 0, 0)
    forEachPixel(of: source, in: ellipse, within: DetectionSettings.Kron.extent) {
      column, row, square in
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
    var flags: Source.Flags = isBiased ? .biased : []
    if isCut(ellipse.limits(DetectionSettings.Kron.extent)) || isCut(ellipse.limits(radius)) {
      flags.insert(.incompleteAperture)
    }
    return (Source.KronFlux(radius: flux > 0 ? radius : 0, flux: flux), flags)
  }

  /// Whether the patch has the part of a box that is in the image, and the pixels opposite to it.
  private func holds(_ box: PixelBox) -> Bool { !validArea.cuts(box.grown(by: 1)) }

  /// Whether a box extends beyond the image. All pixels that are needed are in the patch, so pixels
  /// outside of the patch are outside of the image.
  private func isCut(_ box: PixelBox) -> Bool {
    !patch.columns.contains(box.columns) || !patch.rows.contains(box.rows)
  }

  /// Calls the closure with each pixel whose centre is in the ellipse, row by row.
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
  /// The rectangle of all pixels that the source's aperture and Kron fluxes depend on.
  package func reach(_ settings: DetectionSettings) -> PixelBox {
    let (column, row) = (Int((x - 1).rounded()), Int((y - 1).rounded()))
    let radius = settings.apertures.map { Aperture(radius: $0 / 2).reach }.max() ?? 0
    let circles = PixelBox(
      columns: column - radius..<column + radius + 1, rows: row - radius..<row + radius + 1)
    guard let kron else { return circles }
    // The radius of a flux that is not positive was not recorded.
    let largest = kron.radius > 0 ? kron.radius : DetectionSettings.Kron.largest
    return circles.union(SourceEllipse(self).box(max(DetectionSettings.Kron.extent, largest)))
  }
}

/// The ellipse of a source's moments, on which its quadratic form is 1.
private struct SourceEllipse {
  private let source: Source
  private let spread: Spread

  init(_ source: Source) {
    self.source = source
    spread = Spread(xx: source.xx, yy: source.yy, xy: source.xy).regular
  }

  /// The square of a point's distance from the centre, in units of A and B (CXX, CYY, CXY: the
  /// SExtractor manual, "Ellipse parameters").
  func square(_ dx: Double, _ dy: Double) -> Double {
    let determinant = spread.xx * spread.yy - spread.xy * spread.xy
    return (spread.yy * dx * dx + spread.xx * dy * dy - 2 * spread.xy * dx * dy) / determinant
  }

  /// The pixels around the ellipse scaled by `radius`, limited to
  /// ``DetectionSettings/Kron/maximumReach``.
  func box(_ radius: Double) -> PixelBox {
    PixelBox(
      columns: range(source.x, radius * spread.xx.squareRoot()),
      rows: range(source.y, radius * spread.yy.squareRoot()))
  }

  /// The pixels that must be in the image for the scaled ellipse not to count as cut. Columns and
  /// rows count from 0.
  func limits(_ radius: Double) -> PixelBox {
    func range(_ center: Double, _ half: Double) -> Range<Int> {
      let half = min(half, Double(DetectionSettings.Kron.maximumReach - 4))
      return Int((center - 1 - half).rounded(.toNearestOrEven))..<Int(
        (center - 1 + half).rounded(.toNearestOrEven)) + 1
    }
    return PixelBox(
      columns: range(source.x, radius * spread.xx.squareRoot()),
      rows: range(source.y, radius * spread.yy.squareRoot()))
  }

  private func range(_ center: Double, _ half: Double) -> Range<Int> {
    // Columns and rows count from 0, while FITS counts from 1. The range has room for opposite
    // pixels.
    let half = min(half, Double(DetectionSettings.Kron.maximumReach - 4))
    return Int((center - 1 - half).rounded(.down))..<Int((center - 1 + half).rounded(.up)) + 1
  }
}
