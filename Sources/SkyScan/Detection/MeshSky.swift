/// The level and the noise of the sky in a small part of an image, whatever stars are in it.
struct MeshSky: Hashable, Sendable {
  /// The most probable value of a pixel of empty sky.
  var level: Double
  /// The standard deviation of such a pixel.
  var noise: Double

  /// Estimates the sky from values, which it sorts; there must be at least one, and no NaN.
  ///
  /// Values more than 2 σ from the mean go first, and what lies beyond 5 of the σ that is left;
  /// then the rest is clipped at 3 σ about the median until σ settles. The level is the mode of a
  /// field with some crowding, 2.5 × median - 1.5 × mean, or the median where the two differ by
  /// more than 0.3 σ, which is when the mode is not to be trusted (Bertin & Arnouts 1996,
  /// A&AS 117, 393; modes from clipped medians and means: Stetson 1987, PASP 99, 191).
  init(of values: inout [Float], sorter: inout FloatSorter) {
    sorter.sort(&values)
    let sums = SortedSums(values)
    var statistics = sums.statistics(0..<values.count)
    statistics = sums.statistics(sums.range(about: statistics.mean, within: 2 * statistics.sigma))
    var range = sums.range(about: statistics.mean, within: 5 * statistics.sigma)
    statistics = sums.statistics(range)
    for _ in 0..<100 where statistics.sigma > 0 {
      range = sums.range(about: statistics.median, within: 3 * statistics.sigma)
      let clipped = sums.statistics(range)
      let settled = abs(clipped.sigma / statistics.sigma - 1) < 1e-4
      statistics = clipped
      if settled { break }
    }
    noise = statistics.sigma
    level =
      abs(statistics.mean - statistics.median) < 0.3 * noise
      ? 2.5 * statistics.median - 1.5 * statistics.mean : statistics.median
  }

  init(level: Double, noise: Double) {
    self.level = level
    self.noise = noise
  }
}
