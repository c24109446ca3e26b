import CSQLite

/// A value that a statement takes for a parameter and that a row has in a column: `Int`, `Double`, `Bool`, `String`,
/// and optionals of these, whose `nil` is NULL.
package protocol SQLiteValue {
  /// The value in a column of the statement's row; the first has number 0.
  ///
  /// - Throws: ``ColumnError`` if it is of another type; ``DatabaseError`` if there is no such column.
  init(column: CInt, of statement: Statement) throws

  /// Makes this the value of a parameter of the statement; the first has number 1.
  ///
  /// - Throws: ``DatabaseError``, also if there is no such parameter.
  func bind(to statement: Statement, at parameter: CInt) throws
}

extension Int: SQLiteValue {
  package init(column: CInt, of statement: Statement) throws {
    try statement.expect(SQLITE_INTEGER, inColumn: column)
    self = Int(sqlite3_column_int64(statement.handle, column))
  }

  package func bind(to statement: Statement, at parameter: CInt) throws {
    try statement.check(sqlite3_bind_int64(statement.handle, parameter, Int64(self)))
  }
}

/// SQLite's 0 is `false`, and any other integer `true`.
extension Bool: SQLiteValue {
  package init(column: CInt, of statement: Statement) throws {
    self = try Int(column: column, of: statement) != 0
  }

  package func bind(to statement: Statement, at parameter: CInt) throws {
    try (self ? 1 : 0).bind(to: statement, at: parameter)
  }
}

/// SQLite's integers can be read as `Double` too.
extension Double: SQLiteValue {
  package init(column: CInt, of statement: Statement) throws {
    try statement.expect(SQLITE_FLOAT, or: SQLITE_INTEGER, inColumn: column)
    self = sqlite3_column_double(statement.handle, column)
  }

  /// NaN becomes NULL, since SQLite has no such number.
  package func bind(to statement: Statement, at parameter: CInt) throws {
    try statement.check(sqlite3_bind_double(statement.handle, parameter, self))
  }
}

/// A text is read up to its first zero byte, as SQLite's own functions take it. What is no UTF-8 is replaced by U+FFFD.
extension String: SQLiteValue {
  package init(column: CInt, of statement: Statement) throws {
    try statement.expect(SQLITE_TEXT, inColumn: column)
    guard let text = sqlite3_column_text(statement.handle, column) else {
      throw DatabaseError(SQLITE_NOMEM)
    }
    self.init(cString: text)
  }

  package func bind(to statement: Statement, at parameter: CInt) throws {
    var text = self
    try text.withUTF8 { try statement.bind(parameter, utf8: UnsafeRawBufferPointer($0)) }
  }
}

extension Optional: SQLiteValue where Wrapped: SQLiteValue {
  package init(column: CInt, of statement: Statement) throws {
    self =
      try statement.type(ofColumn: column) == SQLITE_NULL
      ? nil : Wrapped(column: column, of: statement)
  }

  package func bind(to statement: Statement, at parameter: CInt) throws {
    if let self {
      try self.bind(to: statement, at: parameter)
    } else {
      try statement.check(sqlite3_bind_null(statement.handle, parameter))
    }
  }
}
