/// Smooths a plane with [1 2 1; 2 4 2; 1 2 1]/16, row by row; outside the plane, and where there
/// is no value, it counts zero.
///
/// It is SExtractor's default mask: being about as wide as a star's image, it lets faint ones stand
/// out from the noise (Bertin & Arnouts 1996, A&AS 117, 393; the SExtractor manual, "Filtering").
struct Smoother {
  private let plane: Plane
  private var columnSums: [Float]

  init(_ plane: Plane) {
    self.plane = plane
    columnSums = [Float](repeating: 0, count: plane.width)
  }

  /// Writes the smoothed row.
  mutating func smooth(row: Int, into smoothed: inout [Float]) {
    let width = plane.width
    for column in 0..<width {
      columnSums[column] = 2 * value(row * width + column)
    }
    if row > 0 { add(row: row - 1) }
    if row < plane.height - 1 { add(row: row + 1) }
    let sums = columnSums
    for column in 0..<width {
      let left = column > 0 ? sums[column - 1] : 0
      let right = column < width - 1 ? sums[column + 1] : 0
      smoothed[column] = (left + 2 * sums[column] + right) * 0.0625
    }
  }

  private mutating func add(row: Int) {
    let start = row * plane.width
    for column in 0..<plane.width { columnSums[column] += value(start + column) }
  }

  @inline(__always)
  private func value(_ index: Int) -> Float {
    let value = plane.values[index]
    return value.isNaN ? 0 : value
  }
}
