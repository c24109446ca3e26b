public import SkyNetCore

/// Finds the sources in one sector of an image and measures them.
///
/// The sky under them is estimated from the sector alone and subtracted; the sector is smoothed
/// with [1 2 1; 2 4 2; 1 2 1]/16; what then lies over the threshold is joined with its eight
/// neighbours, and what is smaller than the minimum area is dropped. This is SExtractor's way
/// (Bertin & Arnouts 1996, A&AS 117, 393) without deblending: neighbours that touch are one
/// source. A source that lies across the border of two sectors is found as one in each.
///
/// The same settings and sector give the same bytes on any machine.
public struct SourceScan: Scan {
  public static let kind = ScanKind(name: "sources", version: 1)

  public init() {}

  /// Scans a sector; the sources come in the order of their first pixels, row by row.
  ///
  /// - Throws: ``InvalidScan`` if the settings or the sector make no sense, `CancellationError`.
  public func run(
    _ sector: SourceSector, settings: SourceSettings
  ) async throws -> [Source] {
    try sources(in: sector, settings: settings)
  }

  /// The same, for who cannot wait.
  package func sources(in sector: SourceSector, settings: SourceSettings) throws -> [Source] {
    try settings.check()
    try sector.check()
    var plane = Plane(
      width: sector.width, height: sector.height, values: sector.coding.values(of: sector.pixels))
    guard let sky = try SkyMap(of: plane) else { return [] }
    try sky.subtract(from: &plane)
    var runs = RunFinder(plane, threshold: Float(settings.threshold * sky.noise))
    try runs.find()
    return try measure(
      runs, of: plane, minimumArea: settings.minimumArea, origin: (sector.x, sector.y))
  }
}
