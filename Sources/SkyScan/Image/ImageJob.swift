public import SkyNetCore

/// The scan of one image for sources, sector by sector; the result of a sector is how many sources
/// it has, and all of them together are the ``catalog``.
public struct ImageJob: Job {
  public let scan = SourceScan()
  public let settings: SourceSettings
  public let image: FITSImage
  public let grid: SectorGrid
  /// The sources found so far.
  public private(set) var catalog = Catalog()

  public var sectorCount: Int { grid.count }

  /// - Parameters:
  ///   - image: an open image.
  ///   - sectorSide: in pixels; a multiple of ``SectorGrid/sideMultiple``.
  /// - Throws: ``InvalidScan`` if the side or a setting is not allowed.
  public init(
    image: FITSImage, sectorSide: Int = SectorGrid.defaultSide,
    settings: SourceSettings = SourceSettings()
  ) throws {
    try settings.check()
    grid = try SectorGrid(width: image.width, height: image.height, side: sectorSide)
    self.image = image
    self.settings = settings
  }

  /// What the file holds, how it is cut, and how sources are told from noise; where it lies does
  /// not matter. Reads the whole file.
  ///
  /// - Throws: ``FITSError``.
  public func identity() async throws -> JobIdentity {
    let hash = String(try await image.contentsHash(), radix: 16)
    return JobIdentity([
      .init("scan", "\(SourceScan.kind)"),
      .init("image size", "\(image.width) × \(image.height) pixels"),
      .init("image contents", String(repeating: "0", count: 16 - hash.count) + hash),
      .init("sector size", "\(grid.side)"),
      .init("threshold", "\(settings.threshold)"),
      .init("minimum area", "\(settings.minimumArea)"),
      .init("sectors", "\(sectorCount)"),
    ])
  }

  /// Reads the sector's pixels from the file.
  ///
  /// - Throws: ``FITSError``.
  public func sector(for task: TaskID) async throws -> SourceSector {
    let rectangle = grid[task.sector]
    return SourceSector(
      number: task.sector, rectangle: rectangle, coding: image.coding,
      pixels: try await image.pixels(in: rectangle))
  }

  /// Adds a sector's sources to the catalogue.
  public mutating func receive(_ output: [Source], for task: TaskID) throws -> Reception {
    catalog.add(output)
    return Reception(result: output.count)
  }
}
