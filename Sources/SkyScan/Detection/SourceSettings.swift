/// What holds for every sector of a scan for sources.
public struct SourceSettings: Codable, Hashable, Sendable {
  /// How far over the background a smoothed pixel of a source lies, in units of the noise of an
  /// unsmoothed pixel. Lower finds fainter sources and more that are noise. Over 0.
  public var threshold: Double
  /// How many pixels a source has at least. 1 or more.
  public var minimumArea: Int

  public init(threshold: Double = 1.5, minimumArea: Int = 5) {
    self.threshold = threshold
    self.minimumArea = minimumArea
  }

  /// - Throws: ``InvalidScan`` if a setting is out of its range.
  public func check() throws {
    guard threshold > 0, threshold.isFinite else {
      throw InvalidScan("a threshold of \(threshold) × noise; more than 0 is allowed")
    }
    guard minimumArea >= 1 else {
      throw InvalidScan("a minimum area of \(minimumArea) pixels; 1 or more is allowed")
    }
  }
}
