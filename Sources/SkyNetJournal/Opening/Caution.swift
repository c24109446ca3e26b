import CSQLite
import GRDB

/// How every connection reads a journal: as a file that anybody may have made.
enum Caution {
  /// The most bytes of a text or a row. The largest outputs have some MiB.
  static let longestText = 256 << 20

  /// What SQLite refuses to do beyond, on the connection alone: nothing of a journal comes near.
  private static let limits: [(limit: CInt, most: CInt)] = [
    (SQLITE_LIMIT_LENGTH, CInt(longestText)), (SQLITE_LIMIT_SQL_LENGTH, 64 << 10),
    (SQLITE_LIMIT_COLUMN, 64), (SQLITE_LIMIT_EXPR_DEPTH, 64),
    (SQLITE_LIMIT_COMPOUND_SELECT, 8), (SQLITE_LIMIT_ATTACHED, 0),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// Sets a connection up, before it reads anything of the file.
  ///
  /// - Throws: `DatabaseError`.
  static func apply(to db: Database) throws {
    guard let connection = db.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
    }
    for (limit, most) in limits { sqlite3_limit(connection, limit, most) }
    // What a schema says is not run: not before it is known to be ours, and not if another program
    // changes it later.
    let code = skynet_sqlite3_be_cautious(connection)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    // A page's cells lie within it before they are read.
    try db.execute(sql: "PRAGMA cell_size_check = ON")
  }
}
