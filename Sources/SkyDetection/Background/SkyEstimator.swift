/// Estimates the sky on meshes, one after the other.
///
/// First, values more than 2 σ from the mean are left out, and then those beyond 5 of the remaining
/// σ. The rest is clipped at 3 σ about the median until nothing changes. The level is the mode of a
/// moderately crowded field, 2.5 × median - 1.5 × mean. Where mean and median differ by 0.3 σ or
/// more, that mode is not reliable, and the level is the median (Bertin & Arnouts 1996, A&AS 117,
/// 393; modes from clipped medians and means: Stetson 1987, PASP 99, 191).
///
/// The values within 5 σ are counted in a histogram, with so many classes that the fullest one has
/// about four values. Each clipping then costs next to nothing.
struct SkyEstimator {
  private var histogram = ValueHistogram()

  /// The sky in a rectangle of a plane; `nil` if fewer pixels have values than are needed.
  mutating func sky(
    of plane: Plane, columns: Range<Int>, rows: Range<Int>, minimumValidFraction: Double
  ) -> MeshSky? {
    plane.values.withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { return nil }
      let rectangle = PlaneRectangle(
        first: base + rows.lowerBound * plane.width + columns.lowerBound,
        stride: plane.width, width: columns.count, height: rows.count)
      guard let pivot = rectangle.firstValue else { return nil }
      let all = rectangle.moments(-Float.infinity...Float.infinity, from: pivot)
      guard Double(all.count) >= minimumValidFraction * Double(columns.count * rows.count) else {
        return nil
      }
      let inner = rectangle.moments(all.range(deviations: 2), from: pivot)
      guard inner.sigma > 0 else { return MeshSky(level: inner.mean, noise: 0) }
      histogram.count(rectangle, around: inner)
      let sky = histogram.clippedSky()
      // The squares of values near the largest are not finite.
      return sky.level.isFinite && sky.noise.isFinite ? sky : nil
    }
  }
}
