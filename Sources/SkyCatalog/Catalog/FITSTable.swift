import CCFITSIO
public import Foundation
import SkyFITS

extension CatalogTable {
  /// A FITS file with an empty primary unit and a binary table, whose cells are the same numbers as
  /// those in the text tables (FITS Standard 4.0, section 7.3). The same catalogue gives the same
  /// bytes, because the file contains no time.
  ///
  /// It is the table that SExtractor calls FITS_1.0: it has the same name, columns' names and units,
  /// and several apertures make one column of vectors, FLUX_APER. A missing number is NaN.
  ///
  /// The file is made in memory: the call computes, and waits for nothing.
  ///
  /// - Throws: `FITSError` if memory runs out.
  public func fits() throws -> Data {
    let memory = try MemoryFile()
    var status: CInt = 0
    CFITSIO.createEmptyPrimary(memory.file, &status)
    let fields = columns.fields
    CFITSIO.createTable(
      memory.file, name: "OBJECTS", rows: rowCount, fields.map { field($0) }, &status)
    if let partial {
      let marks = Coverage.Mark.self
      CFITSIO.write(memory.file, marks.partial, true, "not all sectors were scanned", &status)
      CFITSIO.write(memory.file, marks.scanned, partial.scanned, "sectors scanned", &status)
      CFITSIO.write(memory.file, marks.total, partial.total, "sectors of the image", &status)
    }
    for (index, columns) in fields.enumerated() {
      if columns[0].column.isStamp, context.stampPixels.count == rowCount * columns.count {
        CFITSIO.write(memory.file, column: index + 1, TFLOAT, context.stampPixels, &status)
        continue
      }
      let cells = cells(of: columns)
      func write<Value: BitwiseCopyable>(_ type: CInt, _ value: (Cell) -> Value) {
        CFITSIO.write(memory.file, column: index + 1, type, cells.map(value), &status)
      }
      switch columns[0].column.numbers {
      case .int16: write(TSHORT) { Int16(clamping: $0.whole) }
      case .int32: write(TINT) { Int32(clamping: $0.whole) }
      case .float32: write(TFLOAT) { Float($0.number) }
      case .float64: write(TDOUBLE) { $0.number }
      }
    }
    return try memory.contents(status)
  }
}

extension [TableColumn] {
  /// The columns of each field: one, or those of a vector.
  var fields: [[TableColumn]] {
    reduce(into: []) { fields, column in
      if column.index > 0 {
        fields[fields.count - 1].append(column)
      } else {
        fields.append([column])
      }
    }
  }
}

extension CatalogTable {
  private func field(_ columns: [TableColumn]) -> CFITSIO.TableField {
    let first = columns[0]
    let isList = columns.count > 1 && !first.column.isStamp
    return CFITSIO.TableField(
      name: first.name, form: "\(columns.count)\(first.column.numbers.type.rawValue)",
      unit: first.column.unit,
      comment: isList ? TableColumn.description(of: columns) : first.description,
      dimensions: dimensions(of: columns))
  }
}

extension Cell {
  /// The number that the text shows; NaN for no value.
  var number: Double {
    switch self {
    case .integer(let value): Double(value)
    case .fixed(let value, let places): value.map { rounded($0, places: places) } ?? .nan
    case .single(let value): value.map { Double(Float($0)) } ?? .nan
    case .double(let value): value ?? .nan
    }
  }

  /// The integer that the text shows; 0 for a cell that is not an integer.
  var whole: Int {
    if case .integer(let value) = self { value } else { 0 }
  }
}
