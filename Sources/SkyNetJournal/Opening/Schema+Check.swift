import SkySQLite

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
    let version = try db.value("PRAGMA user_version") ?? 0
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
    let db = try Database(":memory:")
    try db.execute(tables)
    return try objects(of: db)
  }

  private static func objects(of db: Database) throws -> [Object] {
    // Of another program's database these columns may have any values.
    try db.rows(
      """
      SELECT coalesce(CAST(type AS TEXT), ''), coalesce(CAST(name AS TEXT), ''),
        coalesce(CAST(tbl_name AS TEXT), ''), CAST(sql AS TEXT) FROM sqlite_schema LIMIT ?
      """, mostObjects
    ).map { row in
      Object(type: try row[0], name: try row[1], table: try row[2], sql: try row[3])
    }.sorted()
  }
}
