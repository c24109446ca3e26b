/// A catalogue as SExtractor's formats have it: fields of numbers, each of which is printed in its own
/// way, and a number in each place.
package struct PrintedTable: Sendable {
  /// A column, or a column of vectors.
  package struct Field: Hashable, Sendable {
    var name: String
    /// Words that have no room in a format are left out there.
    var description: String
    /// The unit, as in FITS (FITS Standard 4.0, section 4.3); `nil` for a plain number.
    var unit: String?
    var type: NumberType
    var format: PrintFormat
    /// The lengths of a vector's axes, the fastest one first; empty for one number.
    var dimensions: [Int] = []

    /// The number of values in a row.
    var count: Int { dimensions.reduce(1, *) }
  }

  let fields: [Field]
  let rowCount: Int
  /// The part of the image that the table covers; `nil` for all of it.
  var partial: Coverage?
  private let appendRow: @Sendable (_ row: Int, _ values: inout [Double]) -> Void

  /// - Parameter appendRow: appends the values of a row, those of all fields. Each writer calls it
  ///   once for each row, so a table of large vectors need not be in memory.
  init(
    fields: [Field], rowCount: Int, partial: Coverage? = nil,
    appendRow: @escaping @Sendable (_ row: Int, _ values: inout [Double]) -> Void
  ) {
    (self.fields, self.rowCount, self.partial) = (fields, rowCount, partial)
    self.appendRow = appendRow
  }

  init(fields: [Field], rows: [[Double]], partial: Coverage? = nil) {
    self.init(fields: fields, rowCount: rows.count, partial: partial) { row, values in
      values += rows[row]
    }
  }

  /// Replaces values by those of a row.
  func read(_ row: Int, into values: inout [Double]) {
    values.removeAll(keepingCapacity: true)
    appendRow(row, &values)
  }

  /// Calls the closure with each of a row's values in turn, and its field.
  ///
  /// - Parameter values: room for the values, which is used again for the next row.
  func forEachValue(_ row: Int, _ values: inout [Double], _ body: (Field, Double) -> Void) {
    read(row, into: &values)
    var next = 0
    for field in fields {
      let end = next + field.count
      while next < end {
        body(field, values[next])
        next += 1
      }
    }
  }
}
