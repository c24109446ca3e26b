public import SkyCatalog
import SkyDetection
public import SkyFITS
public import SkyNetCore

/// The scan of one image for sources, as if it were scanned whole, however it is cut.
///
/// 0. Each sector tells the sky of its meshes; from all of them the one background is made.
/// 1. Each sector's sources are found over it. What a sector's patch does not hold whole is told in
///    fragments, and those are joined.
/// 2. The components so made are scanned in patches that hold them. What is too large for that is
///    measured by the fragments' sums.
/// 3. Where cleaning drops sources, what they had a part in is measured once more without them.
///
/// The result of a sector is how many sources it has; all of them together are the ``catalog``.
public struct ImageJob: Job {
  enum Pass {
    static let background = 0
    static let detection = 1
    static let components = 2
    static let cleaned = 3
  }

  public typealias Work = SourceScan

  public let scan = SourceScan()
  public let settings: SourceSettings
  public let image: FITSImage
  /// Weights of the image's pixels, in proportion to 1/variance.
  public let weights: FITSImage?
  /// The sources found so far.
  package private(set) var catalog = Catalog()
  private var meshes: MeshEstimates
  private(set) var background: Background?
  private var joiner = FragmentJoiner()
  /// How many sources each sector has for which a later pass has a say.
  private var counts: [Int: Int] = [:]
  /// The sectors that told of what they did not hold whole.
  private var unfinished: Set<Int> = []
  /// What is to be scanned once more, by the sector that it belongs to.
  private(set) var requests: [Int: [ComponentRequest]] = [:]
  /// What is to be measured once more, when that is known.
  private(set) var cleaned: CleanedComponents?
  /// How many tasks are left in the pass.
  private var left: Int

  /// Whether cleaning changes what is measured of the sources that it leaves.
  private var isCleanedLast: Bool {
    settings.cleaning != nil && (settings.kron != nil || !settings.apertures.isEmpty)
  }

  public var sectorCount: Int { settings.grid.count }

  /// With everything else as it is usual.
  ///
  /// - Throws: ``InvalidScan`` if the side is not allowed.
  public init(image: FITSImage, sectorSide: Int? = nil) throws {
    let side = sectorSide ?? SectorGrid.defaultSide(width: image.width, height: image.height)
    let grid = try SectorGrid(width: image.width, height: image.height, side: side)
    try self.init(image: image, settings: SourceSettings(grid: grid, coding: image.coding))
  }

  /// - Parameters:
  ///   - image: an open image.
  ///   - weights: weights of its pixels, in proportion to 1/variance; 0 masks a pixel.
  ///   - settings: how to scan it; the coding of weights is added.
  /// - Throws: ``InvalidScan`` if a setting is not allowed, or the weights are not the image's.
  public init(
    image: FITSImage, weights: FITSImage? = nil, settings: SourceSettings
  ) throws {
    var settings = settings
    settings.weightCoding = weights?.coding
    try settings.check()
    if let weights, (weights.width, weights.height) != (image.width, image.height) {
      throw InvalidScan(
        "\(weights.path) has \(weights.width) × \(weights.height) weights for "
          + "\(image.width) × \(image.height) pixels; a weight map has the image's size")
    }
    self.image = image
    self.weights = weights
    self.settings = settings
    meshes = MeshEstimates(width: image.width, height: image.height, side: settings.meshSide)
    left = settings.grid.count
  }

  /// Goes on as after the first pass.
  mutating func begin(over background: Background?) { self.background = background }

