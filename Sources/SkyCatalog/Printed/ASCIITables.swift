extension PrintedTable {
  /// ASCII_HEAD: a line for each field, and then a line for each row. Tables with the same fields
  /// follow each other under one head, as the extensions of a file do.
  static func asciiHead(_ tables: [PrintedTable]) -> [UInt8] {
    (tables.first.map(head) ?? []) + ascii(tables)
  }

  /// ASCII: a line for each row.
  static func ascii(_ tables: [PrintedTable]) -> [UInt8] {
    var (bytes, values): ([UInt8], [Double]) = ([], [])
    for table in tables {
      for row in 0..<table.rowCount {
        table.forEachValue(row, &values) { field, value in
          field.format.append(field.type.stored(value), to: &bytes)
          bytes.append(UInt8(ascii: " "))
        }
        // The last blank of a line makes way for the end of the line.
        if !values.isEmpty { bytes.removeLast() }
        bytes.append(UInt8(ascii: "\n"))
      }
    }
    return bytes
  }

  /// The lines about the fields. Each has the number of the field's first value, from 1.
  private static func head(_ table: PrintedTable) -> [UInt8] {
    var number = 1
    var lines = table.fields.map { field in
      defer { number += field.count }
      return "# " + String(number).right(in: 3) + " "
        + PrintedTable.Field.line(field.name, field.description, unit: field.unit)
    }
    if let partial = table.partial {
      lines.append("# partial: \(partial.scanned) of \(partial.total) sectors were scanned")
    }
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }
}

extension PrintedTable.Field {
  /// ASCII_HEAD has room for this many characters of a description.
  static let room = 58

  /// How SExtractor describes a column.
  static func line(_ name: String, _ description: String, unit: String?) -> String {
    name.left(in: 22) + " " + description.wholeWords(in: room).left(in: room)
      + (unit.map { " [\($0)]" } ?? "")
  }
}

extension String {
  /// The text with spaces before it, up to a width.
  func right(in width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }

  /// The text with spaces behind it, up to a width, beyond which it is cut.
  func left(in width: Int) -> String {
    String(prefix(width)) + String(repeating: " ", count: Swift.max(0, width - count))
  }

  /// As many words of the text as have room.
  func wholeWords(in width: Int) -> String {
    guard count > width else { return self }
    return prefix(width + 1).lastIndex(of: " ").map { String(self[..<$0]) } ?? ""
  }

  /// The text with spaces behind it, up to a width, beyond which it goes on.
  func filled(to width: Int) -> String { count < width ? left(in: width) : self }
}
