/// Why a header does not tell the J2000 sky positions of an image's pixels. A scan does not need
/// them: without them, its catalogue has no columns of sky positions.
public enum NoSkyPositions: Error, Hashable, CustomStringConvertible {
  /// The header has no celestial coordinates, as in many test images and spectra.
  case noCelestialCoordinates
  /// The coordinates are not right ascension and declination. The value is their name.
  case otherCoordinates(String)
  /// The coordinates are of another frame or equinox than J2000. The values are the header's, or
  /// their defaults.
  case otherFrame(String, equinox: Double?)
  /// WCSLIB cannot compute with the coordinates. The value is the fault, as the rest of "the
  /// header's coordinates …".
  case invalid(String)

  /// The reason, as the rest of a sentence such as "no sky positions: …".
  public var description: String {
    switch self {
    case .noCelestialCoordinates: "the header has no celestial coordinates"
    case .otherCoordinates(let name):
      "the header's coordinates are \(name), not right ascension and declination"
    case .otherFrame(let frame, let equinox):
      "the header's coordinates are of \(frame)"
        + (equinox.map { ", equinox \(Self.year($0))" } ?? "") + ", not of J2000"
    case .invalid(let fault): "the header's coordinates \(fault)"
    }
  }

  private static func year(_ equinox: Double) -> String {
    Int(exactly: equinox).map(String.init) ?? equinox.description
  }
}
