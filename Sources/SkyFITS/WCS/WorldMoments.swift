import Foundation

/// The second moments of a source, or of its position's error, along the world's axes, in squares of
/// their units.
package struct WorldMoments: Hashable, Sendable {
  package var xx: Double, yy: Double, xy: Double

  package init(xx: Double, yy: Double, xy: Double) { (self.xx, self.yy, self.xy) = (xx, yy, xy) }

  /// Half of the difference between the squares of the axes.
  private var spread: Double { (0.25 * (xx - yy) * (xx - yy) + xy * xy).squareRoot() }

  /// The r.m.s. along the long axis (A_WORLD).
  package var major: Double { (0.5 * (xx + yy) + spread).squareRoot() }
  /// The r.m.s. along the short axis (B_WORLD); 0 if rounding leaves less.
  package var minor: Double { max(0, 0.5 * (xx + yy) - spread).squareRoot() }

  /// The angle of the long axis, in degrees from the world's first axis to its second one, from -90 to
  /// 90 (THETA_WORLD). It is 45 if the moments are equal, as in SExtractor.
  package var angle: Double {
    xx == yy ? 45 : foldedAngle(0.5 * atan2(2 * xy, xx - yy) * 180 / .pi)
  }

  /// The ellipse as CXX·x² + CYY·y² + CXY·xy = 1. SExtractor's moments have a determinant of 1e-6 at
  /// least, and nearly all in degrees have less.
  package var conic: (xx: Double, yy: Double, xy: Double) {
    let determinant = xx * yy - xy * xy
    guard determinant < 1e-6 else {
      return (yy / determinant, xx / determinant, -2 * xy / determinant)
    }
    return (yy / 1e-6, xx / 1e-6, -2 * 0.99999 * xy / 1e-6)
  }
}

extension WorldSystem {
  /// The angle of an axis from north to east, in degrees from -90 to 90 (THETA_SKY), for its angle
  /// from the world's first axis to its second one; 0 if the axes are not of the sky.
  package func skyAngle(_ angle: Double) -> Double {
    switch axes {
    case .other: 0
    case .longitudeFirst: foldedAngle((angle > 0 ? 90 : -90) - angle)
    case .latitudeFirst: foldedAngle(angle)
    }
  }

  /// An angle from the image's north (``skyAngle(_:)``), told from the north of J2000 (THETA_J2000); 0 if the
  /// axes are not of the sky.
  ///
  /// The turn would have to be added. SExtractor subtracts it, and so do catalogues that are compared with its.
  package func j2000Angle(_ angle: Double, at place: WorldPosition) -> Double {
    isInSky ? foldedAngle(angle - turnToJ2000(at: place)) : 0
  }

  /// An angle from the image's north (``skyAngle(_:)``), told from the north of B1950 (THETA_B1950); 0 if the
  /// axes are not of the sky. It is turned as in ``j2000Angle(_:at:)``.
  package func b1950Angle(_ angle: Double, at place: WorldPosition) -> Double {
    isInSky ? foldedAngle(angle - turnToB1950(at: place)) : 0
  }
}

/// The angle of an axis, from -90 to 90 degrees.
private func foldedAngle(_ degrees: Double) -> Double {
  let angle = degrees.truncatingRemainder(dividingBy: 180)
  return angle > 90 ? angle - 180 : angle < -90 ? angle + 180 : angle
}
