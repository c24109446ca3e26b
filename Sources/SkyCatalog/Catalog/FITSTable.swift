import CCFITSIO
public import Foundation
import SkyFITS

extension CatalogTable {
  /// A FITS file with an empty primary unit and a binary table, whose cells are the same numbers as
  /// those in the text tables (FITS Standard 4.0, section 7.3). The same catalogue gives the same
  /// bytes, because the file contains no time.
  ///
  /// Columns have the names of the text tables, so that a catalogue has the same columns in every
  /// format. Several apertures make the columns FLUX_APER, FLUX_APER_1 and so on. SExtractor writes
  /// one column of vectors instead, which TOPCAT and databases cannot plot or sort by. A missing
  /// number is NaN.
  ///
  /// The file is made in memory: the call computes, and waits for nothing.
  ///
  /// - Throws: `FITSError` if memory runs out.
  public func fits() throws -> Data {
    let memory = try MemoryFile()
    var status: CInt = 0
    CFITSIO.createEmptyPrimary(memory.file, &status)
    CFITSIO.createTable(memory.file, name: "SOURCES", rows: rowCount, columns.map(\.field), &status)
    if let partial {
      let marks = Coverage.Mark.self
      CFITSIO.write(memory.file, marks.partial, true, "not all sectors were scanned", &status)
      CFITSIO.write(memory.file, marks.scanned, partial.scanned, "sectors scanned", &status)
      CFITSIO.write(memory.file, marks.total, partial.total, "sectors of the image", &status)
    }
    for (index, column) in columns.enumerated() {
      let cells = cells(of: column)
      func write<Value: BitwiseCopyable>(_ type: CInt, _ value: (Cell) -> Value) {
        CFITSIO.write(memory.file, column: index + 1, type, cells.map(value), &status)
      }
      switch column.type {
      case .int16: write(TSHORT) { Int16(clamping: $0.whole) }
      case .int32: write(TINT) { Int32(clamping: $0.whole) }
      case .float32: write(TFLOAT) { Float($0.number) }
      case .float64: write(TDOUBLE) { $0.number }
      }
    }
    return try memory.contents(status)
  }
}

extension TableColumn {
  fileprivate var field: CFITSIO.TableField {
    CFITSIO.TableField(
      name: name, form: type.form, unit: column.unit, comment: description)
  }
}

extension Cell {
  /// The number that the text shows; NaN for no value.
  var number: Double {
    switch self {
    case .integer(let value): Double(value)
    case .fixed(let value, let places): value.map { rounded($0, places: places) } ?? .nan
    case .single(let value): value.map { Double(Float($0)) } ?? .nan
    }
  }

  /// The integer that the text shows; 0 for a cell that is not an integer.
  var whole: Int {
    if case .integer(let value) = self { value } else { 0 }
  }
}
