extension CatalogTable {
  /// The table as SExtractor's formats have it: where there is no value, its number for none.
  package var printed: PrintedTable {
    let all = printedColumns
    return PrintedTable(
      fields: all.fields.map { PrintedTable.Field($0, dimensions: dimensions(of: $0)) },
      rowCount: rowCount, partial: partial
    ) { number, values in
      var row = self.row(number)
      for columns in all.fields {
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
    guard let number = column.numbers.number(row), number.isFinite else {
      return row.context.isInSky && column.isPlace ? Self.outside : column.absent
    }
    return number
  }

  /// What SExtractor has for the place of a pixel outside of the sky.
  private static let outside = 1e31
}

extension PrintedTable.Field {
  fileprivate init(_ columns: [TableColumn], dimensions: [Int]) {
    let column = columns[0].column
    self.init(
      name: column.name, description: column.description, unit: column.unit,
      type: column.printedType, format: column.printed,
      dimensions: dimensions)
  }
}
