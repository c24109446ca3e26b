/// Estimates the sky on meshes, one after the other.
///
/// Values more than 2 σ from the mean go first, and what lies beyond 5 of the σ that is left; then
/// the rest is clipped at 3 σ about the median until nothing changes. The level is the mode of a
/// field with some crowding, 2.5 × median - 1.5 × mean, or the median where the two differ by 0.3 σ
/// or more, which is when the mode is not to be trusted (Bertin & Arnouts 1996, A&AS 117, 393;
/// modes from clipped medians and means: Stetson 1987, PASP 99, 191).
///
/// What is within 5 σ is counted in classes, so many that the fullest has some four values: then each
/// clipping costs next to nothing.
struct SkyEstimator {
  private var classes = ValueClasses()

  /// The sky in a rectangle of a plane; none, if fewer pixels have values than are needed.
  mutating func sky(
    of plane: Plane, columns: Range<Int>, rows: Range<Int>, leastValid: Double
  ) -> MeshSky? {
    plane.values.withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { return nil }
      let rectangle = PlaneRectangle(
        first: base + rows.lowerBound * plane.width + columns.lowerBound,
        stride: plane.width, width: columns.count, height: rows.count)
      guard let pivot = rectangle.firstValue else { return nil }
      let all = rectangle.moments(-Float.infinity...Float.infinity, from: pivot)
      guard Double(all.count) >= leastValid * Double(columns.count * rows.count) else { return nil }
      let inner = rectangle.moments(all.range(deviations: 2), from: pivot)
      guard inner.sigma > 0 else { return MeshSky(level: inner.mean, noise: 0) }
      classes.count(rectangle, around: inner)
      let sky = classes.clippedSky()
      // Values near the largest have squares that are none.
      return sky.level.isFinite && sky.noise.isFinite ? sky : nil
    }
  }
}
