import SkySQLite

/// The tables of a journal's file; `docs/journal.md` describes them.
enum Schema {
  /// "SkyN" in ASCII, which marks the file as a journal of SkyNet.
  static let applicationID = 0x536b_794e
  /// The version of the tables, and the only one that can be read.
  static let version = 5
  /// How many bytes SQLite's file header has.
  static let headerSize = 100

  /// Readable columns for a table's key. SQLite computes them and does not store them.
  private static let task = """
    pass INTEGER AS (task >> \(Key.sectorBits)) VIRTUAL,
    sector INTEGER AS (task & \(1 << Key.sectorBits - 1)) VIRTUAL
    """

  /// The statements that make the tables. A part's sectors are looked up by the index.
  static let tables = """
    CREATE TABLE job (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      identity TEXT NOT NULL, sectors INTEGER NOT NULL,
      known INTEGER NOT NULL, extent INTEGER NOT NULL,
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
      checksum INTEGER NOT NULL, ends INTEGER NOT NULL, place INTEGER NOT NULL) STRICT;
    CREATE TABLE given_up (
      task INTEGER PRIMARY KEY, \(task), story TEXT NOT NULL) STRICT;
    CREATE TABLE run (id INTEGER PRIMARY KEY CHECK (id = 1), run TEXT NOT NULL) STRICT;
    CREATE TABLE setup (process INTEGER PRIMARY KEY, setup TEXT NOT NULL) STRICT;
    CREATE TABLE presence (
      number INTEGER PRIMARY KEY, process INTEGER NOT NULL, system INTEGER NOT NULL,
      at REAL NOT NULL, change TEXT NOT NULL, reason TEXT, seconds REAL, failures INTEGER,
      address TEXT, slots INTEGER, version TEXT) STRICT;
    CREATE TABLE part (
      number INTEGER PRIMARY KEY, first INTEGER NOT NULL, sectors INTEGER NOT NULL,
      name TEXT NOT NULL, facts TEXT NOT NULL, outcome TEXT) STRICT;
    CREATE INDEX part_first ON part (first);
    """

  /// Makes the tables in a database that is empty.
  static func create(_ db: Database) throws {
    // No other process knows the file yet, and a half-made one is thrown away.
    try db.execute("PRAGMA journal_mode = OFF")
    try db.inTransaction(.immediate) {
      try db.execute("PRAGMA application_id = \(applicationID)")
      try db.execute("PRAGMA user_version = \(version)")
      try db.execute(tables)
    }
    try db.execute("PRAGMA journal_mode = WAL")
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
    func number(at offset: Int) -> Int {
      Int(Int32(bitPattern: header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }))
    }
    guard number(at: 68) == applicationID else {
      throw JournalError.notAJournal(path, "it is some other program's SQLite database")
    }
    try check(version: number(at: 60), path: path)
  }

  /// - Throws: ``JournalError`` if this software cannot read a journal of this version.
  static func check(version found: Int, path: String) throws {
    guard found == version else {
      throw JournalError(
        .unknownFormat, path,
        "its format is \(found), and this version of skynet reads \(version) only: use the version that made "
          + "it, or another journal")
    }
  }
}
