public import SkyDetection

extension CatalogTable {
  /// A table of sources, numbered from 1 in the order of `rows`.
  ///
  /// - Parameters:
  ///   - rows: the sources.
  ///   - columns: the table's columns. If the image has no sky positions, columns of the sky are only in
  ///     SExtractor's formats, as in its own tables.
  ///   - context: what the columns are computed from.
  public init(_ rows: [Source], _ columns: [Column] = Column.usual, context: CatalogContext) {
    func places(_ columns: [Column]) -> [TableColumn] {
      columns.flatMap { TableColumn.columns(of: $0, context.detection) }
    }
    let shown = columns.filter { context.isInSky || !$0.isInSky(context.catalog) }
    self.init(rows, columns: places(shown), context: context)
    printedColumns = places(columns)
  }

  /// The lengths of the axes of a field's vectors, the fastest one first; empty for one number. As in SExtractor, a
  /// stamp has two, even if it is one row or one pixel.
  func dimensions(of columns: [TableColumn]) -> [Int] {
    let first = columns[0].column
    if first.isStamp, let stamp = context.detection.stamp {
      return [stamp.width, stamp.height]
    }
    return first.isVector ? [columns.count] : []
  }
}

extension TableColumn {
  /// The columns of a table for a column: itself, or one for each value of a vector.
  fileprivate static func columns(
    of column: Column, _ settings: DetectionSettings
  ) -> [TableColumn] {
    if column.isStamp, let stamp = settings.stamp {
      return (0..<stamp.pixelCount).map { TableColumn(column: column, index: $0) }
    }
    guard column.isVector else { return [TableColumn(column: column)] }
    let isInCircles = column.needs.contains(.apertures)
    let values = isInCircles ? settings.apertures : settings.fluxFractions
    return values.prefix(column.size ?? values.count).enumerated().map { index, value in
      TableColumn(
        column: column, index: index, aperture: isInCircles ? value : nil,
        fraction: isInCircles ? nil : value)
    }
  }
}
