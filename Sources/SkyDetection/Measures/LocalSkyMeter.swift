/// Measures the sky around sources in a patch (BACKPHOTO_TYPE LOCAL; the SExtractor manual, "Background
/// estimation").
///
/// The sky is that of a frame around a source's box, in which the box's surroundings are left out. Its
/// level is found as that of a mesh. A frame that extends beyond the image has the level of the
/// background: 0, as that was subtracted.
///
/// Of the pixels over the threshold, whichever source they belong to, those before the last ones of
/// the source's component are left out, and those behind count. That is what SExtractor has erased
/// when it finds the end of a component. The rule needs no more than the component and the frame, so
/// the level is the same in any cut.
struct LocalSkyMeter {
  /// The thickness of the frame, in pixels.
  let thickness: Int
  let kernel: SmoothingKernel
  /// Whether SExtractor erases pixels: without a mask, all count.
  let erases: Bool
  let field: MeterField

  private var estimator = SkyEstimator()
  /// The values in the frame. The array keeps its memory from source to source.
  private var values: [Float] = []

  init(thickness: Int, kernel: SmoothingKernel, erases: Bool, field: MeterField) {
    (self.thickness, self.kernel, self.erases, self.field) = (thickness, kernel, erases, field)
  }

  /// Measures the level around each source of a component, over the background.
  ///
  /// - Parameters:
  ///   - boxes: the rectangles of the sources' pixels in the image.
  ///   - last: the component's last pixel in the image.
  ///   - finder: the pixels over the threshold in the patch, whose values are over the background.
  mutating func measure(
    around boxes: [PixelBox], last: PixelPlace, _ finder: RunFinder
  ) -> MeterOutcome<[Double]> {
    var levels: [Double] = []
    var all = boxes[0]
    for box in boxes {
      switch measure(around: box, last: last, finder) {
      case .measured(let level, _, let box):
        levels.append(level)
        all = all.union(box)
      case .needs(let box): all = all.union(box)
      }
    }
    return levels.count == boxes.count ? .measured(levels, [], all) : .needs(all)
  }

  private mutating func measure(
    around box: PixelBox, last: PixelPlace, _ finder: RunFinder
  ) -> MeterOutcome<Double> {
    let (inner, outer) = frame(around: box)
    guard 0 <= outer.columns.lowerBound, outer.columns.upperBound < field.grid.width,
      0 <= outer.rows.lowerBound, outer.rows.upperBound < field.grid.height
    else { return .measured(0, [], box) }
    guard field.holds(outer) else { return .needs(outer) }
    values.removeAll(keepingCapacity: true)
    let (columns, hole) = (outer.columns, inner.columns)
    for row in outer.rows {
      let end = erased(row, last)
      if inner.rows.contains(row) {
        take(columns.lowerBound..<hole.lowerBound, of: row, erasedUpTo: end, finder)
        take(hole.upperBound..<columns.upperBound, of: row, erasedUpTo: end, finder)
      } else {
        take(columns, of: row, erasedUpTo: end, finder)
      }
    }
    return .measured(estimator.level(of: values) ?? 0, [], outer)
  }

  /// The column before which pixels over the threshold are left out in a row.
  private func erased(_ row: Int, _ last: PixelPlace) -> Int {
    guard erases else { return .min }
    // SExtractor needs the rows under the kernel. Without one, it erases a pixel when it finds it, and
    // the end of the component in the row below.
    if kernel == .none, row == last.row + 1 { return last.column + 1 }
    return row <= last.row - kernel.height / 2 ? .max : .min
  }

  /// The frame's inner and outer rectangles.
  private func frame(around box: PixelBox) -> (inner: PixelBox, outer: PixelBox) {
    func inner(_ range: Range<Int>, _ length: Int) -> Range<Int> {
      let count = range.count
      let border = (count < length / 2 ? count : length - count) / 4
      return range.lowerBound - border..<range.upperBound + border
    }
    let inner = PixelBox(
      columns: inner(box.columns, field.grid.width), rows: inner(box.rows, field.grid.height))
    return (inner, inner.grown(by: thickness))
  }

  /// Takes the values of some columns in a row of the image, but not those over the threshold before
  /// the column `end`. Pixels without values may be among them.
  private mutating func take(
    _ columns: Range<Int>, of row: Int, erasedUpTo end: Int, _ finder: RunFinder
  ) {
    let row = row - field.patch.y
    let start = row * finder.plane.width
    let last = max(columns.lowerBound, min(end, columns.upperBound)) - field.patch.x
    let columns = columns.shifted(by: -field.patch.x)
    var next = columns.lowerBound
    if next < last {
      for run in finder.runs[finder.firstRun(endingAfter: next, row: row)...] {
        guard run.row == row, run.columns.lowerBound < last else { break }
        if next < run.columns.lowerBound {
          values += finder.plane.values[start + next..<start + run.columns.lowerBound]
        }
        next = min(run.columns.upperBound, last)
      }
    }
    if next < columns.upperBound {
      values += finder.plane.values[start + next..<start + columns.upperBound]
    }
  }
}

extension RunFinder {
  /// The index of the first run of a row that ends behind a column, or of the next run if there is none.
  fileprivate func firstRun(endingAfter column: Int, row: Int) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if (runs[middle].row, runs[middle].columns.upperBound) <= (row, column) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
