/// Measures what hangs together, in the order of first pixels, and keeps what has the minimum
/// area. Sums run over pixels row by row, in Double, so they come out the same everywhere.
///
/// - Parameter origin: the column and row in the image of the plane's first pixel, from 0.
/// - Throws: `CancellationError`.
func measure(
  _ finder: consuming RunFinder, of plane: Plane, minimumArea: Int, origin: (x: Int, y: Int)
) throws -> [Source] {
  var finder = finder
  var measurements: [SourceSums] = []
  var places = [Int](repeating: 0, count: finder.runs.count)
  for (index, run) in finder.runs.enumerated() {
    if index.isMultiple(of: 4096) { try Task.checkCancellation() }
    let root = finder.root(of: index)
    if root == index {
      places[index] = measurements.count
      measurements.append(SourceSums(column: run.columns.lowerBound, row: run.row))
    }
    measurements[places[root]].add(run, smoothed: finder.smoothedValues, plane: plane)
  }
  return measurements.lazy.filter { $0.area >= minimumArea }.compactMap { $0.source(at: origin) }
}

/// What a source's measures are made of, counted from its first pixel so that moments keep their
/// precision however far from the origin it lies.
struct SourceSums {
  private(set) var area = 0
  private let column: Int
  private let row: Int
  private var weight = 0.0
  private var x = 0.0
  private var y = 0.0
  private var xx = 0.0
  private var yy = 0.0
  private var xy = 0.0
  private var flux = 0.0
  private var peak = -Float.infinity
  private var columns: ClosedRange<Int>
  private var lastRow: Int

  init(column: Int, row: Int) {
    self.column = column
    self.row = row
    columns = column...column
    lastRow = row
  }

  mutating func add(_ run: Run, smoothed: [Float], plane: Plane) {
    let dy = Double(run.row - row)
    for (offset, column) in run.columns.enumerated() {
      let dx = Double(column - self.column)
      let weight = Double(smoothed[run.firstValue + offset])
      let value = plane.values[run.row * plane.width + column]
      self.weight += weight
      x += weight * dx
      y += weight * dy
      xx += weight * dx * dx
      yy += weight * dy * dy
      xy += weight * dx * dy
      flux += Double(value)
      peak = max(peak, value)
    }
    area += run.columns.count
    let (first, last) = (run.columns.lowerBound, run.columns.upperBound - 1)
    columns = min(columns.lowerBound, first)...max(columns.upperBound, last)
    lastRow = run.row
  }

  /// The source; `nil` if its numbers went out of range, which only values near the largest do.
  func source(at origin: (x: Int, y: Int)) -> Source? {
    let (dx, dy) = (x / weight, y / weight)
    let source = Source(
      x: Double(origin.x + column + 1) + dx, y: Double(origin.y + row + 1) + dy,
      xx: max(0, xx / weight - dx * dx), yy: max(0, yy / weight - dy * dy),
      xy: xy / weight - dx * dy,
      flux: flux, peak: peak, area: Int32(area),
      xMin: Int32(origin.x + columns.lowerBound + 1), yMin: Int32(origin.y + row + 1),
      xMax: Int32(origin.x + columns.upperBound + 1), yMax: Int32(origin.y + lastRow + 1))
    let measures = [source.x, source.y, source.xx, source.yy, source.xy, source.flux]
    return measures.allSatisfy(\.isFinite) && peak.isFinite ? source : nil
  }
}
