import SkyDetection

extension CatalogTable {
  /// The table as comma-separated values: a line of names, then a line for each source.
  public var csv: String { String(decoding: csvBytes, as: UTF8.self) }

  /// The CSV text in UTF-8.
  var csvBytes: [UInt8] {
    var bytes = Array((columns.map(\.name).joined(separator: ",") + "\n").utf8)
    bytes.reserveCapacity(12 * (columns.count + 1) * (rowCount + 1))
    for row in 0..<rowCount {
      forEachCell(row) { cell in
        cell.append(to: &bytes)
        bytes.append(UInt8(ascii: ","))
      }
      // The last comma of a line makes way for the end of the line.
      if !columns.isEmpty { bytes.removeLast() }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// The table as CSV with types, units and descriptions (ECSV 1.0: Astropy Proposal for
  /// Enhancement 6).
  public var ecsv: String {
    var lines = ["# %ECSV 1.0", "# ---", "# delimiter: ','", "# datatype:"]
    for column in columns {
      let unit = column.column.unit.map { "unit: \($0), " } ?? ""
      // In YAML, a quote between quotes is doubled.
      let description = column.description.replacing("'", with: "''")
      lines.append(
        "# - {name: \(column.name), \(unit)datatype: \(column.column.numbers.type.datatype), "
          + "description: '\(description)'}")
    }
    if let partial {
      lines += [
        "# meta: !!omap", "# - {\(Coverage.Mark.partial): true}",
        "# - {\(Coverage.Mark.scanned): \(partial.scanned)}",
        "# - {\(Coverage.Mark.total): \(partial.total)}",
      ]
    }
    lines.append("# schema: astropy-2.0")
    return lines.joined(separator: "\n") + "\n" + csv
  }

  /// The sources as ellipses, for SAOImage DS9. They are three times as long and wide as A and B,
  /// which is about where a source ends (the SExtractor manual, "Basic shape parameters").
  public var regions: String {
    var text = "# Region file format: DS9 version 4.1\n"
    if let partial {
      text += "# partial: \(partial.scanned) of \(partial.total) sectors were scanned\n"
    }
    text += "image\n"
    for (row, source) in sources.enumerated() {
      let ellipse = source.ellipse
      let numbers = [
        source.x, source.y, 3 * ellipse.semiMajorAxis, 3 * ellipse.semiMinorAxis, ellipse.angle,
      ]
      text +=
        "ellipse(\(numbers.map { decimal($0) }.joined(separator: ",")))"
        + " # text={\(row + 1)}\n"
    }
    return text
  }
}
