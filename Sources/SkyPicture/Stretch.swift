import Foundation

/// How bright a value is shown: `asinh((value - black) / softening)`, which is linear within the
/// noise of the sky and logarithmic above, so that faint and bright sources are seen at once
/// (Lupton et al. 2004, PASP 116, 133).
///
/// All follows from three percentiles of the values. Most pixels of an image show empty sky, so that
/// - the 50th is the sky, and from the 25th to it are 0.674 σ of its noise. Sources, which are only
///   brighter, hardly change either, nor do empty borders of up to a quarter of the image;
/// - *black* is 2 σ below the sky and the *softening* 3 σ, so that the sky is dark, not black, and
///   its noise is seen but faint;
/// - the 99.95th is *white*: the cores of the brightest stars are all that is lost. It is 30 σ above
///   the sky at least, lest an empty sky's noise be shown from black to white.
struct Stretch: Hashable, Sendable {
  /// How many values, about, the percentiles are taken from.
  private static let sampleSize = 1 << 20

  let black: Float
  let white: Float
  let softening: Float
  private let range: Float

  /// - Parameter values: in any order; NaN does not count.
  init(_ values: [Float]) {
    // Odd, so that it does not go with what repeats in a camera's columns.
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
    // 0.6745 σ is a normal distribution's quartile.
    let (sky, noise) = (percentile(50), (percentile(50) - percentile(25)) / 0.6745)
    if noise > 0 {
      self.init(
        black: sky - 2 * noise, white: max(percentile(99.95), sky + 30 * noise),
        softening: 3 * noise)
    } else {
      // Nearly all pixels are the same: whatever differs is to be seen.
      self.init(black: lowest, white: highest, softening: (highest - lowest) / 100)
    }
  }

  private init(black: Float, white: Float, softening: Float) {
    self.black = black
    self.white = white
    self.softening = softening
    range = white > black ? asinh((white - black) / softening) : 0
  }

  /// From 0, black, to 1, white. Where all values are the same, they are black.
  func callAsFunction(_ value: Float) -> Float {
    guard range > 0 else { return 0 }
    return max(0, min(1, asinh((value - black) / softening) / range))
  }
}
