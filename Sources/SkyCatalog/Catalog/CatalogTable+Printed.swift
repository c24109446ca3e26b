extension CatalogTable {
  /// The table as SExtractor's formats have it, with SExtractor's number for none where there is no value.
  package var printed: PrintedTable {
    let fields = printedColumns.fields
    let parts = fields.map { $0[0].column.isStamp ? Part.stamp($0) : .numbers($0) }
    return PrintedTable(
      fields: fields.map { PrintedTable.Field($0, dimensions: dimensions(of: $0)) },
      rowCount: rowCount, partial: partial
    ) { number, values in
      var row = self.row(number)
      for part in parts { part.append(&row, to: &values) }
    }
  }

  /// The values of a field.
  private enum Part {
    case numbers([TableColumn])
    /// A stamp has thousands of pixels, for which no closure is called.
    case stamp(absent: Double, count: Int)

    static func stamp(_ columns: [TableColumn]) -> Part {
      .stamp(absent: columns[0].column.absent, count: columns.count)
    }

    func append(_ row: inout CatalogRow, to values: inout [Double]) {
      switch self {
      case .numbers(let columns):
        for column in columns { values.append(column.printedNumber(&row)) }
      case .stamp(let absent, let count):
        guard let pixels = row.context.stampPixels(ofRow: row.number - 1) else {
          values.append(contentsOf: repeatElement(absent, count: count))
          return
        }
        values.append(contentsOf: pixels.lazy.map { $0.isFinite ? Double($0) : absent })
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
