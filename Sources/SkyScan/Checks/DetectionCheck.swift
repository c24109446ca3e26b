import SkyDetection
import SkyFITS
import SkyNetCore

/// Checks whether a sector can contain what a system reports for it.
struct DetectionCheck {
  private let settings: SourceScan.Settings
  private let sector: Int
  private let core: PixelRectangle

  /// - Parameter sector: the number of a sector of the grid.
  init(sector: Int, _ settings: SourceScan.Settings) {
    self.settings = settings
    self.sector = sector
    core = settings.grid[sector]
  }

  /// - Throws: ``InvalidScan`` if the sector cannot contain these findings.
  func check(
    _ sources: [Source], _ fragments: [Fragment], _ crowded: [ComponentPlace]
  ) throws {
    let patch = settings.grid.patch(sector)
    guard sources.allSatisfy({ core.holds($0.component) }) else {
      throw InvalidScan("a source that does not belong to sector \(sector)")
    }
    // A component of reported sources is entirely in the patch.
    var budget = SourceBudget(box: PixelBox(columns: patch.columns, rows: patch.rows))
    try budget.check(sources, settings)
    try check(crowded, within: &budget)
    try check(fragments)
  }

  // MARK: Crowded components

  /// Bounds the crowded components: the engaging process reads a patch into memory for each of
  /// them, and sends all patches in one message.
  private func check(_ crowded: [ComponentPlace], within budget: inout SourceBudget) throws {
    var last: PixelPlace?
    var bytes = 0
    for place in crowded {
      let (box, first) = (place.box, place.first)
      guard budget.box.columns.contains(box.columns), budget.box.rows.contains(box.rows),
        core.holds(first), first.row == box.rows.lowerBound, box.columns.contains(first.column),
        last.map({ $0 < first }) ?? true, mayNeedMore(box),
        place.needed.map({ isNeeded($0, around: box) }) ?? true
      else { throw InvalidScan("a component in \(box) that need not be scanned again") }
      // A connected component has at least as many pixels as its box is long.
      try budget.take(max(box.columns.count, box.rows.count, settings.minimumArea))
      bytes += patchBytes(place)
      guard bytes <= WireLimits().bulk else {
        throw InvalidScan("components whose patches do not fit into a message")
      }
      last = first
    }
  }

  /// Whether an ellipse around a component that fills a box may extend beyond the patch.
  private func mayNeedMore(_ box: PixelBox) -> Bool {
    guard settings.detection.measuresBeyondMargin, !box.columns.isEmpty, !box.rows.isEmpty,
      !settings.detection.isTooLarge(box)
    else { return false }
    let room = settings.detection.room(around: box)
    let validArea = ValidArea(
      of: settings.grid.patch(sector), in: settings.grid, reach: settings.detection.reach)
    return validArea.cuts(box.grown(by: room))
  }

  /// Whether measuring a component that fills a box may need the pixels of another box.
  private func isNeeded(_ needed: PixelBox, around box: PixelBox) -> Bool {
    let most = box.grown(by: settings.detection.room(around: box) + 2)
    return most.columns.contains(needed.columns) && most.rows.contains(needed.rows)
      && needed.columns.contains(box.columns) && needed.rows.contains(box.rows)
  }

  private func patchBytes(_ place: ComponentPlace) -> Int {
    let patch = settings.grid.grown(PixelRectangle(place.reach(settings.detection)), by: 0)
    let each =
      settings.coding.format.bytesPerPixel + (settings.weightCoding?.format.bytesPerPixel ?? 0)
    return patch.width * patch.height * each
  }

  // MARK: Fragments

  /// Checks fragments. Each belongs to another component, so they share no pixel.
  private func check(_ fragments: [Fragment]) throws {
    var area = core.width * core.height
    // The bound is one pixel more than the outline has, because a sector may be one row.
    var outline = 2 * (core.width + core.height)
    var outside = outline + 4
    for fragment in fragments {
      guard fragment.isSound(in: core) else {
        throw InvalidScan("a fragment that cannot be one of sector \(sector)")
      }
      area -= fragment.sums.area
      outline -= fragment.outline.reduce(0) { $0 + $1.columns.count }
      outside -= fragment.outside.reduce(0) { $0 + $1.columns.count }
      guard area >= 0, outline >= 0, outside >= 0 else {
        throw InvalidScan("fragments of more pixels than sector \(sector) has")
      }
    }
  }
}

extension Fragment {
  fileprivate func isSound(in core: PixelRectangle) -> Bool {
    func holds(_ run: PixelRun, margin: Int) -> Bool {
      !run.columns.isEmpty
        && run.row >= core.rows.lowerBound - margin && run.row < core.rows.upperBound + margin
        && run.columns.lowerBound >= core.columns.lowerBound - margin
        && run.columns.upperBound <= core.columns.upperBound + margin
    }
    return !box.columns.isEmpty && !box.rows.isEmpty
      && core.columns.contains(box.columns) && core.rows.contains(box.rows)
      && first.row == box.rows.lowerBound && box.columns.contains(first.column)
      && outline.allSatisfy { holds($0, margin: 0) } && outside.allSatisfy { holds($0, margin: 1) }
      && last.map { $0.row == box.rows.upperBound - 1 && box.columns.contains($0.column) } ?? true
      && sums.areSound(in: box)
  }
}
