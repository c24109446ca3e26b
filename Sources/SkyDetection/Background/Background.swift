// What this file codes is frozen by the version of `SourceScan.kind`.

/// The background of an image: the sky's level at each pixel, and the sky's noise.
///
/// The level is estimated on meshes. Each mesh's level is replaced by the median of itself
/// and its neighbours, and SExtractor's bicubic spline interpolates between the meshes' centres; see
/// `CubicSpline`. The noise is the median of the meshes' noise (Bertin & Arnouts 1996, A&AS 117,
/// 393). Where that is 0, because most of the image is constant, it is the median of the noises over
/// 0, and 1 if there are none.
///
/// The spline runs over the whole image, so it needs all meshes. Its values in a rectangle follow
/// from a few numbers at the surrounding nodes: the rectangle's `patch(of:)`.
public struct Background: Codable, Sendable {
  /// The standard deviation of a typical pixel of empty sky, in the image's units.
  public let noise: Double
  /// The standard deviation of a pixel of weight 1. Without weights, all pixels have it.
  package let unitNoise: Double
  /// Whether the image is constant on at least half of its meshes, or has too few values on all of
  /// them. The noise is then that of the meshes that are not constant, or 1 if there are none.
  public let isMainlyConstant: Bool
  /// The size of a mesh.
  let mesh: DetectionSettings.MeshSize
  /// The level of all pixels, if it was not estimated.
  private let givenLevel: Double?
  /// The level at the nodes, which are the meshes' centres.
  private let levels: MeshGrid
  /// A sixth of the level's second derivatives at the nodes: along x, along y, and along both.
  private let bendsX: MeshGrid
  private let bendsY: MeshGrid
  private let bendsXY: MeshGrid
  /// Where the noise stands for weights: the noise at the nodes, and a sixth of its second
  /// derivatives along x, along y, and along both. Otherwise `nil`.
  private let noises: [MeshGrid]?
  /// The median of the levels, in the image's units.
  package var medianLevel: Double { givenLevel ?? median(levels.values) }

  package init(_ meshes: MeshEstimates, _ settings: DetectionSettings) {
    let (weighting, hasEstimates) = (settings.weighting, meshes.values.contains { $0 != nil })
    let sky = FilteredSky(meshes.filled, settings.meshFilter)
    let noises = sky.noises.values
    let noise = median(noises)
    var typicalNoise = noise > 0 ? noise : Self.typical(noises.filter { $0 > 0 })
    var unitNoise: Double?
    if weighting.kind == .deviation || weighting.kind == .background {
      unitNoise = 1
    } else if let variances = sky.variances {
      // A mesh without a variance tells nothing of the ratio, as one without noise.
      let ratios = zip(noises, variances.values)
        .map { noise, variance in variance > 0 ? noise / variance.squareRoot() : 0 }
      let ratio = Self.typical(ratios.filter { $0 > 0 })
      // As in SExtractor, noise is in units of the ratio where weights are taken as they are.
      if !weighting.rescales { typicalNoise /= ratio }
      unitNoise = weighting.rescales ? ratio : 1
    }
    self.init(
      levels: sky.levels, noise: typicalNoise, unitNoise: unitNoise,
      noises: weighting.kind == .background ? sky.noises : nil, mesh: settings.mesh,
      givenLevel: settings.backgroundLevel,
      isMainlyConstant: noise <= 0 || !hasEstimates)
  }

  /// The median, or 1 if there is no number.
  private static func typical(_ numbers: [Double]) -> Double {
    numbers.isEmpty ? 1 : median(numbers)
  }

  init(
    levels: MeshGrid, noise: Double, unitNoise: Double? = nil, noises: MeshGrid? = nil,
    mesh: DetectionSettings.MeshSize, givenLevel: Double? = nil, isMainlyConstant: Bool = false
  ) {
    self.levels = levels
    self.noise = noise
    self.unitNoise = unitNoise ?? noise
    self.mesh = mesh
    self.givenLevel = givenLevel
    self.isMainlyConstant = isMainlyConstant
    bendsX = levels.rowCurvatures
    bendsY = levels.columnCurvatures
    bendsXY = bendsX.columnCurvatures
    self.noises = noises.map { noises in
      let bends = noises.rowCurvatures
      return [noises, bends, noises.columnCurvatures, bends.columnCurvatures]
    }
  }

