import CSQLite
import Foundation
import SkyNetTestKit
import SkySQLite
import Testing

/// Connections, and their transactions.
@Suite("Connections of SQLite", .timeLimit(.minutes(20)))
struct DatabaseTests {
  private let folder: Folder
  private let db: Database

  init() throws {
    folder = try Folder()
    db = try Database(folder.file())
    try db.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (key INTEGER PRIMARY KEY) STRICT")
  }

  private func count(_ database: Database? = nil) throws -> Int? {
    try (database ?? db).value("SELECT count(*) FROM t")
  }

  private struct Fault: Error {}

  // MARK: Opening

  @Test("A name in double quotes is never a text")
  func quotes() throws {
    let error = #expect(throws: DatabaseError.self) { try db.statement(#"SELECT "nothing""#) }
    #expect(error?.resultCode == SQLITE_ERROR)
    #expect(error?.message == "no such column: nothing")
    #expect(throws: DatabaseError.self) {
      try db.execute(#"CREATE TABLE u (a); CREATE INDEX i ON u ("nothing")"#)
    }
  }

  @Test("A connection that only reads makes no file, and changes none")
  func readOnly() throws {
    let absent = #expect(throws: DatabaseError.self) {
      try Database(folder.file("absent"), isReadOnly: true)
    }
    #expect(absent?.resultCode == SQLITE_CANTOPEN)
    #expect(absent?.message == "unable to open database file")
    let reader = try Database(folder.file(), isReadOnly: true)
    let error = #expect(throws: DatabaseError.self) {
      try reader.execute("INSERT INTO t VALUES (1)")
    }
    #expect(error?.resultCode == SQLITE_READONLY)
    #expect(try count(reader) == 0)
    #expect(try folder.contents().keys.contains("absent") == false)
  }

  @Test("A file that is no database is refused by the first statement that reads it")
  func noDatabase() throws {
    try Data("This is a text, and no database of SQLite.".utf8)
      .write(to: URL(fileURLWithPath: folder.file("text")))
    let text = try Database(folder.file("text"))
    let error = #expect(throws: DatabaseError.self) { try count(text) }
    #expect(error?.resultCode == SQLITE_NOTADB)
  }

  // MARK: Transactions

  @Test(
    "A transaction is kept as a whole", arguments: [Database.TransactionKind.deferred, .immediate])
  func commit(kind: Database.TransactionKind) throws {
    let other = try Database(folder.file(), isReadOnly: true)
    let result = try db.inTransaction(kind) {
      try db.execute("INSERT INTO t VALUES (1)")
      #expect(try db.lastInsertRowID == 1)
      #expect(try count(other) == 0)
      try db.execute("INSERT INTO t VALUES (2), (3)")
      return try db.changes
    }
    #expect(result == 2)
    #expect(try count(other) == 3)
  }

  @Test("A transaction in which an error is thrown leaves nothing")
  func rollback() throws {
    #expect(throws: Fault.self) {
      try db.inTransaction(.immediate) {
        try db.execute("INSERT INTO t VALUES (1)")
        throw Fault()
      }
    }
    #expect(try count() == 0)
    try db.inTransaction(.immediate) { try db.execute("INSERT INTO t VALUES (2)") }
    #expect(try count() == 1)
  }

  @Test("A transaction that cannot be committed is rolled back")
  func failedCommit() throws {
    try db.execute(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE u (key INTEGER REFERENCES t (key) DEFERRABLE INITIALLY DEFERRED) STRICT;
      """)
    let error = #expect(throws: DatabaseError.self) {
      try db.inTransaction(.immediate) { try db.execute("INSERT INTO u VALUES (7)") }
    }
    #expect(error?.resultCode == SQLITE_CONSTRAINT)
    #expect(try db.value("SELECT count(*) FROM u") == 0)
    try db.inTransaction(.immediate) { try db.execute("INSERT INTO t VALUES (1)") }
  }

  @Test("A transaction that SQLite has rolled back is not taken for one that was committed")
  func lostTransaction() throws {
    let error = #expect(throws: DatabaseError.self) {
      try db.inTransaction(.immediate) {
        try db.execute("INSERT INTO t VALUES (1)")
        try? db.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
      }
    }
    #expect(error?.resultCode == SQLITE_ABORT)
    #expect(try count() == 0)
  }

  @Test("A transaction that is to write fails at its beginning while another connection writes")
  func busy() throws {
    let other = try Database(folder.file())
    try db.inTransaction(.immediate) {
      var hasBegun = false
      let error = #expect(throws: DatabaseError.self) {
        try other.inTransaction(.immediate) { hasBegun = true }
      }
      #expect(error?.resultCode == SQLITE_BUSY && !hasBegun)
      let read = try other.inTransaction(.deferred) { try count(other) }
      #expect(read == 0)
    }
  }

  @Test("A transaction waits for the other connection, and says so once")
  func waiting() async throws {
    let told = Watched(0)
    let queue = try DatabaseQueue(
      folder.file(), wait: LockWait(limit: .seconds(1000)) { told.update { $0 += 1 } })
    for turn in 1...2 {
      try db.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (\(turn))")
      async let waited = queue.run { other in
        try other.inTransaction(.immediate) {
          try other.value("SELECT count(*) FROM t", as: Int.self)
        }
      }
      try await told.wait { $0 == turn }
      try db.execute("COMMIT")
      #expect(try await waited == turn)
    }
    #expect(told.value == 2)
  }

  @Test("A transaction that has waited for as long as it may fails, and no later one waits")
  func waitingInVain() throws {
    let other = try Database(folder.file(), wait: LockWait(limit: .milliseconds(1)) {})
    try db.inTransaction(.immediate) {
      for _ in 1...2 {
        let error = #expect(throws: DatabaseError.self) { try other.execute("BEGIN IMMEDIATE") }
        #expect(error?.resultCode == SQLITE_BUSY)
      }
    }
    try other.execute("BEGIN IMMEDIATE; COMMIT")
  }

  // MARK: Closing

  @Test("A connection is not closed while its rows are read")
  func closing() throws {
    var rows: Rows? = try db.rows("VALUES (1), (2)")
    _ = try rows?.next()
    let error = #expect(throws: DatabaseError.self) { try db.close() }
    #expect(error?.resultCode == SQLITE_BUSY)
    let second: Int? = try rows?.next()?[0]
    #expect(second == 2)
    rows = nil
    _ = try db.cachedStatement("SELECT 1").value(as: Int.self)
    try db.close()
    #expect(try folder.contents().keys.sorted() == ["run.sqlite"])
  }

  @Test("Whatever is asked of a closed connection throws an error")
  func closed() throws {
    let statement = try db.cachedStatement("SELECT 1")
    #expect(throws: DatabaseError.self, "somebody has the statement") { try db.close() }
    #expect(try statement.value() == 1)
    let other = try Database(folder.file())
    try other.close()
    try other.close()
    for use in [
      { _ = try other.connection }, { _ = try other.changes }, { _ = try other.lastInsertRowID },
      { try other.execute("SELECT 1") }, { _ = try other.cachedStatement("SELECT 1") },
      { try other.inTransaction(.deferred) {} }, { _ = try other.rows("SELECT 1") },
    ] as [() throws -> Void] {
      let error = #expect(throws: DatabaseError.self) { try use() }
      #expect(error?.resultCode == SQLITE_MISUSE && error?.message == "the connection is closed")
    }
  }

  @Test("A connection that nobody has is closed, as soon as nobody has a row of it")
  func forgotten() throws {
    do {
      var other: Database? = try Database(folder.file())
      let rows = try #require(try other?.rows("VALUES (1), (2)"))
      other = nil
      #expect(try rows.map { try $0[0] as Int } == [1, 2])
    }
    try db.close()
    #expect(try folder.contents().keys.sorted() == ["run.sqlite"])
  }

  // MARK: Queues

  @Test("A queue runs one piece of work after the other, and hands on its errors")
  func queue() async throws {
    let queue = try DatabaseQueue(folder.file())
    try await withThrowingTaskGroup { group in
      for key in 0..<50 {
        group.addTask {
          try await queue.run { db in
            try db.inTransaction(.immediate) { try db.execute("INSERT INTO t VALUES (?)", key) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try queue.sync { try count($0) } == 50)
    await #expect(throws: Fault.self) { try await queue.run { _ in throw Fault() } }
    try queue.sync { try $0.close() }
    await #expect(throws: DatabaseError.self) { try await queue.run { try $0.execute("SELECT 1") } }
  }
}
