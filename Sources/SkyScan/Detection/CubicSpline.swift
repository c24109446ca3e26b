/// The natural cubic spline through values at 0, 1, 2 …, by its second derivatives: zero at both
/// ends, and such between that slopes are continuous.
enum CubicSpline {
  /// A sixth of the second derivatives at the nodes, by elimination of the tridiagonal system
  /// (Press et al., Numerical Recipes, 3rd edition, section 3.3).
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
      curvatures[index] += ratios[index] * curvatures[index + 1]
    }
    return curvatures
  }

  /// The spline's value at a position. Beyond the outermost nodes their piece goes on.
  @inline(__always)
  static func value(of values: [Double], _ curvatures: [Double], at position: Double) -> Double {
    guard values.count > 1 else { return values[0] }
    let left = max(0, min(values.count - 2, Int(position)))
    let t = position - Double(left)
    let s = 1 - t
    return s * values[left] + t * values[left + 1]
      + (s * s * s - s) * curvatures[left] + (t * t * t - t) * curvatures[left + 1]
  }
}

/// A bicubic spline through the centres of meshes.
struct SplineSurface {
  private let columns: [(values: [Double], curvatures: [Double])]

  init(_ grid: MeshGrid) {
    columns = (0..<grid.columns).map { column in
      let values = (0..<grid.rows).map { grid[column, $0] }
      return (values, CubicSpline.curvatures(of: values))
    }
  }

  /// Writes the surface's values along one row of pixels.
  func evaluate(row: Int, into level: inout [Float]) {
    let y = Self.position(row)
    let nodes = columns.map { CubicSpline.value(of: $0.values, $0.curvatures, at: y) }
    let curvatures = CubicSpline.curvatures(of: nodes)
    level.withUnsafeMutableBufferPointer { level in
      for column in level.indices {
        level[column] = Float(CubicSpline.value(of: nodes, curvatures, at: Self.position(column)))
      }
    }
  }

  /// The centre of a pixel, counted in meshes from the centre of the first.
  @inline(__always)
  private static func position(_ pixel: Int) -> Double {
    (Double(pixel) + 0.5) / Double(SkyMap.meshSide) - 0.5
  }
}