  /// The level at the pixels of a rectangle of the image, row by row, in the image's units.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func levels(in rectangle: PixelRectangle) throws -> [Float] {
    let (width, height) = (rectangle.width, rectangle.height)
    var plane = Plane(
      width: width, height: height, values: [Float](repeating: 0, count: width * height))
    try patch(of: rectangle).subtract(from: &plane, at: (rectangle.x, rectangle.y))
    return plane.values.map { -$0 }
  }

  /// The level that a catalogue has for a source, in the image's units (BACKGROUND). As in SExtractor,
  /// it is the level at the pixel that holds the source's centre, by straight lines between the nodes
  /// instead of the spline; a level that is given does not count.
  ///
  /// - Parameters:
  ///   - x: the source's column, from 1 at the centre of the first pixel.
  ///   - y: its row, likewise.
  public func level(nearX x: Double, y: Double) -> Double {
    func place(_ center: Double, _ side: Int, _ count: Int) -> (node: Int, offset: Double) {
      let pixel = (center - 0.5).rounded(.towardZero)
      let position = pixel / Double(side) - 0.5
      let node = max(0, min(count - 2, Int(position.rounded(.down))))
      return (node, count > 1 ? position - Double(node) : 0)
    }
    guard x.isFinite, y.isFinite else { return 0 }
    let column = place(x, mesh.width, levels.columns)
    let row = place(y, mesh.height, levels.rows)
    func level(row: Int) -> Double {
      let left = levels[column.node, row]
      guard levels.columns > 1 else { return left }
      return left + column.offset * (levels[column.node + 1, row] - left)
    }
    let top = level(row: row.node)
    guard levels.rows > 1 else { return top }
    return top + row.offset * (level(row: row.node + 1) - top)
  }

  /// The numbers that make the background in a rectangle of the image.
  package func patch(of rectangle: PixelRectangle) -> BackgroundPatch {
    func column(_ x: Int) -> Int {
      NodePosition(column: x, meshWidth: mesh.width, nodes: 0..<levels.columns).node
    }
    func row(_ y: Int) -> Int {
      NodePosition(row: y, meshHeight: mesh.height, nodes: 0..<levels.rows).node
    }
    let lastColumn = column(rectangle.x + rectangle.width - 1)
    let lastRow = row(rectangle.y + rectangle.height - 1)
    // The nodes between which the pixels lie.
    let columns = column(rectangle.x)..<min(levels.columns, lastColumn + 2)
    let rows = row(rectangle.y)..<min(levels.rows, lastRow + 2)
    func numbers(_ grids: [MeshGrid]) -> [Double] {
      grids.flatMap { grid in rows.flatMap { row in columns.map { grid[$0, row] } } }
    }
    let count = columns.count * rows.count
    let given = givenLevel.map {
      [Double](repeating: $0, count: count) + [Double](repeating: 0, count: 3 * count)
    }
    return BackgroundPatch(
      noise: noise, unitNoise: unitNoise, mesh: mesh, firstColumn: columns.lowerBound,
      columnCount: columns.count, firstRow: rows.lowerBound, rowCount: rows.count,
      nodes: given ?? numbers([levels, bendsX, bendsY, bendsXY]),
      noiseNodes: numbers(noises ?? []))
  }

  /// Whether the numbers fit together and are possible for an image of this size. A background that
  /// was read from a file can hold any numbers.
  package func isSound(width: Int, height: Int, _ settings: DetectionSettings) -> Bool {
    guard mesh == settings.mesh, givenLevel == settings.backgroundLevel, mesh.shorterSide > 0
    else { return false }
    let size = MeshEstimates.size(width: width, height: height, mesh: mesh)
    let largest = Double(Plane.largestValue)
    return [noise, unitNoise].allSatisfy { $0 > 0 && $0.isFinite }
      && abs(givenLevel ?? 0) <= largest && noises?.count ?? 4 == 4
      && ([levels, bendsX, bendsY, bendsXY] + (noises ?? [])).allSatisfy { grid in
        grid.columns == size.columns && grid.rows == size.rows
          && grid.values.count == size.columns * size.rows
          && grid.values.allSatisfy { abs($0) <= largest }
      }
  }
}

/// A pixel's position between two nodes.
struct NodePosition {
  /// The node before the pixel, or the first node.
  let node: Int
  /// The distance from that node to the pixel, in units of a mesh. The outermost pieces of the
  /// spline continue beyond the outermost nodes.
  let offset: Double

  /// The position of a column's centre.
  init(column: Int, meshWidth: Int, nodes: Range<Int>) {
    self.init((Double(column) + 0.5) / Double(meshWidth), nodes)
  }

  /// The position of a row. As in SExtractor, it is that of the row's edge before its centre, so that
  /// the background lies half a pixel too far along y.
  init(row: Int, meshHeight: Int, nodes: Range<Int>) {
    self.init(Double(row) / Double(meshHeight), nodes)
  }

  /// - Parameter place: the distance from the image's edge, in units of a mesh.
  private init(_ place: Double, _ nodes: Range<Int>) {
    let position = place - 0.5
    node = max(nodes.lowerBound, min(nodes.upperBound - 2, Int(position.rounded(.down))))
    offset = nodes.count > 1 ? position - Double(node) : 0
  }
}

/// The median. For an even number of values it is the mean of the middle two. There must be at
/// least one value.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
