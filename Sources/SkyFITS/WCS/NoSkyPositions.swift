/// Why a header does not tell where an image's pixels are in the sky of J2000. A scan can do
/// without: its catalogue then has no columns of the sky.
public enum NoSkyPositions: Error, Hashable, CustomStringConvertible {
  /// It has no celestial coordinates, as those of many test images and spectra.
  case noCelestialCoordinates
  /// They are no right ascension and declination; the name of what they are.
  case otherCoordinates(String)
  /// They are of another frame or equinox than J2000; the header's words or what they default to.
  case otherFrame(String, equinox: Double?)
  /// They cannot be computed with; what is wrong, as the rest of "the header's coordinates …".
  case invalid(String)

  /// As the rest of a sentence such as "no sky positions: …".
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
