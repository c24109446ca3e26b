/// Coordinates of the sky that are not equatorial, by where their pole is in J2000.
enum OtherSky {
  case galactic, ecliptic, supergalactic

  /// The pole's right ascension and declination, and the longitude of the celestial pole.
  private var pole: (rightAscension: Double, declination: Double, longitude: Double) {
    switch self {
    case .galactic: (192.859_481_23, 27.128_251_20, 122.931_918_57)
    case .ecliptic: (270, 66.560_708_9, 90)
    case .supergalactic: (283.754_092_54, 15.708_936_78, 26.450_331_51)
    }
  }

  /// The equatorial position, J2000.
  func equatorial(longitude: Double, latitude: Double) -> SkyPosition {
    let pole = pole
    let place = Vector(SkyPosition(rightAscension: pole.longitude - longitude, latitude))
    let (c, s) = (cosine(ofDegrees: pole.declination), sine(ofDegrees: pole.declination))
    let turned = Vector(
      x: place.z * c - place.x * s, y: place.y, z: place.z * s + place.x * c
    ).position
    return SkyPosition(
      rightAscension: wrapped(turned.rightAscension + pole.rightAscension), turned.declination)
  }
}
