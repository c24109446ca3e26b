import SkyDetection
public import SkyNetCore

/// Whether what a system says it found can be that at all.
extension ImageJob {
  /// By how many meshes, sources, fragments and crowded components there can be, and what each takes.
  public func outputLimit(for task: TaskID) -> OutputLimit {
    let core = settings.grid[task.sector]
    guard task.pass != Pass.background else {
      let meshes = MeshEstimates(width: core.width, height: core.height, side: settings.meshSide)
      return OutputLimit(json: 4096 + 128 * meshes.columns * meshes.rows, bulk: 0)
    }
    let patch = settings.grid.patch(task.sector)
    if task.pass == Pass.cleaned {
      let known = (cleaned?.requests[task.sector] ?? []).map(\.known.count).reduce(0, +)
      return OutputLimit(json: 4096, bulk: SourceList.limit(of: known, settings))
    }
    guard task.pass == Pass.detection else {
      let bulk = (requests[task.sector] ?? []).reduce(0) { bytes, request in
        let pixels = request.box.columns.count * request.box.rows.count
        return bytes + SourceList.limit(inPixels: pixels, settings)
      }
      return OutputLimit(json: 4096, bulk: bulk)
    }
    let pixels = patch.width * patch.height
    // What is not seen whole touches the sector's outline, or comes as near to it as the margin
    // reaches out of the patch.
    let band = max(1, settings.detection.margin - settings.grid.halo)
    let fragments = 2 * (core.width + core.height) * band
    let crowded = settings.kron == nil ? 0 : pixels / settings.minimumArea
    return OutputLimit(
      json: 4096 + 640 * fragments + 96 * crowded,
      bulk: SourceList.limit(inPixels: pixels, settings))
  }

  /// Each pixel is one component's at most, so what is told of all of them together is no more than
  /// the sector's, or its patch's, pixels: that bounds every count and every sum, before any of them
  /// is used.
  ///
  /// - Throws: ``InvalidScan`` if the findings cannot be those of the task.
  public func check(_ output: SourceFindings, for task: TaskID) throws {
    guard (0..<sectorCount).contains(task.sector) else {
      throw InvalidScan("findings of sector \(task.sector), of \(sectorCount)")
    }
    switch (task.pass, output.found) {
    case (Pass.background, .background(let skies)):
      try check(skies, of: task.sector)
    case (Pass.detection, .sources(let list, let fragments, let crowded)):
      // Without a background there was nothing to find anything in.
      guard background != nil || list.sources.isEmpty && fragments.isEmpty && crowded.isEmpty
      else { throw InvalidScan("sources without a background") }
      try DetectionCheck(sector: task.sector, settings).check(list.sources, fragments, crowded)
    case (Pass.components, .sources(let list, let fragments, let crowded)):
      guard fragments.isEmpty, crowded.isEmpty else {
        throw InvalidScan("fragments of what was to be scanned whole")
      }
      try check(list.sources, foundOf: requests[task.sector] ?? [])
    case (Pass.cleaned, .sources(let list, let fragments, let crowded)):
      let known = (cleaned?.requests[task.sector] ?? []).flatMap(\.known)
      guard fragments.isEmpty, crowded.isEmpty, list.sources.count == known.count,
        zip(list.sources, known).allSatisfy({
          $0.isSound(settings) && $0.isMeasuredAgain(as: $1)
        })
      else { throw InvalidScan("other sources than those that were to be measured again") }
    default: throw InvalidScan("the findings are not those of pass \(task.pass)")
    }
  }

  private func check(_ skies: [MeshSky?], of sector: Int) throws {
    let (core, side) = (settings.grid[sector], settings.meshSide)
    let meshes = MeshEstimates(width: core.width, height: core.height, side: side)
    guard skies.count == meshes.columns * meshes.rows else {
      throw InvalidScan("\(skies.count) meshes in \(core)")
    }
    guard skies.allSatisfy({ $0?.isSound ?? true }) else {
      throw InvalidScan("a background that no pixels have")
    }
  }

  /// Sources come in the order of what was asked for.
  private func check(_ sources: [Source], foundOf requests: [ComponentRequest]) throws {
    var rest = sources[...]
    for request in requests {
      let count = rest.prefix { $0.component == request.first }.count
      let found = rest.prefix(count)
      rest = rest.dropFirst(count)
      if let known = request.known {
        guard count == 1, let source = found.first, source.isSound(settings),
          source.isMeasured(as: known)
        else { throw InvalidScan("another source than the one whose apertures were asked for") }
      } else {
        var budget = SourceBudget(box: request.box)
        try budget.check(found, settings)
      }
    }
    guard rest.isEmpty else { throw InvalidScan("sources of components that were not asked for") }
  }
}

extension MeshSky {
  fileprivate var isSound: Bool {
    abs(level) <= Double(Plane.largestValue) && noise >= 0
      && noise <= Double(Plane.largestValue)
      && variance.map { $0 > 0 && $0.isFinite } ?? true
  }
}
