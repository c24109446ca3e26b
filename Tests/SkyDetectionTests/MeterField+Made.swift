@testable import SkyDetection

/// An image of three stars, the last one at the edge, with what meters need to measure them.
///
/// An independent program has the same image, and computes the numbers that ``MeterTests`` expect from
/// the definitions in the SExtractor manual. It agrees with SExtractor on images of the sky.
struct MadeField {
  static let side = 64
  static let noise = 2.0

  let plane: Plane
  let patch: PixelRectangle
  let field: MeterField
  let noise: PixelNoise
  /// The stars' components, in the order of their first pixels, and the stars as the scan has them before
  /// their surroundings are measured.
  private(set) var components: [Component] = []
  private(set) var sums: [SourceSums] = []
  private(set) var sources: [Source] = []
  private var mask: SourceMask

  /// - Parameters:
  ///   - isWeighted: whether pixels have variances, which grow along x.
  ///   - hasHoles: whether three pixels have no values.
  ///   - scalesGain: whether the gain falls as the variances grow.
  ///   - cut: the part of the image that is in the patch; all, if it is `nil`.
  init(
    isWeighted: Bool = false, hasHoles: Bool = false, scalesGain: Bool = false,
    cut: PixelRectangle? = nil
  ) throws {
    let side = Self.side
    let patch = cut ?? PixelRectangle(x: 0, y: 0, width: side, height: side)
    self.patch = patch
    var plane = Plane(
      width: patch.width, height: patch.height,
      values: Self.values(of: patch, hasHoles: hasHoles))
    if isWeighted {
      plane.variances = patch.rows.flatMap { _ in patch.columns.map { Float(64 + $0) / 64 } }
      for index in plane.values.indices where plane.values[index].isNaN {
        plane.variances?[index] = .infinity
      }
    }
    self.plane = plane
    noise = PixelNoise(noise: Self.noise, unitNoise: Self.noise, gain: 2, scalesGain: scalesGain)
    let grid = SectorGrid(uncutWidth: side, height: side)
    let valid = ValidArea(of: patch, in: grid, reach: 1)
    field = MeterField(patch: patch, validArea: valid, grid: grid)
    var finder = RunFinder(plane, threshold: 18)
    try finder.find()
    let found = Components(finder)
    mask = SourceMask(found, patch: patch)
    var splitter = ComponentSplitter(
      deblender: Deblender(levelCount: 1, contrast: 0.005, minimumArea: 5))
    for number in 0..<found.count {
      var component = Component()
      component.replace(
        by: found[number], of: found.finder, at: PixelPlace(row: patch.y, column: patch.x),
        analysisThreshold: 15)
      let sums = try splitter.sources(in: component)
      components.append(component)
      self.sums += sums
      sources.append(Self.source(sums[0], in: component))
    }
  }

  /// The field's pixels with the mask that a star is measured with.
  mutating func mask(for number: Int) -> SourceMask {
    mask.take(components[number], number: number, owners: [])
    return mask
  }

  private static func values(of patch: PixelRectangle, hasHoles: Bool) -> [Float] {
    let holes = hasHoles ? [30 * side + 31, 25 * side + 24, 36 * side + 28] : []
    return patch.rows.flatMap { row in
      patch.columns.map { column in
        guard !holes.contains(row * side + column) else { return .nan }
        let ripple = Double((column * 37 + row * 101 + column * row * 7) % 23 - 11) * 0.25
        let first = star(300, at: (26.3, 30.6), (9, 6), column, row)
        let second = star(200, at: (39.2, 34.1), (8, 8), column, row)
        return Float(first + second + star(150, at: (2.7, 51.4), (5, 4), column, row) + ripple)
      }
    }
  }

  private static func star(
    _ height: Double, at center: (x: Double, y: Double), _ width: (Double, Double),
    _ column: Int, _ row: Int
  ) -> Double {
    let (dx, dy) = (Double(column) - center.x, Double(row) - center.y)
    let square = 1 + dx * dx / width.0 + dy * dy / width.1
    return height / (square * square)
  }

  private static func source(_ sums: SourceSums, in component: Component) -> Source {
    let spread = sums.moments.spread(about: sums.center)
    let origin = component.origin
    return Source(
      component: origin, part: 0, x: Double(origin.column + 1) + sums.center.x,
      y: Double(origin.row + 1) + sums.center.y, xx: spread.xx, yy: spread.yy, xy: spread.xy,
      flux: sums.flux, variance: 0, isophotal: sums.isophotal,
      xMin: Int32(origin.column + 1), yMin: Int32(origin.row + 1),
      xMax: Int32(origin.column + component.width), yMax: Int32(origin.row + component.height),
      flags: [], apertureFluxes: [])
  }
}

extension MeterOutcome {
  /// The measures; `nil` if the patch lacks pixels.
  var measures: Measures? {
    guard case .measured(let measures, _, _) = self else { return nil }
    return measures
  }

  var flags: Source.Flags? {
    guard case .measured(_, let flags, _) = self else { return nil }
    return flags
  }
}
