// What this file codes is frozen by the version of `SourceScan.kind`.

/// The weights with which an image is smoothed before sources are detected in it.
///
/// A kernel about as wide as a star's image makes faint stars stand out from the noise (Bertin &
/// Arnouts 1996, A&AS 117, 393; the SExtractor manual, "Filtering").
public struct SmoothingKernel: Codable, Hashable, Sendable {
  /// The longest side. SExtractor reads at most 1024 weights, and 31 is the largest odd side of a
  /// square that has no more.
  public static let maximumSide = 31

  /// The number of columns. Odd, 1 to 31.
  public let width: Int
  /// The number of rows. Odd, 1 to 31.
  public let height: Int
  /// The weights, row by row. The first one is for the pixel of the lowest row and column, as
  /// images are stored: the kernel is laid on the image as it is written, without turning it about.
  /// SExtractor 2.25 and sep 1.4 do the same, although they call it a convolution.
  public let weights: [Float]

  /// - Parameters:
  ///   - width: the number of columns. Odd, 1 to 31.
  ///   - height: the number of rows. Odd, 1 to 31.
  ///   - weights: the weights, row by row, from the lowest row and column on.
  ///   - isNormalised: whether the weights are divided by the sum of their magnitudes, as SExtractor
  ///     does. The weights then sum to 1 if none is negative, and to less if some are.
  public init(width: Int, height: Int, weights: [Float], isNormalised: Bool = false) {
    self.width = width
    self.height = height
    let sum = weights.reduce(0.0) { $0 + Double($1.magnitude) }
    self.weights = isNormalised && sum > 0 ? weights.map { Float(Double($0) / sum) } : weights
  }

  /// [1 2 1; 2 4 2; 1 2 1]/16, SExtractor's default.
  public static let usual = SmoothingKernel(
    width: 3, height: 3, weights: [1, 2, 1, 2, 4, 2, 1, 2, 1], isNormalised: true)

  /// Leaves every value unchanged.
  public static let none = SmoothingKernel(width: 1, height: 1, weights: [1])

  /// The number of rows or columns that the kernel covers on each side of its middle, whichever is
  /// more.
  public var reach: Int { max(width / 2, height / 2) }

  /// - Throws: ``InvalidScan`` if a side is not odd or not from 1 to 31, if the number of weights
  ///   is not `width * height`, or if a weight is not finite, exceeds 10⁶, or all weights are 0.
  public func check() throws {
    for side in [width, height] {
      guard (1...Self.maximumSide).contains(side), !side.isMultiple(of: 2) else {
        throw InvalidScan(
          "a smoothing kernel of \(width) × \(height) weights; odd numbers of 1 to "
            + "\(Self.maximumSide) are allowed, so that there is a pixel in its middle")
      }
    }
    guard weights.count == width * height else {
      throw InvalidScan(
        "\(weights.count) weights for a smoothing kernel of \(width) × \(height); "
          + "\(width * height) are needed")
    }
    guard weights.allSatisfy({ abs($0) <= 1e6 }), weights.contains(where: { $0 != 0 }) else {
      throw InvalidScan(
        "a smoothing kernel with a weight that is no number from -1e6 to 1e6, or of nothing but 0; "
          + "finite numbers that are not all 0 are needed")
    }
  }
}
