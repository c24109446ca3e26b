/// How world coordinates change from pixel to pixel, in their units: in degrees for axes of the sky,
/// where longitudes are multiplied by the cosine of the latitude.
package struct Jacobian: Hashable, Sendable {
  /// The change of the first axis with the image's x and y.
  package var xx: Double, xy: Double
  /// The change of the second axis with the image's x and y.
  package var yx: Double, yy: Double

  package init(xx: Double, xy: Double, yx: Double, yy: Double) {
    (self.xx, self.xy, self.yx, self.yy) = (xx, xy, yx, yy)
  }

  /// The area of a pixel, in squares of the axes' units.
  package var area: Double { abs(xx * yy - xy * yx) }

  /// The moments along the world's axes of a source or of its position's error, from those along the
  /// image's.
  ///
  /// In XX and YY, the mixed term should count twice. SExtractor counts it once, and so do catalogues
  /// that are compared with its.
  package func moments(xx x2: Double, yy y2: Double, xy mixed: Double) -> WorldMoments {
    WorldMoments(
      xx: xx * xx * x2 + xy * xy * y2 + xx * xy * mixed,
      yy: yx * yx * x2 + yy * yy * y2 + yx * yy * mixed,
      xy: xx * yx * x2 + xy * yy * y2 + (xx * yy + xy * yx) * mixed)
  }
}

extension WorldSystem {
  /// The Jacobian between three places: that of a pixel's centre, and those one pixel further along x
  /// and along y.
  package func jacobian(
    at place: WorldPosition, right: WorldPosition, up: WorldPosition
  ) -> Jacobian {
    let (toRight, up) = (difference(right, place), difference(up, place))
    return Jacobian(xx: toRight.x, xy: up.x, yx: toRight.y, yy: up.y)
  }

  private func difference(_ end: WorldPosition, _ start: WorldPosition) -> WorldPosition {
    var difference = WorldPosition(x: end.x - start.x, y: end.y - start.y)
    switch axes {
    case .other: break
    case .longitudeFirst:
      difference.x = shortest(difference.x) * cosine(ofDegrees: start.y)
    case .latitudeFirst:
      difference.y = shortest(difference.y) * cosine(ofDegrees: start.x)
    }
    return difference
  }

  /// A difference of longitudes, the shorter way round.
  private func shortest(_ degrees: Double) -> Double {
    degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
  }
}
