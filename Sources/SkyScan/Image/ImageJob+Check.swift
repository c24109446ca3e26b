import SkyDetection
public import SkyNetCore

/// Checks whether the findings that a system reports are possible.
extension ImageJob {
  /// The largest possible output of a task, from the largest possible numbers of meshes, sources,
  /// fragments and crowded components.
  public func outputLimit(for task: TaskID) -> OutputLimit {
    let core = settings.grid[task.sector]
    let pass = pass(of: task)
    let meshes = MeshEstimates(width: core.width, height: core.height, mesh: settings.mesh)
    let sky = SkyList.limit(of: meshes.columns * meshes.rows)
    guard pass != Pass.background else { return OutputLimit(json: 4096, bulk: sky) }
    let patch = settings.grid.patch(task.sector)
    if pass == Pass.whole {
      let pixels = core.width * core.height
      return OutputLimit(
        json: 4096, bulk: SourceList.limit(inPixels: pixels, settings) + sky)
    }
    if pass == Pass.cleaned {
      let known = (cleaned?.requests[task.sector] ?? []).map { $0.known.count }.reduce(0, +)
      return OutputLimit(json: 4096, bulk: SourceList.limit(of: known, settings))
    }
    guard pass == Pass.detection else {
      let bulk = (requests[task.sector] ?? []).reduce(0) { bytes, request in
        let pixels = request.box.columns.count * request.box.rows.count
        return bytes + SourceList.limit(inPixels: pixels, settings)
      }
      return OutputLimit(json: 4096, bulk: bulk)
    }
    let pixels = patch.width * patch.height
    // A component that is not entirely in the patch touches the sector's outline, or comes as close
    // to it as the margin extends beyond the patch.
    let band = max(1, settings.detection.margin - settings.grid.halo)
    let fragments = 2 * (core.width + core.height) * band
    let crowded =
      settings.detection.measuresBeyondMargin ? pixels / settings.minimumArea : 0
    return OutputLimit(
      json: 4096 + 680 * fragments + 192 * crowded,
      bulk: SourceList.limit(inPixels: pixels, settings))
  }

  /// Checks findings. Each pixel belongs to at most one component, so all reported components
  /// together have at most as many pixels as the sector or its patch. That bounds every count and
  /// every sum before the job uses any of them.
  ///
  /// - Throws: `InvalidScan` if the task cannot have these findings.
  public func check(_ output: SourceScan.Findings, for task: TaskID) throws {
    guard (0..<sectorCount).contains(task.sector) else {
      throw InvalidScan("findings of sector \(task.sector), of \(sectorCount)")
    }
    switch (pass(of: task), output.found) {
    case (Pass.background, .background(let list)):
      try check(list.skies, of: task.sector)
    case (Pass.detection, .sources(let list, let fragments, let crowded)):
      try DetectionCheck(sector: task.sector, settings).check(list.sources, fragments, crowded)
    case (Pass.components, .sources(let list, let fragments, let crowded)):
      guard fragments.isEmpty, crowded.isEmpty else {
        throw InvalidScan("fragments of components that were to be scanned whole")
      }
      try check(list.sources, foundOf: requests[task.sector] ?? [])
    case (Pass.whole, .whole(let list, let skies)):
      guard isOneSector else { throw InvalidScan("a whole image of \(sectorCount) sectors") }
      try check(skies.skies, of: task.sector)
      try DetectionCheck(sector: task.sector, settings).check(list.sources, [], [])
    case (Pass.cleaned, .sources(let list, let fragments, let crowded)):
      let known = (cleaned?.requests[task.sector] ?? []).flatMap(\.known)
      guard fragments.isEmpty, crowded.isEmpty, list.sources.count == known.count,
        zip(list.sources, known).allSatisfy({
          $0.isSound(settings) && $0.isMeasuredAgain(as: $1)
        })
      else { throw InvalidScan("sources other than those that were to be measured again") }
    default: throw InvalidScan("the findings are not those of pass \(task.pass)")
    }
  }

  private func check(_ skies: [MeshSky?], of sector: Int) throws {
    let core = settings.grid[sector]
    let meshes = MeshEstimates(width: core.width, height: core.height, mesh: settings.mesh)
    guard skies.count == meshes.columns * meshes.rows else {
      throw InvalidScan("\(skies.count) meshes in \(core)")
    }
    guard skies.allSatisfy({ $0?.isSound ?? true }) else {
      throw InvalidScan("a background that is impossible for an image")
    }
  }

  /// Checks the sources of requested components, which come in the order of the requests.
  private func check(_ sources: [Source], foundOf requests: [ComponentRequest]) throws {
    var rest = sources[...]
    for request in requests {
      let count = rest.prefix { $0.component == request.first }.count
      let found = rest.prefix(count)
      rest = rest.dropFirst(count)
      if let known = request.known {
        guard count == 1, let source = found.first, source.isSound(settings),
          source.isMeasured(as: known)
        else {
          throw InvalidScan("a source other than the one whose aperture fluxes were requested")
        }
      } else {
        var budget = SourceBudget(box: request.box)
        try budget.check(found, settings)
      }
    }
    guard rest.isEmpty else { throw InvalidScan("sources of components that were not requested") }
  }
}

extension MeshSky {
  fileprivate var isSound: Bool {
    abs(level) <= Double(Plane.largestValue) && noise >= 0
      && noise <= Double(Plane.largestValue)
      && variance.map { $0 > 0 && $0.isFinite } ?? true
  }
}
