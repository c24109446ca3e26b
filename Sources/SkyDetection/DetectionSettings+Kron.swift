// What this file codes is frozen by the version of `SourceScan.kind`.

extension DetectionSettings {
  /// How fluxes in ellipses that fit each source are measured (PHOT_AUTOPARAMS).
  public struct Kron: Codable, Hashable, Sendable {
    /// The factor of the mean radius. With 2.5, an ellipse holds some 94 % of the light of a star or
    /// of a galaxy (Kron 1980, ApJS 43, 305). Larger ellipses hold more of it, and more noise. From
    /// 0.1 to 10.
    public var factor: Double
    /// The smallest ellipse, in units of A and B, for sources too faint to have a mean radius. From 0
    /// to 16.
    public var minimum: Double

    /// The mean radius of a source is measured up to this distance from its centre, in units of A and
    /// B.
    static let extent = 6.0
    /// A source's light is measured up to this distance from its centre, in pixels along x and y.
    static let maximumReach = 1024

    /// SExtractor's defaults, unless other numbers are given.
    public init(factor: Double = 2.5, minimum: Double = 3.5) {
      self.factor = factor
      self.minimum = minimum
    }

    /// The largest distance that what reaches up to `extent`, in units of A, can extend beyond a
    /// component whose longer side is `side`, in pixels.
    static func reach(ofSide side: Int, extent: Double) -> Int {
      // No deviation is larger than the side, not even about a centre that is not the mean.
      min(maximumReach, Int(extent * Double(side)) + 5)
    }

    /// The largest ellipse, in units of A and B.
    static let largest = 16.0

    /// The size of the ellipse for a mean radius.
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
}
