import Foundation

/// A branch as a bivariate Gaussian, to tell which of several branches a pixel between them
/// belongs to (Bertin & Arnouts 1996, A&AS 117, 393, section 6).
struct BranchModel {
  let x: Double
  let y: Double
  /// The natural logarithm of its value at the centre.
  private let logAmplitude: Double
  /// Half the inverse of its matrix of moments.
  private let cxx: Double
  private let cyy: Double
  private let cxy: Double

  init(_ branch: Branch, of component: Component) {
    var sums = Moments()
    var peak = branch.threshold
    for pixel in branch.pixels {
      let value = component.smoothed[Int(pixel)]
      peak = max(peak, value)
      sums.add(Double(value), Double(component.x[Int(pixel)]), Double(component.y[Int(pixel)]))
    }
    x = sums.meanX
    y = sums.meanY
    // What is cut off below the threshold would have made the moments of a Gaussian larger, by
    // 1 / (1 + u ln u / (1 - u)), with u the threshold over the peak.
    let u = Double(branch.threshold) / Double(peak)
    let kept = u < 1 ? max(0.01, 1 + u * log(u) / (1 - u)) : 0.01
    let shape = sums.spread(about: (x, y)).regular
    let determinant = shape.xx * shape.yy - shape.xy * shape.xy
    (cxx, cyy) = (0.5 * kept * shape.yy / determinant, 0.5 * kept * shape.xx / determinant)
    cxy = -kept * shape.xy / determinant
    // An isophote's area tells how far it lies below the peak: ln(peak / threshold) × 2πab. What
    // noise makes of that is limited.
    let area = Double(branch.pixels.count)
    let height = area * kept / (2 * .pi * determinant.squareRoot())
    logAmplitude = min(
      log(Double(branch.threshold)) + height, log(4 * Double(peak)))
  }

  /// The natural logarithm of its value at a pixel.
  func logValue(_ column: Int32, _ row: Int32) -> Double {
    let (dx, dy) = (Double(column) - x, Double(row) - y)
    return logAmplitude - (cxx * dx * dx + cyy * dy * dy + cxy * dx * dy)
  }
}
