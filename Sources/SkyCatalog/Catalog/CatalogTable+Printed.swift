extension CatalogTable {
  /// The table as SExtractor's formats have it: where there is no value, its number for none.
  package var printed: PrintedTable {
    PrintedTable(
      fields: printedColumns.fields.map(PrintedTable.Field.init), rowCount: rowCount,
      partial: partial
    ) { row, values in
      var row = self.row(row)
      for column in printedColumns { values.append(column.printedNumber(&row)) }
    }
  }
}

extension TableColumn {
  fileprivate func printedNumber(_ row: inout CatalogRow) -> Double {
    row.index = index
    guard let number = column.numbers.number(row), number.isFinite else {
      return row.context.isInSky && column.isPlace ? Self.outside : column.absent
    }
    return number
  }

  /// What SExtractor has for the place of a pixel outside of the sky.
  private static let outside = 1e31
}

extension PrintedTable.Field {
  fileprivate init(_ columns: [TableColumn]) {
    let column = columns[0].column
    self.init(
      name: column.name, description: String(column.description.prefix(58)), unit: column.unit,
      type: column.printedType, format: column.printed,
      dimensions: column.isVector ? [columns.count] : [])
  }
}