  /// What the file holds, how it is cut, and how sources are told from noise; where it lies does
  /// not matter. Reads the whole file.
  ///
  /// - Throws: ``FITSError``.
  public func identity() async throws -> JobIdentity {
    var facts = [
      JobIdentity.Fact("scan", "\(SourceScan.kind)"),
      .init("image size", "\(image.width) × \(image.height) pixels"),
      .init("image contents", try await image.contentsHash()),
      .init("sector size", "\(settings.grid.side)"),
      .init("sectors", "\(sectorCount)"),
    ]
    // Of a file with one image there is nothing to say.
    if image.isOneOfSeveral { facts.append(.init("image extension", "\(image.extensionNumber)")) }
    if let weights {
      facts.append(.init("weights", try await weights.contentsHash()))
      if weights.isOneOfSeveral {
        facts.append(.init("weights extension", "\(weights.extensionNumber)"))
      }
    }
    return JobIdentity(facts + settings.detection.facts)
  }

  /// The catalogue so far. Columns of the sky are left out if the header has no coordinates.
  ///
  /// - Parameter coverage: how much of the image was scanned, if not all of it: then the table is
  ///   marked as partial where its format can.
  /// - Throws: ``FITSError`` if the header's coordinates cannot be read.
  public func table(
    _ columns: [Column] = Column.usual, coverage: Coverage? = nil
  ) async throws -> CatalogTable {
    let rows = catalog.rows(settings.detection)
    var positions: [SkyPosition?]?
    if columns.contains(where: \.isInSky) {
      do {
        positions = try await image.sky(rows.map { PixelPosition(x: $0.x, y: $0.y) })
      } catch is NoSkyPositions {}
    }
    var table = CatalogTable(rows, columns, settings: settings.detection, positions: positions)
    if let coverage, !coverage.isWhole { table.partial = coverage }
    return table
  }

  // MARK: What systems are given

  /// Reads the pixels from the file.
  ///
  /// - Throws: ``FITSError``.
  public func sector(for task: TaskID) async throws -> SourceSector {
    SourceSector(try await work(for: task))
  }

  private func work(for task: TaskID) async throws -> SourceWork {
    switch (task.pass, background) {
    case (Pass.background, _): return .background(try await patch(settings.grid[task.sector]))
    case (Pass.detection, let background?):
      let rectangle = settings.grid.patch(task.sector)
      return .detection(
        task.sector, try await patch(rectangle), background.patch(of: rectangle))
    case (Pass.components, let background?):
      var patches: [ComponentPatch] = []
      for request in requests[task.sector] ?? [] {
        patches.append(try await patch(for: request, over: background))
      }
      return .components(patches)
    case (Pass.cleaned, let background?):
      var patches: [CleanedPatch] = []
      for request in cleaned?.requests[task.sector] ?? [] {
        let rectangle = settings.grid.grown(PixelRectangle(request.box), by: 0)
        patches.append(
          CleanedPatch(
            components: request.components, dropped: request.dropped,
            patch: try await patch(rectangle), background: background.patch(of: rectangle)))
      }
      return .cleaned(patches)
    case (Pass.cleaned, nil): return .cleaned([])
    // No mesh has values enough: there is nothing to find.
    case (Pass.detection, nil): return .components([])
    default: throw InvalidScan("task \(task) before there is a background")
    }
  }

  private func patch(_ rectangle: PixelRectangle) async throws -> ImagePatch {
    let pixels = Pixels(try await image.pixels(in: rectangle))
    guard let weights else { return ImagePatch(rectangle, pixels: pixels) }
    return ImagePatch(
      rectangle, pixels: pixels, weights: Pixels(try await weights.pixels(in: rectangle)))
  }

  private func patch(
    for request: ComponentRequest, over background: Background
  ) async throws -> ComponentPatch {
    let room =
      request.known == nil
      ? settings.detection.room(around: request.box) : settings.detection.margin
    let rectangle = settings.grid.grown(PixelRectangle(request.box), by: room)
    return ComponentPatch(
      first: request.first, known: request.known, patch: try await patch(rectangle),
      background: background.patch(of: rectangle))
  }

  // MARK: What they find

