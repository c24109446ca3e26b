import Foundation

/// Conversions between frames of the sky. All angles are in degrees.
extension SkyPosition {
  /// The position in the equator and equinox of another year (IAU 1976: Lieske et al. 1977, A&A 58,
  /// 1).
  func precessed(from start: Double, to end: Double) -> SkyPosition {
    let (T, t) = ((start - 2000) / 100, (end - start) / 100)
    let linear = (2306.2181 + 1.39656 * T - 0.000139 * T * T) * t
    let zeta = linear + (0.30188 - 0.000344 * T) * t * t + 0.017998 * t * t * t
    let z = linear + (1.09468 + 0.000066 * T) * t * t + 0.018203 * t * t * t
    let theta =
      (2004.3109 - 0.85330 * T - 0.000217 * T * T) * t - (0.42665 + 0.000217 * T) * t * t
      - 0.041833 * t * t * t
    let start = Vector(SkyPosition(rightAscension: rightAscension + zeta / 3600, declination))
    let (c, s) = (cosine(ofDegrees: theta / 3600), sine(ofDegrees: theta / 3600))
    let turned = Vector(x: c * start.x - s * start.z, y: start.y, z: s * start.x + c * start.z)
    let end = turned.position
    return SkyPosition(rightAscension: wrapped(end.rightAscension + z / 3600), end.declination)
  }

  /// The position in FK5, equinox 2000, of one in FK4, equinox 1950, for a source beyond our galaxy
  /// (Aoki et al. 1983, A&A 128, 263; Explanatory Supplement to the Astronomical Almanac 1992, 3.59).
  ///
  /// - Parameter epoch: the year of the observation.
  func fk5(epoch: Double) -> SkyPosition {
    let t = Self.centuriesSince1950(epoch)
    let start = Vector(self)
    let aberration = Self.aberration(t)
    let mean = start - aberration + start * (start * aberration)
    let turned = Self.toFK5.map { $0 * mean }
    let motion = Self.motionToFK5.map { $0 * mean * Self.radiansPerArcsecond * (t - 0.5) }
    return (Vector(turned) + Vector(motion)).position
  }

  /// The position in FK4, equinox 1950, of one in FK5, equinox 2000; see ``fk5(epoch:)``.
  func fk4(epoch: Double) -> SkyPosition {
    let t = Self.centuriesSince1950(epoch)
    let start = Vector(self)
    let motion = Self.motionToFK4.map { $0 * start * Self.radiansPerArcsecond * t }
    let mean = Vector(Self.toFK4.map { $0 * start }) + Vector(motion)
    let aberration = Self.aberration(t)
    // The aberration belongs to the place that is looked for, so it is applied again to the result.
    var place = mean.unit
    for _ in 0..<3 { place = (mean.unit + aberration - place * (place * aberration)).unit }
    return place.position
  }

  private static let radiansPerArcsecond = Double.pi / 648_000

  /// Tropical centuries.
  private static func centuriesSince1950(_ year: Double) -> Double {
    (year - 2000 + 18_262.0769 / 365.25) * 1.000_021_36 / 100
  }

  /// The elliptic terms of aberration, which positions in FK4 contain.
  private static func aberration(_ centuries: Double) -> Vector {
    Vector(x: -1.62557e-6, y: -0.31919e-6, z: -0.13843e-6)
      + Vector(x: 1.245e-3, y: -1.580e-3, z: -0.659e-3) * (radiansPerArcsecond * centuries)
  }

  private static let toFK5 = [
    Vector(x: 0.9999256782, y: -0.0111820611, z: -0.0048579477),
    Vector(x: 0.0111820610, y: 0.9999374784, z: -0.0000271765),
    Vector(x: 0.0048579479, y: -0.0000271474, z: 0.9999881997),
  ]
  /// In arcseconds per tropical century.
  private static let motionToFK5 = [
    Vector(x: -0.000551, y: -0.238565, z: 0.435739),
    Vector(x: 0.238514, y: -0.002667, z: -0.008541),
    Vector(x: -0.435623, y: 0.012254, z: 0.002117),
  ]
  private static let toFK4 = [
    Vector(x: 0.9999256795, y: 0.0111814828, z: 0.0048590039),
    Vector(x: -0.0111814828, y: 0.9999374849, z: -0.0000271771),
    Vector(x: -0.0048590040, y: -0.0000271557, z: 0.9999881946),
  ]
  private static let motionToFK4 = [
    Vector(x: -0.000551, y: 0.238509, z: -0.435614),
    Vector(x: -0.238560, y: -0.002667, z: 0.012254),
    Vector(x: 0.435730, y: -0.008541, z: 0.002117),
  ]
}

extension SkyPosition {
  /// The angle at which the pole of another frame stands over the position, from north to east.
  ///
  /// - Parameter pole: the other frame's pole in the position's frame.
  func angle(of pole: SkyPosition) -> Double {
    let (place, pole) = (self, Vector(pole))
    let (ca, sa) = (cosine(ofDegrees: place.rightAscension), sine(ofDegrees: place.rightAscension))
    let (cd, sd) = (cosine(ofDegrees: place.declination), sine(ofDegrees: place.declination))
    let east = pole.y * ca - pole.x * sa
    let north = pole.z * cd - (pole.x * ca + pole.y * sa) * sd
    return atan2(east, north) * 180 / .pi
  }
}
