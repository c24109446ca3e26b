import CWCSLIB

/// Places in the system itself, whatever its axes are.
extension WorldCoordinates {
  /// The places of pixels in the system, which count as in FITS; `nil` for a pixel outside of the sky.
  func places(_ pixels: [(x: Double, y: Double)]) -> WorldPlaces {
    let found = Self.system(of: system.pointee)
    let other = Self.otherSky(system.pointee)
    guard let world = world(pixels) else {
      return WorldPlaces(system: found, positions: pixels.map { _ in nil })
    }
    let positions = pixels.indices.map { index -> WorldPosition? in
      let (x, y) = (world[index * axes], world[index * axes + 1])
      let isLatitudeFirst = found.axes == .latitudeFirst
      guard found.isInSky else {
        return x.isFinite && y.isFinite ? WorldPosition(x: x, y: y) : nil
      }
      guard var sky = Self.position(isLatitudeFirst ? y : x, isLatitudeFirst ? x : y) else {
        return nil
      }
      if let other {
        sky = other.equatorial(longitude: sky.rightAscension, latitude: sky.declination)
      }
      return isLatitudeFirst
        ? WorldPosition(x: sky.declination, y: sky.rightAscension)
        : WorldPosition(x: sky.rightAscension, y: sky.declination)
    }
    return WorldPlaces(system: found, positions: positions)
  }

  /// What the system's axes are. Missing keywords have the defaults of the FITS Standard 4.0, section
  /// 8.3.
  static func system(of system: wcsprm) -> WorldSystem {
    let axes = Set([system.lng, system.lat])
    guard axes == [0, 1] else { return WorldSystem(axes: .other) }
    let order = system.lng == 0 ? WorldSystem.Axes.longitudeFirst : .latitudeFirst
    guard text(system.lngtyp) == "RA" else {
      return WorldSystem(axes: otherSky(system) == nil ? .other : order)
    }
    let equinox = system.equinox == undefined ? nil : system.equinox
    let frame = text(system.radesys).uppercased()
    guard frame != "ICRS" else { return WorldSystem(axes: order) }
    let isFK4 = frame.isEmpty ? equinox.map { $0 < 1984 } ?? false : frame.hasPrefix("FK4")
    return WorldSystem(axes: order, equinox: equinox ?? (isFK4 ? 1950 : 2000), isFK4: isFK4)
  }

  private static func otherSky(_ system: wcsprm) -> OtherSky? {
    switch text(system.lngtyp) {
    case "GLON": .galactic
    case "ELON": .ecliptic
    case "SLON": .supergalactic
    default: nil
    }
  }
}
