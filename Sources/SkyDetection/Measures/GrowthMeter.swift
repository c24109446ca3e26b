/// Measures growth curves in a patch.
///
/// A pixel without a value, or of another source, is replaced by the opposite one across the source's
/// centre. A pixel counts for the rings that the centres of its 5 × 5 equal parts are in.
struct GrowthMeter {
  let field: MeterField
  var circles = DetectionSettings.LeastCircles()

  private static let parts = 5
  /// From the edge of a ring, no farther pixel has parts in another ring. Half a pixel's diagonal is
  /// less.
  private static let margin = 0.75
  /// How far beyond the largest circle SExtractor reads pixels: those decide whether the image cuts it.
  private static let surroundings = 1.5

  /// Measures a source of the component that the mask has taken, as far as the curve tells the radii that hold some
  /// fluxes: most light is near the centre, and rings farther out have the most pixels. The flags have
  /// ``Source/Flags/incompleteAperture`` if the largest circle extends beyond the image.
  func measure(
    _ source: Source, holding fluxes: [Double], in plane: Plane, _ mask: SourceMask
  ) -> MeterOutcome<GrowthCurve> {
    let limit = Self.limit(of: source, circles)
    let box = Self.reach(of: source, circles)
    guard field.holds(box) else { return .needs(box) }
    let curve = mask.withPixels(of: source, in: plane) { pixels in
      var rings: [Double] = []
      for count in [GrowthCurve.count / 4, GrowthCurve.count / 2] {
        add(upTo: count, to: &rings, source.x, source.y, limit, pixels)
        let curve = GrowthCurve(limit: limit, rings: rings)
        if fluxes.allSatisfy(curve.reaches) { return curve }
      }
      add(upTo: GrowthCurve.count, to: &rings, source.x, source.y, limit, pixels)
      return GrowthCurve(limit: limit, rings: rings)
    }
    let isCut = field.isCut(x: source.x, y: source.y, radius: limit + Self.surroundings)
    return .measured(curve, isCut ? .incompleteAperture : [], box)
  }

  /// The pixels that a source's growth curve depends on.
  static func reach(
    of source: Source, _ circles: DetectionSettings.LeastCircles
  ) -> PixelBox {
    PixelBox(around: source.x, source.y, radius: limit(of: source, circles) + margin)
  }

  private static func limit(
    of source: Source, _ circles: DetectionSettings.LeastCircles
  ) -> Double {
    max(DetectionSettings.Kron.extent * SourceEllipse(source).semiMajorAxis, circles.search)
  }

  /// Adds the fluxes in the rings after the known ones, up to a number of rings.
  private func add(
    upTo count: Int, to known: inout [Double], _ x: Double, _ y: Double, _ limit: Double,
    _ pixels: SourcePixels
  ) {
    let density = Double(GrowthCurve.count) / limit
    let step = 1 / density
    let added = known.count..<count
    let inner = max(0, Double(added.lowerBound) * step - Self.margin)
    let outer = Double(count) * step + Self.margin
    let box = PixelBox(around: x, y, radius: outer)
    let columns = box.columns.clamped(to: field.patch.columns)
    known += repeatElement(0, count: added.count)
    known.withUnsafeMutableBufferPointer { rings in
      for row in box.rows.clamped(to: field.patch.rows) {
        let dy = Double(row + 1) - y
        for column in columns {
          let dx = Double(column + 1) - x
          let square = dx * dx + dy * dy
          guard square < outer * outer, square >= inner * inner else { continue }
          let value = pixels.measured(column, row).value
          // Where rings are narrow, each pixel is near an edge.
          if step > 2 * Self.margin {
            let distance = square.squareRoot()
            let ring = Int(distance * density)
            let place = distance - Double(ring) * step
            if place >= Self.margin, place <= step - Self.margin {
              if added.contains(ring) { rings[ring] += value }
              continue
            }
          }
          Self.addParts(of: value, dx, dy, density, to: added, of: rings)
        }
      }
    }
  }

  /// Adds a pixel's parts to the rings that their centres are in.
  @inline(__always)
  private static func addParts(
    of value: Double, _ dx: Double, _ dy: Double, _ density: Double, to added: Range<Int>,
    of rings: UnsafeMutableBufferPointer<Double>
  ) {
    let width = 1 / Double(parts)
    let first = 0.5 * width - 0.5
    let share = value / Double(parts * parts)
    for row in 0..<parts {
      let y = dy + first + Double(row) * width
      for column in 0..<parts {
        let x = dx + first + Double(column) * width
        let ring = Int((x * x + y * y).squareRoot() * density)
        if added.contains(ring) { rings[ring] += share }
      }
    }
  }
}
