import CSQLite

/// What SQLite refused or could not do.
package struct DatabaseError: Error, Hashable, CustomStringConvertible {
  /// SQLite's extended result code, such as `SQLITE_IOERR_WRITE`.
  package let extendedResultCode: CInt
  /// What happened, in SQLite's words. They may quote the database.
  package let message: String

  /// - Parameter message: `nil` stands for what SQLite says of the code.
  package init(_ resultCode: CInt, _ message: String? = nil) {
    extendedResultCode = resultCode
    self.message = message ?? String(cString: sqlite3_errstr(resultCode))
  }

  /// SQLite's primary result code, such as `SQLITE_IOERR`.
  package var resultCode: CInt { extendedResultCode & 0xff }

  package var description: String { "SQLite error \(extendedResultCode): \(message)" }

  /// - Throws: the connection's error, unless its last function returned `SQLITE_OK`.
  static func check(_ code: CInt, of connection: OpaquePointer?) throws {
    guard code != SQLITE_OK else { return }
    throw DatabaseError(code, String(cString: sqlite3_errmsg(connection)))
  }
}

/// Why a column of a row is not the value that was asked for.
package enum ColumnError: Error, Hashable, CustomStringConvertible {
  /// It is NULL.
  case missing
  case otherType

  package var description: String {
    switch self {
    case .missing: "a value is missing"
    case .otherType: "a value has another type than its column"
    }
  }
}
