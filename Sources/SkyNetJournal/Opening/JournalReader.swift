import CSQLite
import Foundation
import GRDB

/// Reads a journal and changes nothing, whether or not somebody writes it meanwhile.
enum JournalReader {
  /// - Throws: ``JournalError``, also if the file's tables are not those of a journal; what `body`
  ///   throws.
  static func read<T>(_ path: String, _ body: (Database) throws -> T) throws -> T {
    let real = JournalFile.resolved(path)
    try SideFiles.check(of: real, named: path)
    do {
      // To read beside a log, SQLite needs its shared memory, and makes the files where there are
      // none. Without a log the file alone is all, and can be read as if on a read-only disk; then
      // a log that is there afterwards is a writer's that came meanwhile.
      if !hasLog(real), isURIAllowed {
        let result = Result { try connect(immutable(real), path, body) }
        if !hasLog(real) { return try result.get() }
      }
      return try connect(real, path, body)
    } catch let error as DatabaseError {
      throw readError(error, path)
    }
  }

  static func readError(_ error: DatabaseError, _ path: String) -> JournalError {
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_TOOBIG,
      .SQLITE_CONSTRAINT, .SQLITE_RANGE:
      // SQLite's own words may quote the file.
      .damaged(path, String(cString: sqlite3_errstr(error.extendedResultCode.rawValue)))
    default: .inaccessible(path, words(error))
    }
  }

  private static func connect<T>(
    _ file: String, _ path: String, _ body: (Database) throws -> T
  ) throws -> T {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { try Caution.apply(to: $0) }
    let database = try DatabaseQueue(path: file, configuration: configuration)
    defer { try? database.close() }
    // One view of the file, however many statements read it.
    return try database.read { db in
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
