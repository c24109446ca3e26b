/// SExtractor's cubic spline through values at 0, 1, 2 …, given by its second derivatives. They are
/// continuous, and zero at both ends.
///
/// It is nearly the natural spline: SExtractor solves the same equations, but counts only a sixth of
/// the next node's second derivative. So the slope has small steps at the nodes.
enum CubicSpline {
  /// A sixth of the second derivatives at the nodes, by elimination of the tridiagonal system
  /// (Press et al., Numerical Recipes, 3rd edition, section 3.3), with SExtractor's sixth.
  static func curvatures(of values: [Double]) -> [Double] {
    let count = values.count
    var curvatures = [Double](repeating: 0, count: count)
    guard count > 2 else { return curvatures }
    var ratios = curvatures
    for index in 1..<count - 1 {
      let bend = values[index - 1] - 2 * values[index] + values[index + 1]
      let pivot = 1 / (4 + ratios[index - 1])
      ratios[index] = -pivot
      curvatures[index] = (bend - curvatures[index - 1]) * pivot
    }
    for index in stride(from: count - 2, through: 1, by: -1) {
      curvatures[index] += ratios[index] * curvatures[index + 1] / 6
    }
    return curvatures
  }
}

/// The weights of two neighbouring nodes' values and curvatures at a point between them.
struct SplineWeights {
  let value: Double
  let nextValue: Double
  let curvature: Double
  let nextCurvature: Double

  /// - Parameter t: the point's distance from the first node; the second node is at 1.
  init(_ t: Double) {
    let s = 1 - t
    value = s
    nextValue = t
    curvature = s * s * s - s
    nextCurvature = t * t * t - t
  }

  @inline(__always)
  func sum(_ value: Double, _ next: Double, _ curvature: Double, _ nextCurvature: Double) -> Double
  {
    self.value * value + nextValue * next + self.curvature * curvature
      + self.nextCurvature * nextCurvature
  }
}
