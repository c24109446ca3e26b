import GRDB

extension Schema {
  /// One row of `sqlite_schema`.
  private struct Object: Hashable, Comparable {
    let type: String
    let name: String
    let table: String
    /// The statement that made the object; `nil` for an index that SQLite adds by itself.
    let sql: String?

    static func < (a: Object, b: Object) -> Bool { (a.type, a.name) < (b.type, b.name) }
  }

  /// At most this many objects are read; a journal has fewer.
  private static let mostObjects = 100

  /// Checks that a database has exactly the tables of a journal, and nothing else. A view,
  /// a trigger or a foreign table could make SQLite run for ever, or write elsewhere.
  ///
  /// - Throws: ``JournalError`` if it has other objects; `DatabaseError`.
  static func check(_ db: Database, path: String) throws {
    // The log may have another version than the file's first bytes.
    let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    try check(version: version, path: path)
    let found = try objects(of: db)
    guard found != (try expected.get()) else { return }
    let types = found.map(\.type)
    for type in ["view", "trigger"] where types.contains(type) {
      throw JournalError.notAJournal(path, "it holds a \(type), which no journal does")
    }
    if found.contains(where: { $0.sql?.uppercased().hasPrefix("CREATE VIRTUAL") == true }) {
      throw JournalError.notAJournal(path, "it holds a virtual table, which no journal does")
    }
    throw JournalError.notAJournal(path, "its tables are not those of a journal")
  }

  /// The objects of a journal.
  private static let expected: Result<[Object], any Error> = Result {
    let database = try DatabaseQueue()
    defer { try? database.close() }
    return try database.writeWithoutTransaction { db in
      try db.execute(sql: tables)
      return try objects(of: db)
    }
  }

  private static func objects(of db: Database) throws -> [Object] {
    try Row.fetchAll(
      db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT ?",
      arguments: [mostObjects]
    ).map { row in
      func text(_ index: Int) -> String { String.fromDatabaseValue(row[index]) ?? "" }
      return Object(
        type: text(0), name: text(1), table: text(2), sql: String.fromDatabaseValue(row[3]))
    }.sorted()
  }
}
