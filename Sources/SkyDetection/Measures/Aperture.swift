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

  /// Sums a source's pixels, row by row. Where they have no values, or are others' light, the opposite
  /// ones stand for them; what is outside of the image is dark.
  ///
  /// - Parameters:
  ///   - plane: the pixels of a patch of the image.
  ///   - mask: which of them are others'.
  func flux(of source: Source, in plane: Plane, _ mask: SourceMask) -> Double {
    sum(x: source.x, y: source.y, in: mask.patch) { column, row in
      mask.value(column, row, of: source.part, plane)
        ?? mask.opposite(column, row, of: source, plane)
    }
  }

  /// Sums a plane's pixels, row by row, whosever they are.
  ///
  /// - Parameter patch: where in the image the plane is.
  func flux(of source: Source, in plane: Plane, from patch: PixelRectangle) -> Double {
    sum(x: source.x, y: source.y, in: patch) { column, row in
      let value = plane.values[(row - patch.y) * plane.width + column - patch.x]
      return value.isNaN ? 0 : Double(value)
    }
  }

  /// Whether it reaches out of an image.
  func isCut(x: Double, y: Double, by grid: SectorGrid) -> Bool {
    func isCut(_ center: Double, _ length: Int) -> Bool {
      // A pixel that is cut by less than its half does not count.
      Int(center - 1 - radius + 0.499999) < 0 || Int(center - 1 + radius + 1.499999) > length
    }
    return isCut(x, grid.width) || isCut(y, grid.height)
  }

  /// The pixels along an axis that it may have a part in, as FITS counts.
  private func pixels(_ center: Double) -> Range<Int> {
    Int((center - radius).rounded())..<Int((center + radius).rounded()) + 1
  }

  /// Sums the values of a patch's pixels, in columns and rows from 0, by their parts inside.
  private func sum(
    x: Double, y: Double, in patch: PixelRectangle, _ value: (_ column: Int, _ row: Int) -> Double
  ) -> Double {
    var flux = 0.0
    let inner = max(0, radius - Self.halfDiagonal)
    let outer = radius + Self.halfDiagonal
    for row in pixels(y).clamped(to: patch.rows.shifted(by: 1)) {
      let dy = Double(row) - y
      for column in pixels(x).clamped(to: patch.columns.shifted(by: 1)) {
        let dx = Double(column) - x
        let square = dx * dx + dy * dy
        guard square < outer * outer else { continue }
        let share = square < inner * inner ? 1 : self.share(dx, dy)
        if share > 0 { flux += share * value(column - 1, row - 1) }
      }
    }
    return flux
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
