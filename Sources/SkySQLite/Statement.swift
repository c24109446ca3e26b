import CSQLite

/// A prepared statement. It is used by one thread at a time, like its connection.
package final class Statement {
  // A macro of SQLite that Swift does not import: SQLite copies what is bound.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  let handle: OpaquePointer
  /// Whether there are `Rows` that have not ended.
  fileprivate var isBeingRead = false

  /// Prepares the first statement of a text, and moves the text's beginning to what follows it; `nil` if the text ends
  /// before a statement.
  init?(_ text: inout UnsafePointer<CChar>, on connection: OpaquePointer) throws {
    var (prepared, rest) = (OpaquePointer?.none, UnsafePointer<CChar>?.none)
    let code = sqlite3_prepare_v2(connection, text, -1, &prepared, &rest)
    try DatabaseError.check(code, of: connection)
    text = rest ?? text
    guard let prepared else { return nil }
    handle = prepared
  }

  // Its code repeats that of the last step, which was thrown.
  deinit { sqlite3_finalize(handle) }

  func check(_ code: CInt) throws {
    if code != SQLITE_OK { try DatabaseError.check(code, of: sqlite3_db_handle(handle)) }
  }

  // MARK: Parameters

  /// Makes a value that of a parameter, until another one is bound. The first parameter has number 1. It throws if
  /// there is no such parameter, or rows of the statement are being read.
  @inlinable
  package func bind(_ parameter: CInt, _ value: some SQLiteValue) throws {
    try value.bind(to: self, at: parameter)
  }

  /// Binds a text without a copy. Its bytes must not move as long as the statement may run with them.
  package func bind(_ parameter: CInt, utf8InPlace bytes: UnsafeRawBufferPointer) throws {
    // Without a destructor, SQLite neither copies nor frees the bytes.
    try bind(parameter, bytes, nil)
  }

  func bind(_ parameter: CInt, utf8 bytes: UnsafeRawBufferPointer) throws {
    try bind(parameter, bytes, Self.transient)
  }

  private func bind(
    _ parameter: CInt, _ bytes: UnsafeRawBufferPointer, _ destructor: sqlite3_destructor_type?
  ) throws {
    // An empty buffer may have no address, which would be bound as NULL.
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
      return try check(sqlite3_bind_text(handle, parameter, "", 0, Self.transient))
    }
    let (count, encoding) = (UInt64(bytes.count), UInt8(SQLITE_UTF8))
    try check(sqlite3_bind_text64(handle, parameter, start, count, destructor, encoding))
  }

  private func checkIsNotRead() throws {
    if isBeingRead { throw DatabaseError(SQLITE_MISUSE, "the statement's rows are being read") }
  }

  /// Binds a value to each parameter.
  func bind(_ values: [any SQLiteValue]) throws {
    try checkIsNotRead()
    let count = sqlite3_bind_parameter_count(handle)
    guard count == values.count else {
      throw DatabaseError(SQLITE_MISUSE, "\(count) parameters have \(values.count) values")
    }
    for (index, value) in values.enumerated() { try value.bind(to: self, at: CInt(index) + 1) }
  }

  // MARK: Steps

  /// Whether there is a row.
  fileprivate func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code != SQLITE_ROW, code != SQLITE_DONE { try check(code) }
    return code == SQLITE_ROW
  }

  /// Runs the statement with the bound values to its end, and drops its rows. A parameter that was never bound is NULL.
  /// It throws while rows of the statement are being read.
  package func run() throws {
    try checkIsNotRead()
    do {
      while try step() {}
    } catch {
      sqlite3_reset(handle)
      throw error
    }
    try check(sqlite3_reset(handle))
  }

  /// Runs the statement with values for all its parameters.
  package func execute(_ values: any SQLiteValue...) throws {
    try bind(values)
    try run()
  }

  /// Begins to read the statement's rows, with values for all its parameters. It throws while other rows of the
  /// statement are being read.
  package func rows(_ values: any SQLiteValue...) throws -> Rows { try Rows(self, values) }

  /// The first column of the first row; `nil` if there is no row, or the column is NULL.
  ///
  /// - Throws: ``ColumnError`` if the column is of another type.
  package func value<Value: SQLiteValue>(
    _ values: any SQLiteValue..., as type: Value.Type = Value.self
  ) throws -> Value? {
    try Rows(self, values).value()
  }

  // MARK: Columns

  func type(ofColumn column: CInt) throws -> CInt {
    // Of a statement that is at no row, SQLite gives NULL for every column.
    guard 0..<sqlite3_data_count(handle) ~= column else {
      throw DatabaseError(SQLITE_RANGE, "there is no row with a column \(column)")
    }
    return sqlite3_column_type(handle, column)
  }

  func expect(_ type: CInt, or other: CInt? = nil, inColumn column: CInt) throws {
    let found = try self.type(ofColumn: column)
    guard found == type || found == other else {
      throw found == SQLITE_NULL ? ColumnError.missing : .otherType
    }
  }
}

/// The rows of a statement, one after the other. They end after the last one, or with the last reference to them.
package final class Rows {
  fileprivate let statement: Statement
  private var hasEnded = false

  init(_ statement: Statement, _ values: [any SQLiteValue]) throws {
    try statement.bind(values)
    self.statement = statement
    statement.isBeingRead = true
  }

  // Nobody is left to be told of an error, and a statement that was read has nothing left to do.
  deinit { try? end() }

  private func end() throws {
    guard !hasEnded else { return }
    hasEnded = true
    statement.isBeingRead = false
    try statement.check(sqlite3_reset(statement.handle))
  }

  /// The next row, which can be read until the next call; `nil` after the last one, or an error.
  package func next() throws -> Row? {
    guard !hasEnded else { return nil }
    do {
      if try statement.step() { return Row(rows: self) }
    } catch {
      try? end()
      throw error
    }
    try end()
    return nil
  }

  /// Makes something of each row.
  ///
  /// - Throws: what `body` throws.
  package func map<Element>(_ body: (Row) throws -> Element) throws -> [Element] {
    var elements: [Element] = []
    while let row = try next() { elements.append(try body(row)) }
    return elements
  }

  func value<Value: SQLiteValue>() throws -> Value? {
    guard let row = try next() else { return nil }
    let value: Value? = try row[0]
    try end()
    return value
  }
}

/// The row that a statement is at.
package struct Row {
  fileprivate let rows: Rows

  @usableFromInline var statement: Statement { rows.statement }

  /// The value in a column; the first has number 0.
  ///
  /// - Throws: ``ColumnError`` if the value is of another type, or NULL and no optional; ``DatabaseError`` if there is
  ///   no such column, or the rows have ended.
  @inlinable
  package subscript<Value: SQLiteValue>(column: CInt) -> Value {
    get throws { try Value(column: column, of: statement) }
  }
}
