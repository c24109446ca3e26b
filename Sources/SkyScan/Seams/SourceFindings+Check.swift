extension SourceFindings {
  /// What a system says it found can be joined, measured and written only if it is possible at all.
  ///
  /// - Parameter sector: whose findings they are.
  /// - Throws: ``InvalidScan`` if they cannot be those of the sector.
  func check(_ sector: Int, _ settings: SourceSettings) throws {
    let core = settings.grid[sector]
    let isSound =
      switch self {
      case .background(let skies):
        skies.allSatisfy { $0?.isSound ?? true }
      case .sources(let list, let fragments, let crowded):
        list.sources.allSatisfy {
          core.holds($0.component) && $0.apertureFluxes.count == settings.apertures.count
        }
          && fragments.allSatisfy { $0.isSound(in: core) }
          && crowded.allSatisfy { core.holds($0.first) && settings.grid.holds($0.box) }
      }
    guard isSound else { throw InvalidScan("findings that cannot be those of sector \(sector)") }
  }
}

extension MeshSky {
  fileprivate var isSound: Bool {
    abs(level) <= Double(PixelCoding.largestValue) && noise >= 0
      && noise <= Double(PixelCoding.largestValue)
      && variance.map { $0 > 0 && $0.isFinite } ?? true
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
    return core.holds(first) && !box.columns.isEmpty && !box.rows.isEmpty
      && core.columns.contains(box.columns) && core.rows.contains(box.rows)
      && outline.allSatisfy { holds($0, margin: 0) } && outside.allSatisfy { holds($0, margin: 1) }
      && sums.areSound(pixels: core.width * core.height)
  }
}

extension SectorGrid {
  fileprivate func holds(_ box: PixelBox) -> Bool {
    !box.columns.isEmpty && !box.rows.isEmpty && (0..<width).contains(box.columns)
      && (0..<height).contains(box.rows)
  }
}
