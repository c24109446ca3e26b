/// A place in an image's world coordinates, along the first two axes (X_WORLD and Y_WORLD): in degrees
/// for axes of the sky, and otherwise in the header's units.
package struct WorldPosition: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

/// What an image's world coordinates are: those of the header's primary system. Galactic, ecliptic and
/// supergalactic positions are told as equatorial ones, as by SExtractor.
package struct WorldSystem: Hashable, Sendable {
  /// What the first two axes are.
  package enum Axes: UInt8, Sendable {
    /// Not a place in the sky, or in coordinates that are not known.
    case other
    /// Right ascension and declination.
    case longitudeFirst
    /// Declination and right ascension.
    case latitudeFirst
  }

  package var axes: Axes
  /// The equinox of positions in the sky, in years.
  package var equinox: Double
  /// Whether positions in the sky are of the frame FK4, and not of FK5 or ICRS.
  package var isFK4: Bool

  package init(axes: Axes, equinox: Double = 2000, isFK4: Bool = false) {
    (self.axes, self.equinox, self.isFK4) = (axes, equinox, isFK4)
  }

  package var isInSky: Bool { axes != .other }
}

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

  /// Second moments along the world's axes, from those along the image's.
  ///
  /// In X2 and Y2, the mixed term should count twice. SExtractor counts it once, and so do catalogues
  /// that are compared with its.
  package func moments(xx x2: Double, yy y2: Double, xy mixed: Double) -> (
    xx: Double, yy: Double, xy: Double
  ) {
    (
      xx * xx * x2 + xy * xy * y2 + xx * xy * mixed,
      yx * yx * x2 + yy * yy * y2 + yx * yy * mixed,
      xx * yx * x2 + xy * yy * y2 + (xx * yy + xy * yx) * mixed
    )
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

/// The world coordinates of places in an image.
package struct WorldPlaces: Hashable, Sendable {
  package var system: WorldSystem
  /// The world coordinates of each place; `nil` for one outside of the sky.
  package var positions: [WorldPosition?]

  package init(system: WorldSystem, positions: [WorldPosition?]) {
    (self.system, self.positions) = (system, positions)
  }
}
