import CSQLite
import Foundation
import SkySQLite

/// Reads a journal without changing it, even while another process writes it.
enum JournalReader {
  /// - Throws: ``JournalError``, also if the file's tables are not those of a journal; and what
  ///   `body` throws.
  static func read<T>(_ path: String, _ body: (Database) throws -> T) throws -> T {
    let real = JournalFile.resolved(path)
    try SideFiles.check(of: real, named: path)
    return try withErrors(of: path) {
      // To read a file that has a log, SQLite needs the shared memory, and makes both files if they
      // are missing. A file without a log is complete and can be read as immutable, as on a
      // read-only disk. If a log exists after that, a writer came meanwhile, and the read is
      // repeated.
      if !hasLog(real), isURIAllowed {
        let result = Result { try connect(immutable(real), path, body) }
        if !hasLog(real) { return try result.get() }
      }
      return try connect(real, path, body)
    }
  }

  /// Runs `body`, which reads a journal.
  ///
  /// - Throws: ``JournalError`` in place of an error of SQLite; what `body` throws.
  static func withErrors<T>(of path: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw readError(error, path)
    } catch let error as ColumnError {
      throw JournalError.damaged(path, "\(error)")
    }
  }

  private static func readError(_ error: DatabaseError, _ path: String) -> JournalError {
    switch error.resultCode {
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_TOOBIG,
      SQLITE_CONSTRAINT, SQLITE_RANGE:
      // SQLite's message for this connection may quote the file; the generic one does not.
      .damaged(path, String(cString: sqlite3_errstr(error.extendedResultCode)))
    case SQLITE_BUSY: .locked(.inaccessible, path)
    default: .inaccessible(path, message(of: error))
    }
  }

  private static func connect<T>(
    _ file: String, _ path: String, _ body: (Database) throws -> T
  ) throws -> T {
    let db = try Database(file, isReadOnly: true, wait: .forJournal(path))
    defer { try? db.close() }
    try Hardening.apply(to: db)
    // One transaction, so that all statements see the same state.
    return try db.inTransaction(.deferred) {
      try Schema.check(db, path: path)
      return try body(db)
    }
  }

  private static func hasLog(_ path: String) -> Bool {
    access(JournalFile.log(of: path), F_OK) == 0
  }

  private static var isURIAllowed: Bool { sqlite3_compileoption_used("USE_URI") != 0 }

  private static func immutable(_ path: String) -> String {
    let kept = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%;"))
    let escaped = path.addingPercentEncoding(withAllowedCharacters: kept) ?? path
    return "file:\(escaped)?immutable=1"
  }
}
