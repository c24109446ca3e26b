extension PatchScan {
  /// The findings of a sector: the sources of components that are entirely in its patch, the
  /// fragments of other components, and the *crowded* components, whose measures need more of the
  /// image around them.
  ///
  /// - Parameter number: the sector that the patch is around.
  /// - Throws: `CancellationError` if the task is cancelled.
  package func findings(
    ofSector number: Int
  ) throws -> (sources: [Source], fragments: [Fragment], crowded: [ComponentPlace]) {
    let core = grid[number]
    var sources: [Source] = []
    var fragments: [Fragment] = []
    var crowded: [ComponentPlace] = []
    for index in 0..<components.count {
      if index.isMultiple(of: 256) { try Task.checkCancellation() }
      let (box, first, area) = extent(of: index)
      if isSeenWhole(box, first) {
        guard area >= settings.minimumArea, core.holds(first) else { continue }
        switch try measures(of: index, first: first) {
        case .sources(let found): sources += found
        case .needs(let needed):
          crowded.append(ComponentPlace(first: first, box: box, needed: needed))
        }
      } else if let fragment = fragment(of: index, in: core) {
        fragments.append(fragment)
      }
    }
    return (sources, fragments, crowded)
  }

  /// Whether the sector that owns a component has all of it in its patch, with the margin that is
  /// needed around it. Every sector that sees a part of the component gets the same answer, or does
  /// not see all of the component itself.
  private func isSeenWhole(_ box: PixelBox, _ first: PixelPlace) -> Bool {
    guard !validArea.cuts(box) else { return false }
    let owner = grid.number(x: first.column, y: first.row)
    return grid.patch(owner).holds(grid.grown(PixelRectangle(box), by: settings.margin))
  }

  /// The sources of the component that begins at a pixel; `nil` if the patch has too little of the
  /// image around the component to measure them.
  ///
  /// - Throws: ``InvalidScan`` if no component begins there; `CancellationError` if the task is
  ///   cancelled.
  package func sources(ofComponentAt first: PixelPlace) throws -> [Source]? {
    guard let number = number(ofComponentAt: first) else {
      throw InvalidScan("no component begins at column \(first.column), row \(first.row)")
    }
    let (box, _, area) = extent(of: number)
    guard area >= settings.minimumArea else { return [] }
    return validArea.cuts(box) ? nil : try measures(of: number, first: first).sources
  }
}
