import Foundation
import SkyDetection

/// An ellipse on a canvas: the points (dx, dy) from its centre where `p dx² + q dx dy + r dy²` is
/// 1.
struct EllipseOutline {
  /// A smaller ellipse would be indistinguishable from a star's light.
  static let smallestAxis = 2.5
  /// A larger ellipse would have no visible line.
  static let largestAxis = 1e5

  let x: Double
  let y: Double
  private let axes: (major: Double, minor: Double)
  private let angle: Double
  private let p: Double
  private let q: Double
  private let r: Double

  /// - Parameters:
  ///   - x: the centre, in pixels from the canvas's upper left corner.
  ///   - angle: the angle of the major axis, in degrees from the x axis towards the y axis, which
  ///     points down.
  init(x: Double, y: Double, semiMajorAxis: Double, semiMinorAxis: Double, angle: Double) {
    self.x = x
    self.y = y
    self.angle = angle
    axes = (max(Self.smallestAxis, semiMajorAxis), max(Self.smallestAxis, semiMinorAxis))
    let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
    let (major, minor) = (1 / (axes.major * axes.major), 1 / (axes.minor * axes.minor))
    p = cosine * cosine * major + sine * sine * minor
    q = 2 * sine * cosine * (major - minor)
    r = sine * sine * major + cosine * cosine * minor
  }

  /// Whether the ellipse can be drawn: its numbers are finite, and not much larger than a canvas.
  var isDrawable: Bool {
    [x, y, axes.major, axes.minor].allSatisfy { abs($0) <= Self.largestAxis } && angle.isFinite
  }

  /// The ellipse with both semi-axes longer by `pixels`.
  func grown(by pixels: Double) -> EllipseOutline {
    EllipseOutline(
      x: x, y: y, semiMajorAxis: axes.major + pixels, semiMinorAxis: axes.minor + pixels,
      angle: angle)
  }

  /// A smaller ellipse inside this one, at a distance from its line; `nil` if this ellipse is too
  /// small for one.
  func core(clear pixels: Double) -> EllipseOutline? {
    axes.minor >= 2 * pixels + Self.smallestAxis ? grown(by: -pixels) : nil
  }

  /// The largest vertical distance of the ellipse from its centre.
  var reach: Double { (p / (p * r - q * q / 4)).squareRoot() }

  /// The part of a row that is inside the ellipse; `nil` if the row misses it.
  func chord(atY row: Double) -> ClosedRange<Double>? {
    let dy = row - y
    let root = q * q * dy * dy - 4 * p * (r * dy * dy - 1)
    guard root >= 0 else { return nil }
    let (middle, half) = (x - q * dy / (2 * p), root.squareRoot() / (2 * p))
    return middle - half...middle + half
  }

  /// The distance of a point from the ellipse. It is exact near the line, to first order (G. Taubin
  /// 1991, IEEE PAMI 13, 1115).
  func distance(x pointX: Double, y pointY: Double) -> Double {
    let (dx, dy) = (pointX - x, pointY - y)
    let value = p * dx * dx + q * dx * dy + r * dy * dy - 1
    let (slopeX, slopeY) = (2 * p * dx + q * dy, 2 * r * dy + q * dx)
    return abs(value) / (slopeX * slopeX + slopeY * slopeY).squareRoot()
  }
}

extension Canvas {
  /// Draws an ellipse's line with smooth edges, within a part of the canvas.
  ///
  /// - Parameter thickness: the line's thickness, in pixels.
  mutating func draw(
    _ ellipse: EllipseOutline, _ color: Color, thickness: Double, within clip: PixelRectangle
  ) {
    guard ellipse.isDrawable else { return }
    // The line is between `core` and `outer`. Other pixels are skipped, so that the work is in
    // proportion to the ellipse's circumference and not to its area.
    let margin = thickness + 2
    let (outer, core) = (ellipse.grown(by: margin), ellipse.core(clear: margin))
    let first = max(clip.y, Int((outer.y - outer.reach).rounded(.down)))
    let last = min(clip.y + clip.height - 1, Int((outer.y + outer.reach).rounded(.up)))
    guard first <= last else { return }
    for row in first...last {
      let middle = Double(row) + 0.5
      guard let chord = outer.chord(atY: middle) else { continue }
      let hole = core?.chord(atY: middle).map { Int($0.lowerBound)..<Int($0.upperBound) }
      var column = max(clip.x, Int(chord.lowerBound.rounded(.down)))
      let end = min(clip.x + clip.width, Int(chord.upperBound.rounded(.up)))
      while column < end {
        if let hole, hole.contains(column) {
          column = hole.upperBound
          continue
        }
        let distance = ellipse.distance(x: Double(column) + 0.5, y: middle)
        let cover = max(0, min(1, thickness / 2 + 0.5 - distance))
        if cover > 0 { self[column, row] = self[column, row].blended(with: color, Float(cover)) }
        column += 1
      }
    }
  }
}
