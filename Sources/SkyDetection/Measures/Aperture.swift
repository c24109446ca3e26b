/// A circle in which a source's flux is measured.
///
/// A pixel on the edge counts by how many of its 5 × 5 equal parts have their centres inside the
/// circle. That number is the same on every machine.
struct Aperture {
  private static let parts = 5
  /// Half a pixel's diagonal, and a little more.
  private static let halfDiagonal = 0.7072
  /// The distance from the circle up to which SExtractor counts a pixel as one on the edge.
  private static let edge = 0.75

  let radius: Double

  /// The distance from the centre's pixel up to which pixels are needed.
  var reach: Int { Int((radius + 0.5).rounded(.up)) }

  /// Sums a source's pixels, row by row. A pixel without a value, or with another source's light,
  /// is replaced by the opposite one across the source's centre. Pixels outside of the image count
  /// as zero. The sky around the source is subtracted from every pixel.
  ///
  /// - Parameters:
  ///   - plane: the pixels of a patch of the image.
  ///   - mask: which of these pixels belong to other sources.
  func flux(of source: Source, in plane: Plane, _ mask: SourceMask) -> Double {
    let sky = source.localBackground ?? 0
    return mask.withPixels(of: source, in: plane) { pixels in
      sum(x: source.x, y: source.y, in: mask.patch) { column, row in
        (pixels.value(at: pixels.index(column, row)) ?? pixels.opposite(column, row)) - sky
      }
    }
  }

  /// Sums a plane's pixels, row by row, whichever source they belong to.
  ///
  /// - Parameter patch: the plane's place in the image.
  func flux(of source: Source, in plane: Plane, from patch: PixelRectangle) -> Double {
    sum(x: source.x, y: source.y, in: patch) { column, row in
      plane.usableValue(at: (row - patch.y) * plane.width + column - patch.x) ?? 0
    }
  }

  /// The flux of a source, as ``flux(of:in:_:)`` sums it, and its variance.
  func fluxAndVariance(
    of source: Source, in plane: Plane, _ mask: SourceMask, _ noise: PixelNoise
  ) -> (flux: Double, variance: Double) {
    let flux = flux(of: source, in: plane, mask)
    let sum = mask.withPixels(of: source, in: plane) { pixels in
      variance(x: source.x, y: source.y, in: mask.patch, noise) { pixels.measured($0, $1) }
    }
    return (flux, sum + noise.photons(ofFlux: flux))
  }

  /// The flux of a source, as ``flux(of:in:from:)`` sums it, and its variance.
  func fluxAndVariance(
    of source: Source, in plane: Plane, from patch: PixelRectangle, _ noise: PixelNoise
  ) -> (flux: Double, variance: Double) {
    let flux = flux(of: source, in: plane, from: patch)
    let sum = variance(x: source.x, y: source.y, in: patch, noise) { column, row in
      let index = (row - patch.y) * plane.width + column - patch.x
      if let value = plane.usableValue(at: index) { return (value, plane.variance(at: index)) }
      return (0, plane.variances == nil ? 1 : 0)
    }
    return (flux, sum + noise.photons(ofFlux: flux))
  }

  /// Sums the variances of a patch's pixels, row by row. As in SExtractor, photons that count by pixel
  /// count whole for each pixel on the edge.
  @inline(__always)
  private func variance(
    x: Double, y: Double, in patch: PixelRectangle, _ noise: PixelNoise,
    _ pixel: (_ column: Int, _ row: Int) -> (value: Double, variance: Double)
  ) -> Double {
    var sum = 0.0
    let inner = max(0, radius - Self.halfDiagonal)
    let outer = radius + Self.edge
    for row in pixels(y).clamped(to: patch.rows.shifted(by: 1)) {
      let dy = Double(row) - y
      for column in pixels(x).clamped(to: patch.columns.shifted(by: 1)) {
        let dx = Double(column) - x
        let square = dx * dx + dy * dy
        guard square < outer * outer else { continue }
        let share = square < inner * inner ? 1 : self.share(dx, dy)
        let (value, relative) = pixel(column - 1, row - 1)
        let variance = relative * noise.unitVariance
        sum += share * variance + noise.photons(ofPixel: value, variance: variance)
      }
    }
    return sum
  }

  /// Whether the circle extends beyond the edge of the image.
  func isCut(x: Double, y: Double, by grid: SectorGrid) -> Bool {
    func isCut(_ center: Double, _ length: Int) -> Bool {
      // A pixel that is cut by less than half does not count.
      Int(center - 1 - radius + 0.499999) < 0 || Int(center - 1 + radius + 1.499999) > length
    }
    return isCut(x, grid.width) || isCut(y, grid.height)
  }

  /// The pixels along an axis that the circle may overlap, numbered from 1 as in FITS.
  private func pixels(_ center: Double) -> Range<Int> {
    Int((center - radius).rounded())..<Int((center + radius).rounded()) + 1
  }

  /// Sums the values of a patch's pixels, each weighted with its fraction inside the circle.
  /// Columns and rows count from 0.
  @inline(__always)
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

  /// The fraction of a pixel inside the circle, from the distance of the pixel's centre.
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
