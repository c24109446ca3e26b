import SkyDetection
import SkyFITS
public import SkyNetCore

/// Finds and measures the sources of an image, sector by sector. The sources are those of the uncut
/// image.
///
/// The scan estimates the background on meshes, and subtracts it as a surface over the whole image.
/// It smooths the image, joins each pixel over the threshold with its eight neighbours, and
/// deblends and measures the components (Bertin & Arnouts 1996, A&AS 117, 393).
///
/// A source belongs to the sector that holds the first pixel of its component. For components that
/// are not entirely in a sector's patch, the sector reports fragments; see ``ImageJob``.
///
/// The same settings and sector give the same bytes on any machine.
public struct SourceScan: Scan {
  /// The name and the version of this kind of scan.
  public static let kind = ScanKind(name: "sources", version: 9)

  /// The files that sectors may name instead of having pixels; `nil` if they may name none.
  private let data: DataAccess?
  /// Keeps pixels for the passes that follow; `nil` if each task is to bring its own.
  private let cache: PixelCache?

  public init() { self.init(data: nil) }

  /// A scan that reads files that sectors name, and keeps pixels.
  package init(data: DataAccess?, cache: PixelCache? = nil) {
    (self.data, self.cache) = (data, cache)
  }

  /// - Throws: `InvalidScan` if the settings or the sector are not valid; `SectorDataRefused` if
  ///   the sector names files that cannot be read here, or pixels that are not kept here;
  ///   `CancellationError` if the task is cancelled.
  public func run(
    _ sector: Sector, settings: Settings
  ) async throws -> Findings {
    try findings(in: sector, settings: settings)
  }

  /// Ten minutes, and 0.1 ms per pixel: some hundred times the time of a crowded field on a slow
  /// machine, and short enough for a night.
  public func timeLimit(_ sector: Sector, settings: Settings) -> Duration? {
    .seconds(600) + .microseconds(100) * sector.pixelCount
  }

  /// The findings, for callers that are not asynchronous.
  package func findings(
    in sector: Sector, settings: Settings
  ) throws -> Findings {
    try settings.check()
    let sector = try filled(try sector.unpacked(settings), settings)
    try sector.check(settings)
    return Findings(try found(in: sector.work, settings))
  }

  /// The sector with all of its pixels.
  private func filled(_ sector: Sector, _ settings: Settings) throws -> Sector {
    guard var use = sector.cacheUse else {
      guard let files = sector.files else { return sector }
      return Sector(try read(sector.work, files, settings))
    }
    if let files = sector.files, let patch = use.patch {
      use.patch = try read(.background(patch), files, settings).patches.first
    }
    return Sector(try sector.work.filled(from: cache, use, settings))
  }

  private func read(
    _ work: SourceWork, _ files: SectorFiles, _ settings: Settings
  ) throws -> SourceWork {
    guard let data else {
      throw SectorDataRefused(
        code: FileRole.image.code(.noAccess), reason: DataRefusal.noAccess.fault)
    }
    return try data.fill(work, from: files, settings)
  }

  private func found(
    in work: SourceWork, _ settings: Settings
  ) throws -> SourceFound {
    switch work {
    case .background(let patch):
      let meshes = try MeshEstimates(of: patch.plane(settings), mesh: settings.mesh)
      return .background(SkyList(meshes.values))
    case .detection(let number, let patch, let background):
      let scan = try patch.scan(over: background, settings)
      let (sources, fragments, crowded) = try scan.findings(ofSector: number)
      return .sources(SourceList(sources), fragments: fragments, crowded: crowded)
    case .components(let components):
      let sources = try components.flatMap { component in
        if let known = component.known { return [try component.completed(known, settings)] }
        return try component.sources(settings)
      }
      return .sources(SourceList(sources), fragments: [])
    case .whole(let patch):
      let plane = patch.plane(settings)
      let meshes = try MeshEstimates(of: plane, mesh: settings.mesh)
      let background = Background(meshes, settings.detection)
      let scan = try PatchScan(
        plane, at: patch.rectangle, over: background.patch(of: patch.rectangle),
        of: settings.grid, settings: settings.detection)
      return .whole(
        SourceList(try scan.wholeSources()), SkyList(meshes.values))
    case .cleaned(let patches):
      let sources = try patches.flatMap { cleaned in
        let scan = try cleaned.patch.scan(over: cleaned.background, settings)
        return try scan.sources(of: cleaned.components, without: cleaned.dropped)
      }
      return .sources(SourceList(sources), fragments: [])
    }
  }
}

extension SourceScan: CachingScan {
  package var cacheFigures: CacheFigures? { cache?.figures }

  package func dropCache() { cache?.dropAll() }
}

extension ImagePatch {
  fileprivate func scan(
    over background: BackgroundPatch, _ settings: SourceScan.Settings
  ) throws -> PatchScan {
    try PatchScan(
      plane(settings), at: rectangle, over: background, of: settings.grid,
      settings: settings.detection)
  }
}

extension ComponentPatch {
  /// The component's sources.
  ///
  /// The patch has all pixels that the largest possible ellipses need, while the sources' own
  /// ellipses hardly ever extend beyond the component's box by more than its longer side. So a part
  /// of the patch is scanned first, and all of it only if that does not suffice: the measures are
  /// the same.
  ///
  /// - Throws: ``InvalidScan`` if the component is not entirely in the patch, or the patch has too
  ///   little of the image around it; `CancellationError` if the task is cancelled.
  fileprivate func sources(_ settings: SourceScan.Settings) throws -> [Source] {
    let side = max(box.columns.count, box.rows.count)
    let around = max(
      max(side, settings.detection.stamp?.reach ?? 0) + 3,
      settings.detection.localReach(ofSide: side))
    let near = box.grown(by: max(settings.detection.margin, around + settings.detection.reach))
    let rectangle = PixelRectangle(
      PixelBox(
        columns: near.columns.clamped(to: patch.rectangle.columns),
        rows: near.rows.clamped(to: patch.rectangle.rows)))
    if rectangle != patch.rectangle {
      let scan = try patch.part(rectangle, settings).scan(over: background, settings)
      if let found = try scan.sources(ofComponentAt: first) { return found }
    }
    let scan = try patch.scan(over: background, settings)
    guard let found = try scan.sources(ofComponentAt: first) else {
      throw InvalidScan("too little of the image around \(box)")
    }
    return found
  }

  /// The source with its missing aperture fluxes.
  ///
  /// - Throws: ``InvalidScan`` if the source is not in the patch, or is none that can be written;
  ///   `CancellationError` if the task is cancelled.
  fileprivate func completed(_ known: Source, _ settings: SourceScan.Settings) throws -> Source {
    let place = patch.rectangle
    guard known.isFinite, known.apertureFluxes.isEmpty,
      known.profile.map({ $0.areas.count == Source.Profile.levelCount }) ?? true,
      (Double(place.x)...Double(place.x + place.width + 1)).contains(known.x),
      (Double(place.y)...Double(place.y + place.height + 1)).contains(known.y)
    else { throw InvalidScan("a source that is not one of its patch") }
    var plane = patch.plane(settings)
    try plane.flatten(over: background, at: place, settings.detection)
    var source = known
    source.measureApertures(
      in: plane, at: place, over: background, of: settings.grid, settings.detection)
    return source
  }
}
