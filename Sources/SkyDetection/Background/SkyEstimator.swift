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
  mutating func sky(of plane: Plane, in box: PixelBox, minimumValidFraction: Double) -> MeshSky? {
    plane.values.withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { return nil }
      let rectangle = PlaneRectangle(
        first: base + box.rows.lowerBound * plane.width + box.columns.lowerBound,
        stride: plane.width, width: box.columns.count, height: box.rows.count)
      guard
        let (usual, range) = sky(of: rectangle, minimumValidFraction: minimumValidFraction)
      else { return nil }
      var sky = usual
      if let variances = plane.variances {
        // Where variances differ by orders of magnitude, the lowest class may reach below 0.
        let variance = typicalVariance(of: rectangle, variances, plane.width, box, inner: range)
        sky.variance = variance.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
      }
      return sky
    }
  }

  /// The level of the sky among values; `nil` if there is none.
  mutating func level(of values: [Float]) -> Double? {
    values.withUnsafeBufferPointer { values in
      values.baseAddress.flatMap { first in
        let row = PlaneRectangle(
          first: first, stride: values.count, width: values.count, height: 1)
        return sky(of: row, minimumValidFraction: 0)?.sky.level
      }
    }
  }

  /// The sky in a rectangle, and the range of the values that are close to the mean; `nil` if too few
  /// pixels have values.
  private mutating func sky(
    of rectangle: PlaneRectangle, minimumValidFraction: Double
  ) -> (sky: MeshSky, range: ClosedRange<Float>)? {
    guard let pivot = rectangle.firstValue else { return nil }
    let all = rectangle.moments(-Float.infinity...Float.infinity, from: pivot)
    guard Double(all.count) >= minimumValidFraction * Double(rectangle.width * rectangle.height)
    else { return nil }
    let range = all.range(deviations: 2)
    histogram.count(rectangle, around: rectangle.moments(range, from: pivot))
    let sky = histogram.clippedSky()
    // The squares of values near the largest are not finite.
    guard sky.level.isFinite, sky.noise.isFinite else { return nil }
    return (sky, range)
  }

  /// The most probable variance of a mesh's pixels. It is found in the same way as the level of the sky, and
  /// from the pixels that counted for the level.
  ///
  /// - Parameters:
  ///   - all: the variances of the plane whose width is given.
  ///   - inner: the range of the values that are close to the mean.
  private mutating func typicalVariance(
    of values: PlaneRectangle, _ all: [Float], _ width: Int, _ box: PixelBox,
    inner: ClosedRange<Float>
  ) -> Double? {
    let counted = histogram
    func withVariances<Result>(
      where isIn: (Float) -> Bool, _ body: (PlaneRectangle) -> Result
    ) -> Result? {
      let chosen = box.rows.flatMap { row in
        box.columns.map { column in
          isIn(values[column - box.columns.lowerBound, row - box.rows.lowerBound])
            ? all[row * width + column] : .nan
        }
      }
      return chosen.withUnsafeBufferPointer { chosen in
        chosen.baseAddress.map {
          body(
            PlaneRectangle(
              first: $0, stride: values.width, width: values.width, height: values.height))
        }
      }
    }
    func moments(
      _ range: ClosedRange<Float>, where isIn: (Float) -> Bool
    ) -> PlaneRectangle.Moments? {
      withVariances(where: isIn) { chosen in
        chosen.firstValue.map { chosen.moments(range, from: $0) }
      } ?? nil
    }
    guard let usual = moments(0...Float.infinity, where: { !$0.isNaN }) else { return nil }
    let range = usual.range(deviations: 2)
    guard let inner = moments(range, where: inner.contains), inner.count > 0 else {
      return usual.mean
    }
    return withVariances(where: counted.holds) { chosen in
      histogram.count(chosen, around: inner)
      return histogram.clippedSky().level
    }
  }
}
