/// A branch as a bivariate Gaussian, to tell how probably a pixel between several branches belongs to
/// each (Bertin & Arnouts 1996, A&AS 117, 393, section 6).
struct BranchModel {
  /// Where its centre is, from the component's first column and row.
  let x: Double
  let y: Double
  /// The smallest rectangle that holds the branch, in the same count.
  let box: PixelBox
  /// Its value at the centre, in the image's units.
  private let amplitude: Double
  /// Half the inverse of its matrix of moments.
  private let cxx: Double
  private let cyy: Double
  private let cxy: Double

  /// Beyond such a distance from a branch, in half squares of its deviation, nothing belongs to it.
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
    // An isophote's area tells how far it lies below the peak: ln(peak / threshold) × 2πab. What
    // noise makes of that is limited.
    let height = Double(branch.pixels.count) / (kept * area)
    let most = 4 * Double(peak)
    amplitude =
      height < Self.farthest
      ? min(most, Double(component.threshold) * PortableMath.exp(height)) : most
  }

  /// By how much the moments are too small, as what lies below the branch's threshold is cut off: the
  /// area between the threshold and half the peak, over that of a Gaussian of the same moments.
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

  /// How far a pixel is from the centre, as half the square of its distance in deviations.
  func distance(_ column: Int32, _ row: Int32) -> Double {
    let (dx, dy) = (Double(column) - x, Double(row) - y)
    return cxx * dx * dx + cyy * dy * dy + cxy * dx * dy
  }

  /// Its value at such a distance.
  func value(at distance: Double) -> Double {
    distance < Self.farthest ? amplitude * PortableMath.exp(-distance) : 0
  }
}

extension ClosedRange<Int> {
  fileprivate func reaching(_ value: Int) -> ClosedRange {
    Swift.min(lowerBound, value)...Swift.max(upperBound, value)
  }
}
