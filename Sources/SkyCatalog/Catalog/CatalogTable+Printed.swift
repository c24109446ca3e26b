extension CatalogTable {
  /// The table as SExtractor's formats have it: where there is no value, its number for none.
  package var printed: PrintedTable {
    PrintedTable(
      fields: fields.map(PrintedTable.Field.init), rowCount: rowCount, partial: partial
    ) { row, values in
      var row = self.row(row)
      for column in columns { values.append(column.printedNumber(&row)) }
    }
  }
}

extension TableColumn {
  fileprivate func printedNumber(_ row: inout CatalogRow) -> Double {
    row.index = index
    guard let number = column.numbers.number(row), number.isFinite else { return column.absent }
    return number
  }
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
