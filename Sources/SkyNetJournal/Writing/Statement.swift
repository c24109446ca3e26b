import CSQLite
import GRDB

/// A statement that writes rows with SQLite's own functions. Millions of rows are written this way,
/// and boxing each value, as GRDB does, would be most of the cost.
///
/// It lives within one transaction of the main connection. Preparing it takes some microseconds,
/// and a transaction comes at most every 12 ms, so nothing is gained by keeping it for longer.
struct Statement: ~Copyable {
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private let statement: OpaquePointer
  private let connection: OpaquePointer

  /// - Parameter sql: one statement.
  /// - Throws: `DatabaseError`.
  init(_ db: Database, _ sql: String) throws {
    guard let connection = db.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
    }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v2(connection, sql, -1, &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw Self.error(code, connection) }
    (statement, self.connection) = (prepared, connection)
  }

  deinit { sqlite3_finalize(statement) }

  func bind(_ index: CInt, _ value: Int) { sqlite3_bind_int64(statement, index, Int64(value)) }

  func bind(_ index: CInt, _ value: Double?) {
    if let value {
      sqlite3_bind_double(statement, index, value)
    } else {
      sqlite3_bind_null(statement, index)
    }
  }

  func bind(_ index: CInt, _ value: Bool?) {
    if let value { bind(index, value ? 1 : 0) } else { sqlite3_bind_null(statement, index) }
  }

  func bind(_ index: CInt, _ value: String?) {
    guard var value else {
      sqlite3_bind_null(statement, index)
      return
    }
    value.withUTF8 { bind(index, utf8: UnsafeRawBufferPointer($0)) }
  }

  func bind(_ index: CInt, utf8 bytes: UnsafeRawBufferPointer) {
    // An empty buffer may have no address, which would be bound as NULL.
    withExtendedLifetime(bytes) {
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      if let start {
        sqlite3_bind_text(statement, index, start, CInt(bytes.count), Self.transient)
      } else {
        sqlite3_bind_text(statement, index, "", 0, Self.transient)
      }
    }
  }

  /// Binds bytes without a copy. They must not move until the statement has run.
  func bind(_ index: CInt, utf8InPlace bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
      bind(index, utf8: bytes)
      return
    }
    // Without a destructor, SQLite neither copies nor frees the bytes.
    sqlite3_bind_text(statement, index, start, CInt(bytes.count), nil)
  }

  /// Runs the statement with the bound values. It must return no row.
  ///
  /// - Throws: `DatabaseError`.
  func run() throws {
    let code = sqlite3_step(statement)
    defer { sqlite3_reset(statement) }
    guard code == SQLITE_DONE else { throw Self.error(code, connection) }
  }

  /// Runs the statement with the bound values, and returns the first column of its row.
  ///
  /// - Throws: `DatabaseError`, also if there is no row.
  func number() throws -> Int {
    let code = sqlite3_step(statement)
    defer { sqlite3_reset(statement) }
    guard code == SQLITE_ROW else {
      throw code == SQLITE_DONE
        ? DatabaseError(resultCode: .SQLITE_INTERNAL, message: "a row is not there")
        : Self.error(code, connection)
    }
    return Int(sqlite3_column_int64(statement, 0))
  }

  private static func error(_ code: CInt, _ connection: OpaquePointer) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
  }
}
