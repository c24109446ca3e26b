extension CatalogTable {
  /// The table as SExtractor's formats have it: where there is no value, its number for none.
  package var printed: PrintedTable {
    let all = fields
    return PrintedTable(
      fields: all.map { PrintedTable.Field($0, dimensions: dimensions(of: $0)) },
      rowCount: rowCount, partial: partial
    ) { number, values in
      var row = self.row(number)
      for columns in all {
        // A stamp has thousands of pixels.
        if columns[0].column.isStamp, let pixels = context.stampPixels(ofRow: number) {
          let absent = columns[0].column.absent
          values += pixels.lazy.map { $0.isFinite ? Double($0) : absent }
        } else {
          for column in columns { values.append(column.printedNumber(&row)) }
        }
      }
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
  fileprivate init(_ columns: [TableColumn], dimensions: [Int]) {
    let column = columns[0].column
    self.init(
      name: column.name, description: String(column.description.prefix(58)), unit: column.unit,
      type: column.printedType, format: column.printed,
      dimensions: dimensions)
  }
}
