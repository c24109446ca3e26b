import CCFITSIO
import Foundation

/// The functions that write tables. Each is documented with its long name in C.
extension CFITSIO {
  /// `fits_create_memfile`: a file in memory that grows as it is written. The pointers must stay
  /// valid until the file is closed.
  static func createInMemory(
    _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ size: UnsafeMutablePointer<Int>,
    growth: Int, _ status: inout CInt
  ) -> File? {
    var file: File?
    ffimem(&file, memory, size, growth, realloc, &status)
    return file
  }

  /// `fits_flush_file`
  static func flush(_ file: File, _ status: inout CInt) {
    ffflus(file, &status)
  }

  /// `fits_get_hduaddrll`: the byte in the file where the unit's data end, including their fill.
  static func dataEnd(_ file: File, _ status: inout CInt) -> Int {
    var (headStart, dataStart, dataEnd) = (LONGLONG(0), LONGLONG(0), LONGLONG(0))
    ffghadll(file, &headStart, &dataStart, &dataEnd, &status)
    return Int(dataEnd)
  }

  /// `fits_create_img`: a primary unit without data, to precede an extension.
  package static func createEmptyPrimary(_ file: File, _ status: inout CInt) {
    ffcrim(file, BYTE_IMG, 0, nil, &status)
  }

  /// A column of a binary table.
  package struct TableField {
    /// TTYPEn, TFORMn, TUNITn, TCOMMn and, for vectors of several axes, TDIMn.
    var name: String
    var form: String
    var unit: String?
    var comment: String
    var dimensions: [Int]

    package init(
      name: String, form: String, unit: String?, comment: String, dimensions: [Int] = []
    ) {
      self.name = name
      self.form = form
      self.unit = unit
      self.comment = comment
      self.dimensions = dimensions
    }
  }

  /// `fits_create_tbl`, `fits_write_key_str`: the unit of a binary table whose cells are zero.
  package static func createTable(
    _ file: File, name: String, rows: Int, _ fields: [TableField], _ status: inout CInt
  ) {
    withCStrings(fields.map(\.name)) { names in
      withCStrings(fields.map(\.form)) { forms in
        withCStrings(fields.map { $0.unit ?? "" }) { units in
          _ = ffcrtb(
            file, BINARY_TBL, LONGLONG(rows), CInt(fields.count), names, forms, units, name,
            &status)
        }
      }
    }
    for (index, field) in fields.enumerated() {
      ffpkys(file, "TCOMM\(index + 1)", field.comment, nil, &status)
      guard field.dimensions.count > 1 else { continue }
      let sides = field.dimensions.map(String.init).joined(separator: ",")
      ffpkys(file, "TDIM\(index + 1)", "(\(sides))", nil, &status)
    }
  }

  /// `fits_write_key_log`
  package static func write(
    _ file: File, _ keyword: String, _ value: Bool, _ comment: String, _ status: inout CInt
  ) {
    ffpkyl(file, keyword, value ? 1 : 0, comment, &status)
  }

  /// `fits_write_key_lng`
  package static func write(
    _ file: File, _ keyword: String, _ value: Int, _ comment: String, _ status: inout CInt
  ) {
    ffpkyj(file, keyword, LONGLONG(value), comment, &status)
  }

  /// `fits_write_col`: the cells of a column, from the first row on. Columns count from 1.
  package static func write<Value: BitwiseCopyable>(
    _ file: File, column: Int, _ type: CInt, _ values: [Value], _ status: inout CInt
  ) {
    var values = values
    ffpcl(file, type, CInt(column), 1, 1, LONGLONG(values.count), &values, &status)
  }

  private static func withCStrings(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Void
  ) {
    var copies = strings.map { strdup($0) }
    body(&copies)
    for copy in copies { free(copy) }
  }
}
