/// The sources of an image.
public struct Catalog: Sendable {
  /// In the order in which they were added.
  public private(set) var sources: [Source] = []

  public init() {}

  public mutating func add(_ more: [Source]) {
    sources.append(contentsOf: more)
  }

  /// The sources as a table, which depends on them alone, and not on the order in which they were
  /// added: rows are in the order in which an image is read, by the first pixel of what hangs
  /// together, and numbered from 1. What the settings have cleaned away is left out; see ``Cleaner``.
  ///
  /// - Parameters:
  ///   - columns: what is in the columns; positions in the sky only with coordinates.
  ///   - settings: what the sources were measured by.
  ///   - coordinates: where the image is in the sky.
  package func table(
    _ columns: [Column], settings: SourceSettings, coordinates: WorldCoordinates? = nil
  ) -> CatalogTable {
    var inOrder = sources.sorted { ($0.component, $0.part) < ($1.component, $1.part) }
    if let parameter = settings.cleaning {
      inOrder = Cleaner(parameter: parameter).survivors(of: inOrder)
    }
    var facts = ImageFacts(gain: settings.gain)
    let wanted = columns.filter { coordinates != nil || !$0.isInSky }
    if let coordinates, wanted.contains(where: \.isInSky) {
      facts.positions = coordinates.sky(inOrder.map { ($0.x, $0.y) })
    }
    return CatalogTable(
      inOrder,
      columns: wanted.flatMap { column in
        guard column == .apertureFlux else { return [TableColumn(column: column)] }
        return settings.apertures.enumerated().map { index, diameter in
          TableColumn(column: column, index: index, aperture: diameter)
        }
      }, facts: facts)
  }
}
