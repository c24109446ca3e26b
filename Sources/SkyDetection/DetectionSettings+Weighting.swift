// What this file codes is frozen by the version of `SourceScan.kind`.

extension DetectionSettings {
  /// What is known of the pixels' variances (WEIGHT_TYPE, RESCALE_WEIGHTS and WEIGHT_THRESH).
  public struct Weighting: Codable, Hashable, Sendable {
    /// What the weights' file holds, or what stands for such a file.
    public enum Kind: String, Codable, Hashable, Sendable {
      /// Weights in proportion to 1/variance; 0 for a pixel without a value (MAP_WEIGHT).
      case weight
      /// Variances, or numbers in proportion to them (MAP_VAR).
      case variance
      /// Standard deviations in the image's units (MAP_RMS).
      case deviation
      /// There is no file: each pixel has the noise of the background there (BACKGROUND).
      case background
    }

    public var kind: Kind
    /// Whether weights and variances are scaled to the noise of the background. Standard deviations
    /// never are.
    public var rescales: Bool
    /// The number from which a pixel is bad, in the units of what the file holds: a weight of at most
    /// this, or a variance or deviation of at least this. With `nil`, SExtractor's default: a weight of
    /// 0, and a deviation or variance of 10³⁰.
    ///
    /// A bad pixel does not count for the background, and is replaced where fluxes are measured. As
    /// in SExtractor, it still counts where sources are detected; and the background compares variances
    /// with this number before they are scaled, all else compares scaled variances.
    public var threshold: Double?

    public init(kind: Kind = .weight, rescales: Bool = true, threshold: Double? = nil) {
      (self.kind, self.rescales, self.threshold) = (kind, rescales, threshold)
    }

    /// A variance from which a pixel has no value, as SExtractor has it.
    static let infinite: Float = 1e30

    /// The variance from which a pixel is bad though it has a value.
    var badVariance: Float {
      guard let threshold else { return .infinity }
      let number = Float(threshold)
      let variance =
        switch kind {
        case .weight: 1 / number
        case .variance: number
        case .deviation, .background: number * number
        }
      return variance < Self.infinite ? variance : .infinity
    }

    /// The variance that a number of the file stands for, before it is scaled; infinite for a pixel
    /// without a value.
    func variance(of number: Float) -> Float {
      switch kind {
      case .weight:
        return number > 0 ? 1 / number : .infinity
      case .variance, .deviation, .background:
        let variance = kind == .variance ? number : number * number
        // A variance below 0 and one that is no number say nothing of a pixel.
        return variance >= 0 && variance < Self.infinite ? variance : .infinity
      }
    }

    /// Whether a number of the file marks a pixel as bad, before variances are scaled.
    package func isBad(_ number: Float) -> Bool {
      let variance = variance(of: number)
      return variance == .infinity || variance >= badVariance
    }

    /// - Throws: ``InvalidScan`` if the threshold is out of its range.
    func check() throws {
      guard let threshold else { return }
      guard threshold >= 0, threshold.isFinite else {
        throw InvalidScan("a threshold of weights of \(threshold); 0 or more is allowed")
      }
    }
  }
}
