import GRDB
import GRDBSQLite

/// A prepared statement, bound and stepped directly: millions of rows pass here, and boxing each
/// of their values would be most of their cost.
struct RawStatement {
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private let statement: SQLiteStatement
  private let connection: SQLiteConnection

  /// - Parameter sql: one statement that returns no rows; it is prepared once for a connection.
  init(_ db: Database, _ sql: String) throws {
    guard let connection = db.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
    }
    statement = try db.cachedStatement(sql: sql).sqliteStatement
    self.connection = connection
  }

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

  /// Binds bytes that stay where they are until it has run.
  func bind(_ index: CInt, utf8InPlace bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
      bind(index, utf8: bytes)
      return
    }
    // No destructor: they are neither copied nor freed.
    sqlite3_bind_text(statement, index, start, CInt(bytes.count), nil)
  }

  /// Runs it with what is bound.
  ///
  /// - Throws: `DatabaseError`.
  func run() throws {
    let code = sqlite3_step(statement)
    defer { sqlite3_reset(statement) }
    guard code == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection))
      )
    }
  }
}
