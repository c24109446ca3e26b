public import SkyDetection
public import SkyFITS

extension CatalogTable {
  /// A table of sources, numbered from 1 in their order.
  ///
  /// - Parameters:
  ///   - rows: the sources.
  ///   - columns: what is in the columns; positions in the sky only if they are known.
  ///   - settings: what the sources were measured by.
  ///   - positions: where each of the sources is in the sky, if that is known.
  public init(
    _ rows: [Source], _ columns: [Column] = Column.usual, settings: DetectionSettings,
    positions: [SkyPosition?]? = nil
  ) {
    var facts = ImageFacts(gain: settings.gain)
    if let positions { facts.positions = positions }
    self.init(
      rows,
      columns: columns.filter { positions != nil || !$0.isInSky }.flatMap { column in
        guard column == .apertureFlux else { return [TableColumn(column: column)] }
        return settings.apertures.enumerated().map { index, diameter in
          TableColumn(column: column, index: index, aperture: diameter)
        }
      }, facts: facts)
  }
}
