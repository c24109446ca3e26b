// What this file codes is frozen by the version of `SourceScan.kind`.

extension Source {
  /// How many of a source's own pixels have low weights.
  public struct LowWeights: Codable, Hashable, Sendable {
    /// The pixels that have a low weight themselves (NLOWWEIGHT_ISO).
    public var low: Int32
    /// The pixels with a low weight among them and their neighbours when smoothed
    /// (NLOWDWEIGHT_ISO).
    public var steep: Int32

    package init(low: Int32, steep: Int32) {
      (self.low, self.steep) = (low, steep)
    }
  }
}
