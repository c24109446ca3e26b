public import SkyDetection
public import SkyFITS

extension CatalogTable {
  /// A table of sources, numbered from 1 in the order of `rows`.
  ///
  /// - Parameters:
  ///   - rows: the sources.
  ///   - columns: the table's columns. Columns of sky positions are left out if `positions` is
  ///     `nil`.
  ///   - settings: the settings with which the sources were measured.
  ///   - positions: the sky position of each source, with `nil` for a source outside of the sky; or
  ///     `nil` if the image has no sky positions.
  public init(
    _ rows: [Source], _ columns: [Column] = Column.usual, settings: DetectionSettings,
    positions: [SkyPosition?]? = nil
  ) {
    self.init(
      rows,
      columns: columns.filter { positions != nil || !$0.isInSky }.flatMap { column in
        guard column.isVector else { return [TableColumn(column: column)] }
        let diameters = settings.apertures
        return diameters.prefix(column.size ?? diameters.count).enumerated().map {
          TableColumn(column: column, index: $0, aperture: $1)
        }
      }, positions: positions ?? [])
  }
}
