/// Gives bad pixels, such as those of weight 0, the values and variances of pixels nearby, as SExtractor does by default
/// (INTERP_TYPE ALL, INTERP_MAXXLAG and INTERP_MAXYLAG 16; `interpolate` in its source).
///
/// Such a pixel gets what the last pixel with a weight has that lies before it in its row, up to
/// ``lag`` pixels away. Otherwise it gets what the pixel in the row before has, where fewer than
/// ``lag`` pixels of the column have got theirs in this way since the last one with a weight. What is
/// then still without a value stays so.
///
/// SExtractor counts from the last pixel with a weight in the column, however far away it is. Here
/// the count goes back ``memory`` rows, so that a pixel's value depends only on pixels within
/// ``reach``, and is the same however the image is cut. The two differ where a column has no weight
/// for longer than that, and only some of its pixels have one before them in their rows.
enum Interpolation {
  /// The largest distance over which a value is repeated, in pixels.
  static let lag = 16
  /// The number of rows over which the values that came from the row before are counted.
  private static let memory = UInt32.bitWidth
  /// The distance within which a pixel's value is decided, in pixels.
  static let reach = lag + memory

  /// - Parameters:
  ///   - plane: weighted pixels after the background was subtracted.
  ///   - isSaturated: whether each pixel is saturated, or empty. A pixel that gets a value gets this, too.
  static func fill(_ plane: inout Plane, _ isSaturated: inout [Bool]) {
    guard var variances = plane.variances else { return }
    let width = plane.width
    // One bit for each of the last rows: whether the column's pixel had none before it in its row.
    // What lies before the first row counts as such pixels.
    var lacking = [UInt32](repeating: .max, count: width)
    for row in 0..<plane.height {
      var left = 0
      for column in 0..<width {
        let index = row * width + column
        guard variances[index] >= plane.badVariance else {
          left = lag
          lacking[column] = 0
          continue
        }
        let source: Int
        if left > 0 {
          left -= 1
          lacking[column] <<= 1
          source = index - 1
        } else {
          let isAllowed = lacking[column].nonzeroBitCount < lag
          lacking[column] = lacking[column] << 1 | 1
          guard isAllowed, row > 0 else { continue }
          source = index - width
        }
        plane.values[index] = plane.values[source]
        variances[index] = variances[source]
        if !isSaturated.isEmpty { isSaturated[index] = isSaturated[source] }
      }
    }
    plane.variances = variances
  }
}
