extension PatchScan {
  /// The part of a component in a sector; `nil` if it has no pixel there.
  func fragment(of number: Int, in core: PixelRectangle) -> Fragment? {
    var box: PixelBox?
    var first: PixelPlace?
    var last: PixelPlace?
    var outline: [PixelRun] = []
    var outside: [PixelRun] = []
    for run in runs(of: number) {
      outside += run.parts(around: core)
      guard let inside = run.clipped(to: core) else { continue }
      first = first ?? PixelPlace(row: inside.row, column: inside.columns.lowerBound)
      let end = PixelPlace(row: inside.row, column: inside.columns.upperBound - 1)
      last = max(last ?? end, end)
      let place = PixelBox(columns: inside.columns, rows: inside.row..<inside.row + 1)
      box = box?.union(place) ?? place
      outline += inside.parts(onOutlineOf: core)
    }
    guard let box, let first else { return nil }
    return Fragment(
      box: box, first: first, outline: outline, outside: outside,
      sums: sums(of: number, in: core),
      last: settings.measures.contains(.componentEnds) ? last : nil)
  }
}

extension PixelRun {
  /// The part of the run in a rectangle; `nil` if it is empty.
  func clipped(to core: PixelRectangle) -> PixelRun? {
    guard core.rows.contains(row) else { return nil }
    let columns = columns.clamped(to: core.columns)
    return columns.isEmpty ? nil : PixelRun(row: row, columns: columns)
  }

  /// The parts of a run within a rectangle that are in the rectangle's outermost rows and columns.
  fileprivate func parts(onOutlineOf core: PixelRectangle) -> [PixelRun] {
    if row == core.rows.lowerBound || row == core.rows.upperBound - 1 { return [self] }
    return pixels(in: [core.columns.lowerBound, core.columns.upperBound - 1])
  }

  /// The parts of the run that touch a rectangle from outside, by an edge or a corner.
  fileprivate func parts(around core: PixelRectangle) -> [PixelRun] {
    let (left, right) = (core.columns.lowerBound - 1, core.columns.upperBound)
    if row == core.rows.lowerBound - 1 || row == core.rows.upperBound {
      let columns = columns.clamped(to: left..<right + 1)
      return columns.isEmpty ? [] : [PixelRun(row: row, columns: columns)]
    }
    return core.rows.contains(row) ? pixels(in: [left, right]) : []
  }

  private func pixels(in wanted: Set<Int>) -> [PixelRun] {
    wanted.sorted().filter(columns.contains).map { PixelRun(row: row, columns: $0..<$0 + 1) }
  }
}

extension PixelRectangle {
  package func holds(_ place: PixelPlace) -> Bool {
    columns.contains(place.column) && rows.contains(place.row)
  }
}
