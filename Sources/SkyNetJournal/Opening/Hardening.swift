import CSQLite
import SkySQLite

/// The limits of every connection to a journal, since the file may come from an attacker.
enum Hardening {
  /// The most bytes in a text or a row. The largest outputs have some MiB.
  static let longestText = 256 << 20

  /// SQLite's limits for this connection. A journal stays far below all of them.
  private static let limits: [(limit: CInt, most: CInt)] = [
    (SQLITE_LIMIT_LENGTH, CInt(longestText)), (SQLITE_LIMIT_SQL_LENGTH, 64 << 10),
    (SQLITE_LIMIT_COLUMN, 64), (SQLITE_LIMIT_EXPR_DEPTH, 64),
    (SQLITE_LIMIT_COMPOUND_SELECT, 8), (SQLITE_LIMIT_ATTACHED, 0),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// Sets the limits on a connection. This must come before the connection reads the file.
  ///
  /// - Throws: `DatabaseError`.
  static func apply(to db: Database) throws {
    let connection = try db.connection
    for (limit, most) in limits { sqlite3_limit(connection, limit, most) }
    // SQLite then runs no code that a schema contains, neither before the schema was checked nor if
    // another program changes it later.
    let code = skynet_sqlite3_be_cautious(connection)
    guard code == SQLITE_OK else { throw DatabaseError(code) }
    // SQLite checks that a page's cells lie within the page before it reads them.
    try db.execute("PRAGMA cell_size_check = ON")
  }
}
