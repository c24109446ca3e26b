/// A branch as a bivariate Gaussian. It gives the probability that a pixel between several branches
/// belongs to each (Bertin & Arnouts 1996, A&AS 117, 393, section 6).
struct BranchModel {
  /// The branch's centre, counted from the component's first column and row.
  let x: Double
  let y: Double
  /// The smallest rectangle that holds the branch, in the same coordinates.
  let box: PixelBox
  /// The value at the centre, in the image's units.
  private let amplitude: Double
  /// Half the inverse of the matrix of moments.
  private let cxx: Double
  private let cyy: Double
  private let cxy: Double

  /// No pixel beyond this distance belongs to the branch. Distances are half squares, in units of
  /// the deviation.
  private static let farthest = 70.0

  init(_ branch: Branch, of component: Component) {
    var sums = Moments()
    var peak = -Float.infinity
    var (columns, rows) = (Int.max...Int.max, Int.max...Int.max)
    for (index, pixel) in branch.pixels.enumerated() {
      let (column, row) = (Int(component.x[Int(pixel)]), Int(component.y[Int(pixel)]))
      let value = component.smoothed[Int(pixel)]
      peak = max(peak, value)
      sums.add(Double(value), Double(column), Double(row))
      columns = index == 0 ? column...column : columns.reaching(column)
      rows = index == 0 ? row...row : rows.reaching(row)
    }
    x = sums.meanX
    y = sums.meanY
    box = PixelBox(columns: Range(columns), rows: Range(rows))
    let shape = sums.spread(about: (x, y)).regular
    let determinant = shape.xx * shape.yy - shape.xy * shape.xy
    let area = 2 * Double.pi * determinant.squareRoot()
    let kept = Self.kept(of: branch, component, area)
    (cxx, cyy) = (0.5 * shape.yy / determinant / kept, 0.5 * shape.xx / determinant / kept)
    cxy = -shape.xy / determinant / kept
    // The area of an isophote tells its depth below the peak: ln(peak / threshold) × 2πab. The
    // limit bounds the effect of noise.
    let height = Double(branch.pixels.count) / (kept * area)
    let most = 4 * Double(peak)
    amplitude =
      height < Self.farthest
      ? min(most, Double(component.threshold) * PortableMath.exp(height)) : most
  }

  /// The factor by which the moments are too small, because the pixels below the branch's threshold
  /// are cut off: the area between the threshold and half the peak, divided by that of a Gaussian
  /// with the same moments.
  ///
  /// - Parameter area: 2πab of the moments.
  private static func kept(of branch: Branch, _ component: Component, _ area: Double) -> Double {
    // Where thresholds differ from pixel to pixel, the branch has no isophote.
    guard component.variances.isEmpty else { return 1 }
    let threshold = Double(branch.threshold)
    let peak = branch.pixels.reduce(-Float.infinity) { max($0, component.values[Int($1)]) }
    let half = (threshold + Double(peak)) / 2
    let ratio = threshold / half
    guard ratio > 0 else { return 1 }
    var slope = 0
    for pixel in branch.pixels {
      let value = Double(component.values[Int(pixel)])
      if value > threshold, !(value > half) { slope += 1 }
    }
    return min(
      1, Double(max(1, slope)) / (-PortableMath.log(ratio < 1 ? ratio : 0.99) * area))
  }

  /// The distance of a pixel from the centre, as half its square in units of the deviation.
  func distance(_ column: Int32, _ row: Int32) -> Double {
    let (dx, dy) = (Double(column) - x, Double(row) - y)
    return cxx * dx * dx + cyy * dy * dy + cxy * dx * dy
  }

  /// The model's value at such a distance.
  func value(at distance: Double) -> Double {
    distance < Self.farthest ? amplitude * PortableMath.exp(-distance) : 0
  }
}

extension ClosedRange<Int> {
  fileprivate func reaching(_ value: Int) -> ClosedRange {
    Swift.min(lowerBound, value)...Swift.max(upperBound, value)
  }
}
