/// A position in the sky, in J2000 coordinates if nothing else is said.
public struct SkyPosition: Hashable, Sendable {
  /// In degrees, from 0 to 360.
  public var rightAscension: Double
  /// In degrees, from -90 to 90.
  public var declination: Double

  public init(rightAscension: Double, declination: Double) {
    self.rightAscension = rightAscension
    self.declination = declination
  }
}
