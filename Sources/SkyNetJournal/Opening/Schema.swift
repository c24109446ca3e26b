import GRDB

/// The tables of a journal's file; `docs/journal.md` describes them.
enum Schema {
  /// "SkyN" in ASCII, which marks the file as a journal of SkyNet.
  static let applicationID: Int32 = 0x536b_794e
  static let version: Int32 = 2
  /// How many bytes SQLite's file header has.
  static let headerSize = 100

  /// Readable columns for a table's key. SQLite computes them and does not store them.
  private static let task = """
    pass INTEGER AS (task >> \(Key.sectorBits)) VIRTUAL,
    sector INTEGER AS (task & \(1 << Key.sectorBits - 1)) VIRTUAL
    """

  static let tables = """
    CREATE TABLE job (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      identity TEXT NOT NULL, sectors INTEGER NOT NULL,
      created TEXT NOT NULL, software TEXT NOT NULL) STRICT;
    CREATE TABLE process (
      number INTEGER PRIMARY KEY, pid INTEGER NOT NULL, software TEXT NOT NULL,
      started TEXT NOT NULL, ended TEXT) STRICT;
    CREATE TABLE system (
      number INTEGER PRIMARY KEY, name TEXT NOT NULL, incarnation TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE attempt (
      task INTEGER NOT NULL, \(task),
      process INTEGER NOT NULL, id INTEGER NOT NULL,
      system INTEGER NOT NULL, local INTEGER NOT NULL,
      began REAL NOT NULL, ended REAL,
      ending TEXT, reason TEXT, had_started INTEGER, seconds REAL,
      PRIMARY KEY (task, process, id)) STRICT, WITHOUT ROWID;
    CREATE TABLE result (
      task INTEGER PRIMARY KEY, \(task),
      output TEXT NOT NULL, process INTEGER NOT NULL, system INTEGER NOT NULL,
      began REAL NOT NULL, ended REAL NOT NULL, attempts INTEGER NOT NULL, seconds REAL NOT NULL,
      checksum INTEGER NOT NULL, ends INTEGER NOT NULL) STRICT;
    CREATE TABLE given_up (
      task INTEGER PRIMARY KEY, \(task), story TEXT NOT NULL) STRICT;
    """

  /// Makes the tables in a database that is empty.
  static func create(_ db: Database) throws {
    // No other process knows the file yet, and a half-made one is thrown away.
    try db.execute(sql: "PRAGMA journal_mode = OFF")
    try db.inTransaction {
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: "PRAGMA user_version = \(version)")
      try db.execute(sql: tables)
      return .commit
    }
    try db.execute(sql: "PRAGMA journal_mode = WAL")
  }

  /// Checks the first bytes of a file.
  ///
  /// - Throws: ``JournalError``.
  static func check(header: [UInt8], path: String) throws {
    guard header.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw JournalError.notAJournal(path, "it does not begin as an SQLite database does")
    }
    guard header.count >= headerSize else {
      throw JournalError.damaged(path, "its header is cut off")
    }
    func number(at offset: Int) -> Int32 {
      Int32(bitPattern: header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    guard number(at: 68) == applicationID else {
      throw JournalError.notAJournal(path, "it is some other program's SQLite database")
    }
    let found = number(at: 60)
    guard found == version else {
      throw JournalError(
        .unknownFormat, path,
        "its format is \(found), and this version of skynet knows \(version) only: use the "
          + "version that made it, or another journal")
    }
  }
}
