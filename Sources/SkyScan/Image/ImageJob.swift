public import SkyCatalog
package import SkyDetection
public import SkyFITS
import SkyFiles
public import SkyNetCore

import struct Foundation.Data

/// The scan of one image for sources. The catalogue is that of the uncut image, however the image
/// is cut into sectors. The job has up to four passes:
///
/// 0. Each sector reports the sky of its meshes, and the job makes one background of all of them.
/// 1. Each sector's sources are found over the background. For a component that is not entirely in
///    a sector's patch, the sector reports a fragment, and the job joins the fragments.
/// 2. The joined components are scanned in patches that hold them. A component that is too large
///    for that is measured from the sums of its fragments.
/// 3. Where cleaning drops sources, the sources whose measures included their pixels are measured
///    again without them.
///
/// A sector's result is the number of its sources. All sources together are the `catalog`.
public struct ImageJob: Job {
  enum Pass {
    static let background = 0
    static let detection = 1
    static let components = 2
    static let cleaned = 3
    static let whole = 4
  }

  public typealias Work = SourceScan

  /// The scan that each sector runs.
  public let scan = SourceScan()
  /// The settings of the scan.
  public let settings: SourceScan.Settings
  /// The image that is scanned.
  public let image: FITSImage
  /// The weights of the image's pixels, as `DetectionSettings.weighting` says; `nil` if there is no
  /// file of them.
  public let weights: FITSImage?
  /// The settings of the catalogue, which no sector's findings depend on.
  package var catalogSettings = CatalogSettings()
  /// What only a configuration tells of the scan, for the headers of FITS catalogues.
  package var extraction = ExtractionHeader()
  /// The image's number among those of its file that are scanned, from 1, and their number.
  package var placeInFile = (number: 1, count: 1)
  /// What sees the job's work as it is done; `nil` if nothing does.
  package var watcher: ImageWatcher?
  /// What is known of the systems that can read the image's file; `nil` to send all pixels.
  package var references: FileReferences?
  /// Whether all passes of an image of one sector run in the task that the job begins with.
  package var runsInOneTask = false
  /// Which pixels a patch is made without.
  var leavesOut = LeftOut()
  /// What systems keep of the image.
  let holdings = CacheHoldings()
  /// Whether the background is mainly constant, or cannot be told; see `Background.isMainlyConstant`.
  package private(set) var isMainlyConstant = false
  /// The sources found so far.
  package private(set) var catalog = Catalog()
  /// Sources that are too large for the catalogue, whose components others are parts of.
  private var unlisted: [Source] = []
  private var meshes: MeshEstimates
  package private(set) var background: Background?
  /// The noise of the sky as a map; `nil` as long as there is no background.
  package var noiseMap: Background? {
    background.map { _ in Background.noise(of: meshes, settings.detection) }
  }
  private var joiner = FragmentJoiner()
  /// The number of each sector's sources, for the sectors whose result a later pass decides.
  private var counts: [Int: Int] = [:]
  /// The sectors that reported fragments or crowded components.
  private var unfinished: Set<Int> = []
  /// The components to scan in the third pass, by the sector that owns them.
  private(set) var requests: [Int: [ComponentRequest]] = [:]
  /// The components to measure again in the last pass; `nil` before that pass begins.
  private(set) var cleaned: CleanedComponents?
  /// The number of tasks left in the pass.
  private var tasksLeft: Int

  /// The image's file.
  public var name: String { image.path.pathNames().last ?? image.path }

  /// The weights are those of an SDSS frame. The third pass is brief, if there is one at all.
  public var passes: [(name: String, weight: Double)] {
    if runsInOneTask, isOneSector { return [("detection", 1)] }
    return [("background", 0.3), ("detection", 1), ("components", 0.1)]
      + (hasCleaningPass ? [("cleaning", 0.1)] : [])
  }

  /// Whether cleaning changes the measures of the remaining sources, so that there is a last pass.
  var hasCleaningPass: Bool {
    settings.cleaning != nil && settings.detection.measuresSurroundings
  }

  /// The number of sectors.
  public var sectorCount: Int { settings.grid.count }

