/// Measures Kron fluxes in a patch.
///
/// For the mean radius, pixels of other sources and pixels without values are left out. For the
/// flux, each of them is replaced by the opposite one across the source's centre.
struct KronMeter {
  let settings: DetectionSettings.Kron
  let patch: PixelRectangle
  let validArea: ValidArea

  /// What measuring a source comes to.
  enum Outcome {
    /// The flux, with the flags ``Source/Flags/biased`` if more than a tenth of an ellipse's pixels
    /// belong to other sources or have no values, and ``Source/Flags/incompleteAperture`` if an
    /// ellipse extends beyond the image; and the box of the ellipses.
    case measured(Source.EllipseFlux, Source.Flags, PixelBox)
    /// The patch lacks pixels of this box, which surely suffices.
    case needs(PixelBox)
  }

  /// Measures a source of the component that the mask has taken.
  func measure(_ source: Source, in plane: Plane, _ mask: SourceMask) -> Outcome {
    let ellipse = SourceEllipse(source)
    // Without the first ellipse's pixels, the size of the second one is not known.
    guard holds(ellipse.box(DetectionSettings.Kron.extent)) else {
      return .needs(ellipse.box(DetectionSettings.Kron.largest))
    }
    return mask.withPixels(of: source, in: plane) { measure(ellipse, $0) }
  }

  private func measure(_ ellipse: SourceEllipse, _ pixels: SourcePixels) -> Outcome {
    var (moment, sum, count, others) = (0.0, 0.0, 0, 0)
    forEachPixel(of: pixels, in: ellipse, within: DetectionSettings.Kron.extent) {
      index, _, _, square in
      count += 1
      if let value = pixels.value(at: index) {
        moment += (square / ellipse.determinant).squareRoot() * value
        sum += value
      } else {
        others += 1
      }
    }
    var isBiased = 10 * others > count
    let radius = settings.radius(mean: moment > 0 && sum > 0 ? moment / sum : 0)
    let box = ellipse.box(max(radius, DetectionSettings.Kron.extent))
    guard holds(box) else { return .needs(box) }
    var flux = 0.0
    (count, others) = (0, 0)
    forEachPixel(of: pixels, in: ellipse, within: radius) { index, column, row, _ in
      count += 1
      if let value = pixels.value(at: index) {
        flux += value
      } else {
        others += 1
        flux += pixels.opposite(column, row)
      }
    }
    isBiased = isBiased || 10 * others > count
    var flags: Source.Flags = isBiased ? .biased : []
    if isCut(ellipse.limits(DetectionSettings.Kron.extent)) || isCut(ellipse.limits(radius)) {
      flags.insert(.incompleteAperture)
    }
    return .measured(Source.EllipseFlux(radius: flux > 0 ? radius : 0, flux: flux), flags, box)
  }

  /// Whether the patch has the part of a box that is in the image, and the pixels opposite to it.
  private func holds(_ box: PixelBox) -> Bool { !validArea.cuts(box.grown(by: 1)) }

  /// Whether a box extends beyond the image. All pixels that are needed are in the patch, so pixels
  /// outside of the patch are outside of the image.
  private func isCut(_ box: PixelBox) -> Bool {
    !patch.columns.contains(box.columns) || !patch.rows.contains(box.rows)
  }

  /// Calls the closure with each pixel whose centre is in the ellipse, row by row, and with the
  /// square of its distance times ``SourceEllipse/determinant``.
  @inline(__always)
  private func forEachPixel(
    of pixels: SourcePixels, in ellipse: SourceEllipse, within radius: Double,
    _ body: (_ index: Int, _ column: Int, _ row: Int, _ scaledSquare: Double) -> Void
  ) {
    let box = ellipse.box(radius)
    let columns = box.columns.clamped(to: patch.columns)
    let (square, determinant) = (radius * radius, ellipse.determinant)
    // A pixel counts if the quotient of its scaled square and the determinant is at most the
    // square of the radius. Two products surround all cases in which rounding could matter, so that
    // hardly a pixel needs the division.
    let (inside, outside) = (square * determinant * (1 - 1e-14), square * determinant * (1 + 1e-14))
    for row in box.rows.clamped(to: patch.rows) {
      let dy = Double(row + 1) - ellipse.y
      let start = pixels.index(0, row)
      for column in columns {
        let scaled = ellipse.scaledSquare(Double(column + 1) - ellipse.x, dy)
        guard scaled <= inside || scaled <= outside && scaled / determinant <= square else {
          continue
        }
        body(start + column, column, row, scaled)
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
  let x: Double
  let y: Double
  private let spread: Spread
  let determinant: Double

  init(_ source: Source) {
    (x, y) = (source.x, source.y)
    spread = Spread(xx: source.xx, yy: source.yy, xy: source.xy).regular
    determinant = spread.xx * spread.yy - spread.xy * spread.xy
  }

  /// The square of a point's distance from the centre, in units of A and B, times the determinant
  /// (CXX, CYY, CXY: the SExtractor manual, "Ellipse parameters").
  @inline(__always)
  func scaledSquare(_ dx: Double, _ dy: Double) -> Double {
    spread.yy * dx * dx + spread.xx * dy * dy - 2 * spread.xy * dx * dy
  }

  /// The pixels around the ellipse scaled by `radius`, limited to
  /// ``DetectionSettings/Kron/maximumReach``.
  func box(_ radius: Double) -> PixelBox {
    PixelBox(
      columns: range(x, radius * spread.xx.squareRoot()),
      rows: range(y, radius * spread.yy.squareRoot()))
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
      columns: range(x, radius * spread.xx.squareRoot()),
      rows: range(y, radius * spread.yy.squareRoot()))
  }

  private func range(_ center: Double, _ half: Double) -> Range<Int> {
    // Columns and rows count from 0, while FITS counts from 1. The range has room for opposite
    // pixels.
    let half = min(half, Double(DetectionSettings.Kron.maximumReach - 4))
    return Int((center - 1 - half).rounded(.down))..<Int((center - 1 + half).rounded(.up)) + 1
  }
}
