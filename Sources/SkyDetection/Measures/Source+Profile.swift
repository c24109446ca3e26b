// What this file codes is frozen by the version of `SourceScan.kind`.

extension Source {
  /// The variances of a source's barycentre, in square pixels (ERRX2_IMAGE, ERRY2_IMAGE,
  /// ERRXY_IMAGE).
  public struct PositionErrors: Codable, Hashable, Sendable {
    public var xx: Double
    public var yy: Double
    public var xy: Double

    package init(xx: Double = 0, yy: Double = 0, xy: Double = 0) {
      (self.xx, self.yy, self.xy) = (xx, yy, xy)
    }

    /// Whether all numbers are finite.
    package var isFinite: Bool { xx.isFinite && yy.isFinite && xy.isFinite }

    /// Adds a variance along x and y, if without it the variances are those of a line.
    mutating func widen(by variance: Double) {
      guard xx * yy - xy * xy < variance * variance else { return }
      xx += variance
      yy += variance
    }
  }

  /// How a source's light falls off from its peak.
  public struct Profile: Codable, Hashable, Sendable {
    /// How many pixels are over each of eight levels, which rise in equal ratios from the threshold
    /// towards the peak (ISO0 … ISO7).
    public var areas: [Int32]
    /// The width at half of the height of a Gaussian core, in pixels (FWHM_IMAGE). 0 if no such core
    /// fits.
    public var fwhm: Double

    /// The number of levels.
    package static let levelCount = 8

    package init(areas: [Int32], fwhm: Double) {
      (self.areas, self.fwhm) = (areas, fwhm)
    }
  }

  /// The lowest thresholds of a source's own pixels, in the image's units.
  public struct SourceThresholds: Codable, Hashable, Sendable {
    /// That of the smoothed pixels (THRESHOLD).
    public var detection: Float
    /// That of the unsmoothed pixels (MU_THRESHOLD as a value).
    public var analysis: Float

    package init(detection: Float, analysis: Float) {
      (self.detection, self.analysis) = (detection, analysis)
    }
  }
}