  /// Whether the image has one sector. All passes of it can run in one task then, where its pixels are.
  package var isOneSector: Bool { sectorCount == 1 }

  /// The tasks that the job begins with.
  ///
  /// - Parameter inOneTask: whether the passes of an image of one sector run in one task.
  package func firstTasks(inOneTask: Bool) -> [TaskRange] {
    [
      TaskRange(
        pass: inOneTask && isOneSector ? Pass.whole : Pass.background, sectors: 0..<sectorCount)
    ]
  }

  /// A job with default settings.
  ///
  /// - Parameters:
  ///   - image: an open image.
  ///   - sectorSide: the side of a sector, in pixels: a multiple of 64. With `nil`,
  ///     `SectorGrid.defaultSide(width:height:mesh:)`.
  /// - Throws: `InvalidScan` if the side is not allowed.
  public init(image: FITSImage, sectorSide: Int? = nil) throws {
    let side = sectorSide ?? SectorGrid.defaultSide(width: image.width, height: image.height)
    let grid = try SectorGrid(width: image.width, height: image.height, side: side)
    try self.init(image: image, settings: SourceScan.Settings(grid: grid, coding: image.coding))
  }

  /// - Parameters:
  ///   - image: an open image.
  ///   - weights: the weights of its pixels, as `DetectionSettings.weighting` says; by default in
  ///     proportion to 1/variance, where 0 masks a pixel.
  ///   - settings: the settings of the scan. The job adds the coding of the weights.
  /// - Throws: `InvalidScan` if a setting is not allowed, or the weights do not have the image's
  ///   size.
  public init(
    image: FITSImage, weights: FITSImage? = nil, settings: SourceScan.Settings
  ) throws {
    var settings = settings
    settings.weightCoding = weights?.coding
    if weights == nil { settings.detection.ignoreWeights() }
    try settings.check()
    if let weights, (weights.width, weights.height) != (image.width, image.height) {
      throw InvalidScan(
        "\(weights.path) has \(weights.width) × \(weights.height) weights for "
          + "\(image.width) × \(image.height) pixels; a weight map has the image's size")
    }
    self.image = image
    self.weights = weights
    self.settings = settings
    meshes = MeshEstimates(width: image.width, height: image.height, mesh: settings.mesh)
    tasksLeft = settings.grid.count
  }

  /// Continues as after the first pass.
  mutating func resume(over background: Background) {
    self.background = background
    isMainlyConstant = background.isMainlyConstant
  }

  /// The facts that the result depends on: the file's contents, how the image is cut, and the
  /// settings of the detection. The file's path does not matter. Reads the whole file.
  ///
  /// - Throws: `FITSError` if the file cannot be read.
  public func identity() async throws -> JobIdentity {
    JobIdentity(
      facts(
        contents: try await image.contentsHash(), weights: try await weights?.contentsHash()))
  }

  /// The name of the fact about the image's header file. The catalogue depends on it, and no sector's
  /// findings do.
  static let headerFileFact = "header file"

  /// The names of the facts that a catalogue depends on, and no sector.
  package static let factsOfCatalogs = Set(
    [headerFileFact] + CatalogSettings().facts.map(\.name))

  /// The facts that the result depends on.
  ///
  /// - Parameters:
  ///   - contents: the hash of the image's file.
  ///   - weightContents: the hash of the weights' file.
  func facts(contents: String, weights weightContents: String?) -> [JobIdentity.Fact] {
    var facts = [
      JobIdentity.Fact("scan", "\(SourceScan.kind)"),
      .init("image size", "\(image.width) × \(image.height) pixels"),
      .init("image contents", contents),
      .init("sector size", "\(settings.grid.side)"),
      .init("sectors", "\(sectorCount)"),
    ]
    // A file with one image needs no extension number.
    if image.isOneOfSeveral { facts.append(.init("image extension", "\(image.extensionNumber)")) }
    if let file = image.headerFile { facts.append(.init(Self.headerFileFact, file.hash)) }
    if let weights, let weightContents {
      facts.append(.init("weights", weightContents))
      if weights.isOneOfSeveral {
        facts.append(.init("weights extension", "\(weights.extensionNumber)"))
      }
    }
    return facts + settings.detection.facts + catalogSettings.facts
  }

