/// The flux within a circle.
///
/// Pixels on its edge count by how many of their 5 × 5 equal parts have their centres inside, which
/// is the same number on every machine.
struct Aperture {
  private static let parts = 5
  /// Half a pixel's diagonal, and a little more.
  private static let halfDiagonal = 0.7072

  let radius: Double

  /// How far from the centre's pixel it needs pixels.
  var reach: Int { Int((radius + 0.5).rounded(.up)) }

  /// Sums a plane's pixels, row by row.
  ///
  /// - Parameters:
  ///   - plane: the pixels of a patch of the image.
  ///   - x: the centre in the image, counted as FITS does.
  ///   - y: the same.
  /// - Returns: the flux, and whether all pixels are there and have values.
  func flux(
    in plane: Plane, of patch: PixelRectangle, x: Double, y: Double
  ) -> (flux: Double, isComplete: Bool) {
    var (flux, isComplete) = (0.0, true)
    let inner = max(0, radius - Self.halfDiagonal)
    let outer = radius + Self.halfDiagonal
    let rows = Int((y - radius).rounded())...Int((y + radius).rounded())
    let columns = Int((x - radius).rounded())...Int((x + radius).rounded())
    for row in rows {
      let dy = Double(row) - y
      for column in columns {
        let dx = Double(column) - x
        let square = dx * dx + dy * dy
        guard square < outer * outer else { continue }
        let share = square < inner * inner ? 1 : self.share(dx, dy)
        guard share > 0 else { continue }
        guard patch.rows.contains(row - 1), patch.columns.contains(column - 1) else {
          isComplete = false
          continue
        }
        let value = plane.values[(row - 1 - patch.y) * plane.width + column - 1 - patch.x]
        if value.isNaN { isComplete = false } else { flux += share * Double(value) }
      }
    }
    return (flux, isComplete)
  }

  /// The part of a pixel that is inside, by where its centre lies from the circle's.
  private func share(_ dx: Double, _ dy: Double) -> Double {
    let step = 1 / Double(Self.parts)
    let first = 0.5 * step - 0.5
    var count = 0
    for row in 0..<Self.parts {
      let y = dy + first + Double(row) * step
      for column in 0..<Self.parts {
        let x = dx + first + Double(column) * step
        if x * x + y * y < radius * radius { count += 1 }
      }
    }
    return Double(count) / Double(Self.parts * Self.parts)
  }
}
