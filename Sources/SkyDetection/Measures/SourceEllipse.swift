/// The ellipse of a source's moments, on which its quadratic form is 1.
struct SourceEllipse {
  let x: Double
  let y: Double
  private let spread: Spread
  let determinant: Double
  /// Whether the source's pixels lie in a line, so that the ellipse was widened.
  let isLine: Bool
  /// Whether it is no ellipse of moments, but a circle whose radius is in pixels.
  let isCircle: Bool

  init(_ source: Source) {
    (x, y) = (source.x, source.y)
    let own = Spread(xx: source.xx, yy: source.yy, xy: source.xy)
    spread = own.regular
    (isLine, isCircle) = (spread != own, false)
    determinant = spread.xx * spread.yy - spread.xy * spread.xy
  }

  /// A circle about the source's barycentre, whose radius is in pixels.
  init(circleAround source: Source) {
    (x, y) = (source.x, source.y)
    spread = Spread(xx: 1, yy: 1, xy: 0)
    (determinant, isLine, isCircle) = (1, false, true)
  }

  /// The radius of the circle of the same area, in pixels: √AB.
  var meanRadius: Double { determinant.squareRoot().squareRoot() }

  /// A_IMAGE: the largest r.m.s. of the profile in any direction, in pixels.
  var semiMajorAxis: Double {
    let difference = spread.xx - spread.yy
    return
      ((spread.xx + spread.yy) / 2
      + (difference * difference / 4 + spread.xy * spread.xy).squareRoot()).squareRoot()
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
