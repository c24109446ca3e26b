#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How a place in the sky changes with the place in the image: the derivatives of the longitude, times the
/// cosine of the latitude, and of the latitude, in degrees a pixel.
public struct Jacobian: Hashable, Sendable {
  /// The change along the longitude with x, and with y.
  public var longitudeByX: Double
  public var longitudeByY: Double
  /// The change along the latitude.
  public var latitudeByX: Double
  public var latitudeByY: Double

  /// From three positions: of a place, of the place one pixel further along x, and of that along y.
  public init(at place: SkyPosition, alongX: SkyPosition, alongY: SkyPosition) {
    let scale = cos(place.declination * .pi / 180)
    func longitude(to other: SkyPosition) -> Double {
      let difference = other.rightAscension - place.rightAscension
      let nearest = difference > 180 ? difference - 360 : difference
      return (nearest < -180 ? nearest + 360 : nearest) * scale
    }
    (longitudeByX, longitudeByY) = (longitude(to: alongX), longitude(to: alongY))
    latitudeByX = alongX.declination - place.declination
    latitudeByY = alongY.declination - place.declination
  }

  /// The area of a pixel, in square degrees.
  public var area: Double {
    abs(longitudeByX * latitudeByY - longitudeByY * latitudeByX)
  }
}
