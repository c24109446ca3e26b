public import SkyNetCore

/// Finds the sources of an image and measures them, sector by sector, as if it were scanned whole.
///
/// The background is estimated on meshes and, as a surface over the whole image, subtracted; the
/// image is smoothed; what then lies over the threshold is joined with its eight neighbours, parted,
/// and measured (Bertin & Arnouts 1996, A&AS 117, 393).
///
/// A source belongs to the sector that holds the first pixel of its component. What a sector's
/// patch does not hold whole is told in fragments; see ``ImageJob``.
///
/// The same settings and sector give the same bytes on any machine.
public struct SourceScan: Scan {
  public static let kind = ScanKind(name: "sources", version: 3)

  public init() {}

  /// - Throws: ``InvalidScan`` if the settings or the sector make no sense, `CancellationError`.
  public func run(
    _ sector: SourceSector, settings: SourceSettings
  ) async throws -> SourceFindings {
    try findings(in: sector, settings: settings)
  }

  /// Ten minutes, and 0.1 ms for each pixel: some hundred times what a crowded field takes a slow
  /// machine, and short enough for a night.
  public func timeLimit(_ sector: SourceSector, settings: SourceSettings) -> Duration? {
    .seconds(600) + .microseconds(100) * sector.pixelCount
  }

  /// The same, for who cannot wait.
  package func findings(
    in sector: SourceSector, settings: SourceSettings
  ) throws -> SourceFindings {
    try settings.check()
    try sector.check(settings)
    switch sector {
    case .background(let patch):
      let meshes = try MeshEstimates(of: patch.plane(settings), side: settings.meshSide)
      return .background(meshes.values)
    case .detection(let number, let patch, let background):
      var scan = try PatchScan(patch, over: background, settings: settings)
      return try scan.findings(ofSector: number, settings: settings)
    case .components(let components):
      let sources = try components.flatMap { component in
        if let known = component.known { return [try component.completed(known, settings)] }
        var scan = try PatchScan(component.patch, over: component.background, settings: settings)
        return try scan.sources(ofComponentAt: component.first, settings: settings)
      }
      return .sources(SourceList(sources), fragments: [])
    case .cleaned(let patches):
      let sources = try patches.flatMap { cleaned in
        var scan = try PatchScan(cleaned.patch, over: cleaned.background, settings: settings)
        return try scan.sources(of: cleaned)
      }
      return .sources(SourceList(sources), fragments: [])
    }
  }
}

extension SourceScan {
  /// Both passes over an image that is one sector.
  package func wholeSources(in patch: ImagePatch, settings: SourceSettings) throws -> [Source] {
    try settings.check()
    try patch.check(settings)
    let side = settings.meshSide
    let meshes = try MeshEstimates(of: patch.plane(settings), side: side)
    guard let background = Background(meshes, side: side) else { return [] }
    let sector = SourceSector.detection(0, patch, background.patch(of: patch.rectangle))
    guard case .sources(let list, _, _) = try findings(in: sector, settings: settings)
    else { return [] }
    return list.sources
  }
}

extension PatchScan {
  fileprivate mutating func findings(
    ofSector number: Int, settings: SourceSettings
  ) throws -> SourceFindings {
    let core = settings.grid[number]
    var sources: [Source] = []
    var fragments: [Fragment] = []
    var crowded: [ComponentPlace] = []
    for index in 0..<components.count {
      if index.isMultiple(of: 256) { try Task.checkCancellation() }
      let (box, first, area) = extent(of: index)
      if isSeenWhole(box, first, in: settings) {
        guard area >= settings.minimumArea, core.holds(first) else { continue }
        if let found = try self.sources(of: index, first: first) {
          sources += found
        } else {
          crowded.append(ComponentPlace(first: first, box: box))
        }
      } else if let fragment = fragment(of: index, in: core) {
        fragments.append(fragment)
      }
    }
    return .sources(SourceList(sources), fragments: fragments, crowded: crowded)
  }

  /// Whether the sector that a component belongs to has it whole in its patch, with what is needed
  /// around it. All who see any of it agree, or do not see it whole themselves.
  private func isSeenWhole(
    _ box: PixelBox, _ first: PixelPlace, in settings: SourceSettings
  ) -> Bool {
    guard !sight.cuts(box) else { return false }
    let grid = settings.grid
    let owner = grid.number(x: first.column, y: first.row)
    return grid.patch(owner).holds(grid.grown(PixelRectangle(box), by: settings.margin))
  }

  fileprivate mutating func sources(
    ofComponentAt first: PixelPlace, settings: SourceSettings
  ) throws -> [Source] {
    for index in 0..<components.count {
      let (box, place, area) = extent(of: index)
      guard place == first else { continue }
      guard area >= settings.minimumArea else { return [] }
      guard !sight.cuts(box), let sources = try sources(of: index, first: first) else {
        throw InvalidScan("too little of the image around \(box)")
      }
      return sources
    }
    throw InvalidScan("no component begins at column \(first.column), row \(first.row)")
  }
}
