import CWCSLIB
import Foundation

/// The sky positions of an image's pixels, computed from its header (FITS Standard 4.0, section 8).
/// WCSLIB computes them (Calabretta & Greisen 2002, A&A 395, 1077), with the distortions SIP and
/// TPV.
///
/// It is not `Sendable`, because WCSLIB writes intermediate results into the structure that it
/// gets.
final class WorldCoordinates {
  private let owner: HeaderCoordinates
  let system: UnsafeMutablePointer<wcsprm>
  var axes: Int { Int(system.pointee.naxis) }

  /// Reads a header. Among several coordinate systems, it chooses the first one that is equatorial
  /// and J2000.
  ///
  /// - Parameter header: cards of 80 characters, one after the other.
  /// - Throws: ``NoSkyPositions`` if the header has no right ascension and declination of J2000.
  init(header: String) throws(NoSkyPositions) {
    owner = try Self.coordinates(of: header)
    var reason: NoSkyPositions?
    for number in 0..<Int(owner.count) {
      do throws(NoSkyPositions) {
        let candidate = try owner.prepared(number)
        try Self.checkJ2000(candidate.pointee)
        system = candidate
        return
      } catch {
        if reason == nil || reason == .noCelestialCoordinates { reason = error }
      }
    }
    throw reason ?? .noCelestialCoordinates
  }

  /// Reads a header's primary coordinate system, whatever its axes are.
  ///
  /// Where the header has no place in the sky, the reference pixel is the first one if the header does
  /// not tell it, as in SExtractor.
  ///
  /// - Throws: ``NoSkyPositions`` if WCSLIB cannot compute with the coordinates.
  init(primary header: String) throws(NoSkyPositions) {
    let coordinates = try Self.coordinates(of: header)
    if coordinates.count > 0 {
      let primary = try coordinates.prepared(0)
      if Self.system(of: primary.pointee).isInSky {
        (owner, system) = (coordinates, primary)
        return
      }
    }
    owner = try Self.coordinates(of: HeaderCoordinates.firstPixelReference + header)
    system = try owner.prepared(0)
  }

  private static func coordinates(
    of header: String
  ) throws(NoSkyPositions) -> HeaderCoordinates {
    guard !hasTables(header) else {
      throw .invalid("are distorted by tables, which are not supported")
    }
    guard !hasTooManyAxes(header) else {
      throw .invalid("have more axes than FITS allows, \(mostAxes)")
    }
    return try HeaderCoordinates(header: header)
  }

  /// The sky positions of pixels, which count as in FITS; `nil` for a pixel outside of the sky.
  func sky(_ pixels: [(x: Double, y: Double)]) -> [SkyPosition?] {
    guard let world = world(pixels) else { return pixels.map { _ in nil } }
    let (longitude, latitude) = (Int(system.pointee.lng), Int(system.pointee.lat))
    return pixels.indices.map { index in
      Self.position(world[index * axes + longitude], world[index * axes + latitude])
    }
  }

  /// The world coordinates of pixels along all axes, one pixel after the other, with NaN for a pixel
  /// outside of the sky; `nil` if none can be computed.
  func world(_ pixels: [(x: Double, y: Double)]) -> [Double]? {
    guard !pixels.isEmpty, axes >= 2 else { return nil }
    // Further axes have one pixel.
    let further = [Double](repeating: 1, count: axes - 2)
    var places = pixels.flatMap { [$0.x, $0.y] + further }
    var (image, world) = (places, places)
    var (phi, theta) = (pixels.map(\.x), pixels.map(\.y))
    var failed = [CInt](repeating: 0, count: pixels.count)
    let status = wcsp2s(
      system, CInt(pixels.count), CInt(axes), &places, &image, &phi, &theta, &world, &failed)
    // WCSERR_BAD_PIX (8): some pixels are outside of the sky, and the others were computed.
    guard status == 0 || status == 8 else { return nil }
    for (index, failure) in failed.enumerated() where failure != 0 {
      for axis in 0..<axes { world[index * axes + axis] = .nan }
    }
    return world
  }

  static func position(_ longitude: Double, _ latitude: Double) -> SkyPosition? {
    guard longitude.isFinite, (-90...90).contains(latitude) else { return nil }
    let rightAscension = longitude.truncatingRemainder(dividingBy: 360)
    return SkyPosition(
      rightAscension: rightAscension < 0 ? rightAscension + 360 : rightAscension,
      declination: latitude)
  }

  /// Whether tables in other units of the file move the pixels. WCSLIB cannot read these tables
  /// (FITS WCS Paper IV, draft; the Hubble Space Telescope's images have them).
  private static func hasTables(_ header: String) -> Bool {
    cards(of: header).contains { card in
      card.hasPrefix("D2IMDIS")
        || card.hasPrefix("CPDIS") && card.uppercased().contains("= 'LOOKUP")
    }
  }

  /// The largest NAXIS of the FITS Standard (4.0, section 4.4.1.1). For some larger numbers, WCSLIB
  /// 7.12 writes beyond the end of its memory.
  private static let mostAxes = 999

  private static func hasTooManyAxes(_ header: String) -> Bool {
    cards(of: header).contains { card in
      guard card.hasPrefix("WCSAXES") else { return false }
      let value = card.dropFirst(9).drop { $0 == " " }.prefix { $0 != " " && $0 != "/" }
      return Double(value).map { $0 > Double(mostAxes) } ?? false
    }
  }

  /// Checks that coordinates are equatorial and J2000: ICRS, which is within 0.02″ of it, or FK5 of
  /// equinox 2000. Missing keywords have the defaults of the FITS Standard 4.0, section 8.3.
  private static func checkJ2000(_ system: wcsprm) throws(NoSkyPositions) {
    let axes = 0..<system.naxis
    guard axes.contains(system.lng), axes.contains(system.lat) else {
      throw .noCelestialCoordinates
    }
    let type = text(system.lngtyp)
    guard type == "RA" else { throw .otherCoordinates(names[type] ?? type) }
    let equinox = system.equinox == undefined ? nil : system.equinox
    let frame = text(system.radesys).uppercased()
    switch (frame, equinox) {
    case ("ICRS", _), ("FK5", nil), ("FK5", 2000), ("", nil), ("", 2000): return
    case ("", let year?): throw .otherFrame(year < 1984 ? "FK4" : "FK5", equinox: year)
    default: throw .otherFrame(frame, equinox: equinox ?? (frame == "FK4" ? 1950 : nil))
    }
  }

  private static let names = [
    "GLON": "galactic", "ELON": "ecliptic", "HLON": "helioecliptic", "SLON": "supergalactic",
  ]

  /// WCSLIB's value for a missing keyword: UNDEFINED, a macro that Swift does not import.
  static let undefined = 987654321.0e99

  static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        .trimmingCharacters(in: .whitespaces)
    }
  }
}
