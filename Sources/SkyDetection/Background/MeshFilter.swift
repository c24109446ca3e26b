// What this file codes is frozen by the version of `SourceScan.kind`.

extension DetectionSettings {
  /// The median filter of the background's meshes, so that a mesh full of one bright star does not raise
  /// the sky around it.
  public struct MeshFilter: Codable, Hashable, Sendable {
    /// The size of a mesh's neighbourhood, in meshes (BACK_FILTERSIZE): from 1 to 11. The mesh is in its
    /// middle, so an even number counts as the next odd one.
    public var width: Int
    public var height: Int
    /// A mesh is replaced by the median if its level differs from it by this or more, in the image's
    /// units (BACK_FILTTHRESH). 0 or more; with 0, all meshes are.
    public var threshold: Double

    /// SExtractor's defaults, unless other numbers are given.
    public init(width: Int = 3, height: Int = 3, threshold: Double = 0) {
      (self.width, self.height, self.threshold) = (width, height, threshold)
    }

    /// - Throws: ``InvalidScan`` if a number is out of its range.
    func check() throws {
      let sides = 1...11
      guard sides.contains(width), sides.contains(height) else {
        throw InvalidScan("a filter of \(width) × \(height) meshes; 1 to 11 are allowed")
      }
      guard threshold >= 0, threshold.isFinite else {
        throw InvalidScan("a filter's threshold of \(threshold); 0 or more is allowed")
      }
    }
  }
}
