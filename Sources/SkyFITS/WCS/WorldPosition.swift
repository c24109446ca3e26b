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

/// The world coordinates of places in an image.
package struct WorldPlaces: Hashable, Sendable {
  package var system: WorldSystem
  /// The world coordinates of each place; `nil` for one outside of the sky.
  package var positions: [WorldPosition?]

  package init(system: WorldSystem, positions: [WorldPosition?]) {
    (self.system, self.positions) = (system, positions)
  }
}
