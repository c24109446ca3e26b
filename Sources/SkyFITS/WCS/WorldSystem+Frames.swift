/// Positions in the frames of the sky in which catalogues tell them.
extension WorldSystem {
  /// The equatorial position in the image's own frame and equinox (ALPHA_SKY, DELTA_SKY); `nil` if the
  /// axes are not of the sky.
  package func sky(_ place: WorldPosition) -> SkyPosition? {
    switch axes {
    case .other: nil
    case .longitudeFirst: SkyPosition(rightAscension: place.x, declination: place.y)
    case .latitudeFirst: SkyPosition(rightAscension: place.y, declination: place.x)
    }
  }

  /// The position in J2000; `nil` if the axes are not of the sky.
  package func j2000(_ place: WorldPosition) -> SkyPosition? { sky(place).map(j2000) }

  /// The position in B1950; `nil` if the axes are not of the sky.
  package func b1950(_ place: WorldPosition) -> SkyPosition? {
    j2000(place)?.fk4(epoch: equinox)
  }

  /// The angle that makes an angle from the image's north to its east one from the north of J2000 to
  /// the east, when added to it.
  package func turnToJ2000(at place: WorldPosition) -> Double {
    guard let position = j2000(place), isFK4 || isPrecessed else { return 0 }
    return position.angle(of: j2000(Self.pole))
  }

  /// The angle that makes an angle from the image's north to its east one from the north of B1950 to
  /// the east, when added to it.
  package func turnToB1950(at place: WorldPosition) -> Double {
    guard let position = b1950(place) else { return 0 }
    return position.angle(of: j2000(Self.pole).fk4(epoch: equinox))
  }

  private static let pole = SkyPosition(rightAscension: 0, declination: 90)

  /// Equinoxes this close to 2000, in years, differ by less than 0.2″.
  private var isPrecessed: Bool { abs(equinox - 2000) > 0.003 }

  private func j2000(_ position: SkyPosition) -> SkyPosition {
    if isFK4 {
      let in1950 =
        abs(equinox - 1950) > 0.003 ? position.precessed(from: equinox, to: 1950) : position
      return in1950.fk5(epoch: equinox)
    }
    return isPrecessed ? position.precessed(from: equinox, to: 2000) : position
  }
}