  /// Takes findings that ``check(_:for:)`` has let through.
  ///
  /// - Throws: ``InvalidScan`` if they are of another pass.
  public mutating func receive(
    _ output: SourceFindings, for task: TaskID
  ) throws -> ReceivedResult {
    switch (task.pass, output.found) {
    case (Pass.background, .background(let skies)):
      put(skies, of: task.sector)
      return ReceivedResult(result: nil, added: pass(ends: Pass.background))
    case (Pass.detection, .sources(let list, let fragments, let crowded)):
      let sources = list.sources
      catalog.add(sources)
      joiner.add(fragments)
      if !crowded.isEmpty { requests[task.sector] = crowded.map(ComponentRequest.init) }
      let isWhole = fragments.isEmpty && crowded.isEmpty
      if !isWhole { unfinished.insert(task.sector) }
      counts[task.sector] = sources.count
      return ReceivedResult(
        result: isWhole && !isCleanedLast ? sources.count : nil, added: pass(ends: Pass.detection))
    case (Pass.components, .sources(let list, _, _)):
      let sources = list.sources
      catalog.add(sources)
      let count = (counts[task.sector] ?? 0) + sources.count
      counts[task.sector] = count
      return ReceivedResult(
        result: isCleanedLast ? nil : count, added: pass(ends: Pass.components))
    case (Pass.cleaned, .sources(let list, _, _)):
      catalog.replace(list.sources)
      return ReceivedResult(result: counts[task.sector] ?? 0)
    default: throw InvalidScan("the findings are not those of pass \(task.pass)")
    }
  }

  private mutating func put(_ skies: [MeshSky?], of sector: Int) {
    let (core, side) = (settings.grid[sector], settings.meshSide)
    var part = MeshEstimates(width: core.width, height: core.height, side: side)
    part.values = skies
    meshes.put(part, atColumn: core.x / side, row: core.y / side)
  }

  /// A sector's task of a pass has ended. After the last, the next pass follows.
  private mutating func pass(ends pass: Int) -> [TaskRange] {
    left -= 1
    guard left == 0 else { return [] }
    switch pass {
    case Pass.background:
      background = Background(meshes, side: settings.meshSide)
      return begin(Pass.detection)
    case Pass.detection:
      for component in joiner.components() where component.sums.area >= settings.minimumArea {
        let owner = settings.grid.number(x: component.first.column, y: component.first.row)
        requests[owner, default: []].append(request(for: component))
      }
      guard unfinished.isEmpty else {
        left = unfinished.count
        return unfinished.sorted().map {
          TaskRange(pass: Pass.components, sectors: $0..<$0 + 1)
        }
      }
      return beginCleaned()
    default: return beginCleaned()
    }
  }

  private mutating func beginCleaned() -> [TaskRange] {
    guard isCleanedLast, let parameter = settings.cleaning else { return [] }
    cleaned = CleanedComponents(catalog.inOrder, settings, parameter: parameter)
    return begin(Pass.cleaned)
  }

  /// Begins a pass of all sectors.
  private mutating func begin(_ pass: Int) -> [TaskRange] {
    left = sectorCount
    return [TaskRange(pass: pass, sectors: 0..<sectorCount)]
  }

  private func request(for component: JoinedComponent) -> ComponentRequest {
    guard settings.detection.isTooLarge(component.box), let background else {
      return ComponentRequest(ComponentPlace(first: component.first, box: component.box))
    }
    var source = component.source(noise: background.noise, settings: settings.detection)
    if settings.grid.edgeCuts(source.box) { source.flags.insert(.truncated) }
    return ComponentRequest(known: source)
  }
}

/// What is scanned in the last pass: a component, or what is missing of one that is known.
struct ComponentRequest: Sendable {
  let first: PixelPlace
  /// What the patch is to hold.
  let box: PixelBox
  /// All but the fluxes in apertures.
  var known: Source?

  init(_ place: ComponentPlace) {
    first = place.first
    box = place.box
  }

  init(known: Source) {
    first = known.component
    self.known = known
    let (x, y) = (Int((known.x - 1).rounded()), Int((known.y - 1).rounded()))
    box = PixelBox(columns: x..<x + 1, rows: y..<y + 1)
  }
}
