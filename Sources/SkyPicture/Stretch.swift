import Foundation

/// The brightness at which a value is shown: `asinh((value - black) / softening)`. It is linear
/// within the noise of the sky, and logarithmic above, so that faint and bright sources are visible
/// at once (Lupton et al. 2004, PASP 116, 133).
///
/// The limits follow from three percentiles of the values. Most pixels of an image show empty sky,
/// so:
/// - the 50th percentile is the sky, and its distance from the 25th is 0.674 σ of the sky's noise.
///   Sources, which are always brighter, hardly change either, and neither do empty borders of up
///   to a quarter of the image;
/// - *black* is 2 σ below the sky, and the *softening* is 3 σ, so that the sky is dark but not
///   black, and its noise is faint but visible;
/// - *white* is the 99.95th percentile, so that only the cores of the brightest stars are
///   saturated. It is at least 30 σ above the sky, so that the noise of an empty sky does not fill
///   the range from black to white.
struct Stretch: Hashable, Sendable {
  /// The approximate number of values from which the percentiles are taken.
  private static let sampleSize = 1 << 20

  let black: Float
  let white: Float
  let softening: Float
  private let range: Float

  /// - Parameter values: the values in any order; NaN does not count.
  init(_ values: [Float]) {
    // An odd step does not coincide with patterns that repeat in a camera's columns.
    let step = (values.count / Self.sampleSize) | 1
    let sample = stride(from: 0, to: values.count, by: step).lazy.map { values[$0] }
      .filter { !$0.isNaN }.sorted()
    guard let lowest = sample.first, let highest = sample.last else {
      self.init(black: 0, white: 0, softening: 1)
      return
    }
    func percentile(_ percent: Double) -> Float {
      sample[Int((percent / 100 * Double(sample.count - 1)).rounded())]
    }
    // The quartile of a normal distribution is at 0.6745 σ.
    let (sky, noise) = (percentile(50), (percentile(50) - percentile(25)) / 0.6745)
    if noise > 0 {
      self.init(
        black: sky - 2 * noise, white: max(percentile(99.95), sky + 30 * noise),
        softening: 3 * noise)
    } else {
      // Nearly all pixels are equal, so the few that differ get the full range.
      self.init(black: lowest, white: highest, softening: (highest - lowest) / 100)
    }
  }

  private init(black: Float, white: Float, softening: Float) {
    self.black = black
    self.white = white
    self.softening = softening
    range = white > black ? asinh((white - black) / softening) : 0
  }

  /// The brightness from 0, black, to 1, white. If all values are equal, they are black.
  func callAsFunction(_ value: Float) -> Float {
    guard range > 0 else { return 0 }
    return max(0, min(1, asinh((value - black) / softening) / range))
  }
}
