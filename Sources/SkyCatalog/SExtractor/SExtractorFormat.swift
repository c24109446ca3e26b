package import Foundation

/// A format of SExtractor's catalogues, by its name in CATALOG_TYPE.
package enum SExtractorFormat: String, CaseIterable, Sendable {
  case none = "NONE"
  case ascii = "ASCII"
  case asciiHead = "ASCII_HEAD"
  case asciiSkycat = "ASCII_SKYCAT"
  case asciiVOTable = "ASCII_VOTABLE"
  case fitsLDAC = "FITS_LDAC"
  case fits1 = "FITS_1.0"

  /// Those that exist here.
  package static let served: [SExtractorFormat] = [.none, .ascii, .asciiHead, .fits1]

  /// Whether CATALOG_NAME STDOUT means standard output, and no file of that name.
  package var isText: Bool { self != .fits1 && self != .fitsLDAC }

  /// The contents of a catalogue's file: the one place where a format's writer is called.
  ///
  /// - Throws: `FITSError` if a FITS table cannot be made.
  package func data(of table: CatalogTable) throws -> Data {
    switch self {
    case .ascii: Data(table.asciiRows)
    case .asciiHead: Data(table.asciiHeader + table.asciiRows)
    case .fits1: try table.fits()
    case .none, .asciiSkycat, .asciiVOTable, .fitsLDAC: Data()
    }
  }
}

extension CatalogTable {
  /// A line for each column: `#   2 X_IMAGE                description     [unit]`. A vector has one, with the number of
  /// its first value.
  fileprivate var asciiHeader: [UInt8] {
    var lines = ""
    for (offset, column) in columns.enumerated() where column.index == 0 {
      lines += column.column.asciiLine(after: "# \(String(offset + 1).leftPadded(to: 3)) ") + "\n"
    }
    return Array(lines.utf8)
  }

  fileprivate var asciiRows: [UInt8] {
    var bytes: [UInt8] = []
    for row in 0..<rowCount {
      var isFirst = true
      forEachCell(row) { cell in
        if !isFirst { bytes.append(UInt8(ascii: " ")) }
        isFirst = false
        let start = bytes.count
        cell.append(to: &bytes)
        // SExtractor has a number for no value, too.
        if bytes.count == start { bytes.append(UInt8(ascii: "0")) }
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }
}

extension Column {
  /// The column as `-dp` and the headers of SExtractor's catalogues describe it.
  package func asciiLine(after beginning: String) -> String {
    beginning + name.padded(to: 22) + " " + String(description.prefix(58)).padded(to: 58)
      + (unit.map { " [\($0)]" } ?? "")
  }
}

extension String {
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