  /// The catalogue so far. If the header has no coordinates, columns of the sky are only in SExtractor's
  /// formats.
  ///
  /// - Parameter columns: the table's columns.
  /// - Throws: `FITSError` if the header's coordinates cannot be read.
  public func table(_ columns: [Column] = Column.usual) async throws -> CatalogTable {
    try await table(columns, coverage: nil)
  }

  /// The catalogue so far. If `coverage` is not the whole image, the table is marked as partial in
  /// formats that can do so.
  ///
  /// - Throws: ``FITSError`` if the header's coordinates cannot be read.
  package func table(
    _ columns: [Column] = Column.usual, coverage: Coverage?
  ) async throws -> CatalogTable {
    let rows = catalog.rows(settings.detection)
    var table = CatalogTable(rows, columns, context: try await context(of: rows, columns))
    if let coverage, !coverage.isWhole { table.partial = coverage }
    return table
  }

  /// What the columns of sources are computed from.
  private func context(of rows: [Source], _ columns: [Column]) async throws -> CatalogContext {
    var context = CatalogContext(
      settings.detection, catalogSettings, background: background)
    context.extensionNumber = placeInFile.number
    if columns.contains(where: \.needsComponents) {
      context.componentNumbers = catalog.componentNumbers(with: unlisted)
    }
    if columns.contains(where: \.isStamp) {
      context.stampPixels = try await stampPixels(of: rows)
    }
    try await context.findPlaces(of: rows, in: image, for: columns)
    return context
  }

  // MARK: Tasks

  /// Reads a task's pixels from the file.
  ///
  /// - Throws: `FITSError` if the file cannot be read.
  public func sector(for task: TaskID) async throws -> SourceScan.Sector {
    SourceScan.Sector(try await work(for: task))
  }

  /// The pass that a task is of. The engagement calls the first one 0, whatever runs in it.
  func pass(of task: TaskID) -> Int {
    runsInOneTask && isOneSector && task.pass == Pass.background ? Pass.whole : task.pass
  }

  func work(for task: TaskID) async throws -> SourceWork {
    switch (pass(of: task), background) {
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
    case (Pass.whole, _): return .whole(try await patch(settings.grid[task.sector]))
    case (Pass.cleaned, nil): return .cleaned([])
    default: throw InvalidScan("task \(task) before there is a background")
    }
  }

  func patch(_ rectangle: PixelRectangle) async throws -> ImagePatch {
    var pixels = BulkBytes(Data())
    // What watches sees the pixels, even if the system that scans reads them itself.
    if !leavesOut.image || watcher != nil {
      pixels.bytes = try await image.pixels(in: rectangle)
      watcher?.sawPixels(rectangle, image.coding, pixels.bytes)
    }
    if leavesOut.image { pixels.bytes = Data() }
    guard let weights, !leavesOut.weights else { return ImagePatch(rectangle, pixels: pixels) }
    return ImagePatch(
      rectangle, pixels: pixels, weights: BulkBytes(try await weights.pixels(in: rectangle)))
  }

  private func patch(
    for request: ComponentRequest, over background: Background
  ) async throws -> ComponentPatch {
    let rectangle = settings.grid.grown(
      PixelRectangle(
        request.needed
          ?? request.box.grown(
            by: request.known == nil
              ? settings.detection.room(around: request.box) : settings.detection.margin)), by: 0)
    return ComponentPatch(
      first: request.first, box: request.box, known: request.known,
      patch: try await patch(rectangle), background: background.patch(of: rectangle))
  }

  // MARK: Findings

