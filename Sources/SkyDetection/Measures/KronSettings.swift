/// How fluxes in ellipses that fit each source are measured (PHOT_AUTOPARAMS).
public struct KronSettings: Codable, Hashable, Sendable {
  /// What the mean radius is multiplied by: with 2.5, an ellipse holds some 94 % of the light of a
  /// star or of a galaxy (Kron 1980, ApJS 43, 305). Larger ones hold more of it, and more noise.
  public var factor: Double
  /// The least that comes of it, in units of A and B: for sources too faint to have a mean radius.
  public var minimum: Double

  /// How far from its centre the mean radius of a source is taken, in units of A and B.
  static let extent = 6.0
  /// How far from its centre a source's light is looked for, in pixels along x and y.
  static let maximumReach = 1024

  public init(factor: Double = 2.5, minimum: Double = 3.5) {
    self.factor = factor
    self.minimum = minimum
  }

  /// How far around a component of a side at the most an ellipse can reach, in pixels.
  static func reach(ofSide side: Int) -> Int {
    // No deviation is larger than the side, not even about a centre that is not the mean.
    min(maximumReach, Int(largest * Double(side)) + 5)
  }

  /// What an ellipse is at the most, in units of A and B.
  static let largest = 16.0

  /// The ellipse for a mean radius.
  func radius(mean: Double) -> Double { min(Self.largest, max(minimum, factor * mean)) }

  /// - Throws: ``InvalidScan`` if a number is out of its range.
  func check() throws {
    guard (0.1...10).contains(factor) else {
      throw InvalidScan("a Kron factor of \(factor); 0.1 to 10 is allowed")
    }
    guard (0...Self.largest).contains(minimum) else {
      throw InvalidScan("a Kron radius of at least \(minimum); 0 to \(Self.largest) is allowed")
    }
  }
}