  /// Takes findings that ``check(_:for:)`` has accepted.
  ///
  /// - Throws: `InvalidScan` if the findings are from another pass.
  public mutating func receive(
    _ output: SourceScan.Findings, for task: TaskID
  ) throws -> ReceivedResult {
    switch (pass(of: task), output.found) {
    case (Pass.background, .background(let list)):
      record(list.skies, of: task.sector)
      return ReceivedResult(result: nil, added: taskEnded(inPass: Pass.background))
    case (Pass.detection, .sources(let list, let fragments, let crowded)):
      let sources = take(list)
      joiner.add(fragments)
      if !crowded.isEmpty { requests[task.sector] = crowded.map(ComponentRequest.init) }
      let isWhole = fragments.isEmpty && crowded.isEmpty
      if !isWhole { unfinished.insert(task.sector) }
      counts[task.sector] = sources.count
      return ReceivedResult(
        result: isWhole && !hasCleaningPass ? sources.count : nil,
        added: taskEnded(inPass: Pass.detection))
    case (Pass.components, .sources(let list, _, _)):
      let sources = take(list)
      let count = (counts[task.sector] ?? 0) + sources.count
      counts[task.sector] = count
      return ReceivedResult(
        result: hasCleaningPass ? nil : count, added: taskEnded(inPass: Pass.components))
    case (Pass.whole, .whole(let list, let skies)):
      record(skies.skies, of: task.sector)
      resume(over: Background(meshes, settings.detection))
      return ReceivedResult(result: take(list).count)
    case (Pass.cleaned, .sources(let list, _, _)):
      catalog.replace(list.sources)
      return ReceivedResult(result: counts[task.sector] ?? 0)
    default: throw InvalidScan("the findings are not those of pass \(task.pass)")
    }
  }

  /// Adds sources to the catalogue.
  ///
  /// - Returns: those that are not too large for it.
  private mutating func take(_ list: SourceList) -> [Source] {
    func isListed(_ source: Source) -> Bool {
      settings.detection.isListed(area: source.isophotal.area)
    }
    let listed = list.sources.filter(isListed)
    catalog.add(listed)
    unlisted += list.sources.filter { !isListed($0) }
    watcher?.foundSources(listed)
    return listed
  }

  private mutating func record(_ skies: [MeshSky?], of sector: Int) {
    let (core, mesh) = (settings.grid[sector], settings.mesh)
    var part = MeshEstimates(width: core.width, height: core.height, mesh: mesh)
    part.values = skies
    meshes.put(part, atColumn: core.x / mesh.width, row: core.y / mesh.height)
  }

  /// Counts a sector's task of a pass as done. After the last task, returns the tasks of the next
  /// pass.
  private mutating func taskEnded(inPass pass: Int) -> [TaskRange] {
    tasksLeft -= 1
    guard tasksLeft == 0 else { return [] }
    switch pass {
    case Pass.background:
      resume(over: Background(meshes, settings.detection))
      return begin(Pass.detection)
    case Pass.detection:
      for component in joiner.components() where component.sums.area >= settings.minimumArea {
        let owner = settings.grid.number(x: component.first.column, y: component.first.row)
        requests[owner, default: []].append(request(for: component))
      }
      guard unfinished.isEmpty else {
        tasksLeft = unfinished.count
        return unfinished.sorted().map {
          TaskRange(pass: Pass.components, sectors: $0..<$0 + 1)
        }
      }
      return beginCleaningPass()
    default: return beginCleaningPass()
    }
  }

  private mutating func beginCleaningPass() -> [TaskRange] {
    guard hasCleaningPass, let parameter = settings.cleaning else { return [] }
    let sources = (catalog.sources + unlisted)
      .sorted { ($0.component, $0.part) < ($1.component, $1.part) }
    cleaned = CleanedComponents(sources, settings, parameter: parameter)
    return begin(Pass.cleaned)
  }

  /// Begins a pass over all sectors.
  private mutating func begin(_ pass: Int) -> [TaskRange] {
    tasksLeft = sectorCount
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

/// A request of the third pass: a component to scan, or the missing measures of a known source.
struct ComponentRequest: Sendable {
  let first: PixelPlace
  /// The box that the patch must contain.
  let box: PixelBox
  /// The box that the patch must contain for the component's measures; `nil` if it is not known.
  private(set) var needed: PixelBox?
  /// The source without its aperture fluxes, if its other measures are known.
  var known: Source?

  init(_ place: ComponentPlace) {
    first = place.first
    box = place.box
    needed = place.needed
  }

  init(known: Source) {
    first = known.component
    self.known = known
    let (x, y) = (Int((known.x - 1).rounded()), Int((known.y - 1).rounded()))
    box = PixelBox(columns: x..<x + 1, rows: y..<y + 1)
  }
}
