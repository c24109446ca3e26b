import CSQLite
import SkySQLite
import Testing

/// What statements take and give.
@Suite("Statements of SQLite")
struct StatementTests {
  private let db: Database

  init() throws {
    db = try Database(":memory:")
    try db.execute("CREATE TABLE t (key INTEGER PRIMARY KEY, value ANY) STRICT")
  }

  private func stored<Value: SQLiteValue>(_ value: Value) throws -> Value? {
    try db.execute("INSERT OR REPLACE INTO t VALUES (1, ?)", value)
    return try db.value("SELECT value FROM t WHERE key = 1")
  }

  // MARK: Values

  @Test("A value is read as it was written")
  func values() throws {
    for number in [0, -1, .max, .min] { #expect(try stored(number) == number) }
    for number in [0.0, -0.5, 1e300, .infinity] { #expect(try stored(number) == number) }
    for truth in [false, true] { #expect(try stored(truth) == truth) }
    for text in ["", "a", "αβγ 🌌", String(repeating: "long ", count: 100_000)] {
      #expect(try stored(text) == text)
    }
    for text in ["a", nil] {
      try db.execute("INSERT OR REPLACE INTO t VALUES (1, ?)", text)
      let rows = try db.rows("SELECT value, typeof(value) FROM t")
      let row = try #require(try rows.next())
      #expect(try row[0] == text)
      #expect(try row[1] == (text == nil ? "null" : "text"))
    }
  }

  @Test("A text is read up to its first zero byte, and its other bytes are kept")
  func zeroByte() throws {
    #expect(try stored("a\0b") == "a")
    #expect(try db.value("SELECT length(CAST(value AS BLOB)) FROM t") == 3)
  }

  @Test("What is no UTF-8 in a text is replaced")
  func brokenText() throws {
    #expect(try db.value("SELECT CAST(x'61FF62' AS TEXT)") == "a\u{fffd}b")
  }

  @Test("A text that is bound in its place arrives as it is, also an empty one")
  func textInPlace() throws {
    let insert = try db.statement("INSERT OR REPLACE INTO t VALUES (1, ?)")
    for text in ["in place", ""] {
      let bytes = Array(text.utf8)
      try bytes.withUnsafeBytes {
        try insert.bind(1, utf8InPlace: $0)
        try insert.run()
      }
      #expect(try db.value("SELECT value FROM t", as: String.self) == text)
    }
  }

  @Test(
    "A column of another type throws an error",
    arguments: ["1.5", "'1'", "x'01'", "9e999", "NULL"])
  func otherType(sql: String) throws {
    let rows = try db.rows("SELECT \(sql)")
    let row = try #require(try rows.next())
    let expected = sql == "NULL" ? ColumnError.missing : .otherType
    #expect(throws: expected) { try row[0] as Int }
    #expect(throws: expected) { try row[0] as Bool }
    if sql != "'1'" { #expect(throws: expected) { try row[0] as String } }
    if sql == "NULL" {
      #expect(try row[0] as Int? == nil)
    } else {
      #expect(throws: expected) { try row[0] as Int? }
    }
  }

  @Test("NULL is read as nil wherever an optional is expected")
  func null() throws {
    func same(_ text: String?) -> String? { text }
    let rows = try db.rows("SELECT NULL, 'a'")
    let row = try #require(try rows.next())
    #expect(try row[0] ?? "none" == "none")
    #expect(try row[1] ?? "none" == "a")
    #expect(same(try row[0]) == nil)
    #expect(same(try row[1]) == "a")
    if let text: String = try row[0] { Issue.record("\(text)") }
  }

  @Test("An integer is read as a floating-point number, and a text is not")
  func integerAsDouble() throws {
    #expect(try db.value("SELECT 3") == 3.0)
    #expect(throws: ColumnError.otherType) { try db.value("SELECT '3'", as: Double.self) }
  }

  @Test("A column that is not there throws an error, also as an optional")
  func noColumn() throws {
    let rows = try db.rows("SELECT 1")
    let row = try #require(try rows.next())
    for column in [-1, 1] as [CInt] {
      #expect(code { try row[column] as Int? } == SQLITE_RANGE)
    }
    #expect(try rows.next() == nil)
    #expect(code { try row[0] as Int? } == SQLITE_RANGE, "the rows have ended")
  }

  // MARK: Parameters

  @Test("Another number of values than of parameters throws an error", arguments: [0, 1, 3])
  func otherCount(count: Int) throws {
    let statement = try db.statement("SELECT ?, ?")
    #expect(code { try statement.rows() } == SQLITE_MISUSE)
    let insert = "INSERT INTO t VALUES (?, ?)"
    #expect(
      code {
        switch count {
        case 0: try db.execute(insert)
        case 1: try db.execute(insert, 1)
        default: try db.execute(insert, 1, 2, 3)
        }
      } == SQLITE_MISUSE)
    #expect(try db.value("SELECT count(*) FROM t") == 0)
  }

  @Test("A parameter that is not there throws an error")
  func noParameter() throws {
    let statement = try db.statement("SELECT ?")
    for parameter in [0, 2] as [CInt] {
      #expect(code { try statement.bind(parameter, "a") } == SQLITE_RANGE)
    }
  }

  @Test("A text longer than the connection's limit throws an error")
  func longText() throws {
    sqlite3_limit(try db.connection, SQLITE_LIMIT_LENGTH, 1000)
    let text = String(repeating: "a", count: 1001)
    #expect(code { try db.execute("INSERT INTO t VALUES (1, ?)", text) } == SQLITE_TOOBIG)
    let half = String(repeating: "a", count: 501)
    #expect(code { try db.value("SELECT ?1 || ?1", half, as: String.self) } == SQLITE_TOOBIG)
  }

  @Test("A parameter that is used twice takes one value, and each of several statements takes it")
  func sharedParameter() throws {
    try db.execute("INSERT INTO t VALUES (?1, ?1 + 1); INSERT INTO t VALUES (?1 + 1, ?1)", 7)
    let rows = try db.rows("SELECT key, value FROM t ORDER BY key")
      .map { [try $0[0], try $0[1]] as [Int] }
    #expect(rows == [[7, 8], [8, 7]])
  }

  // MARK: Texts of statements

  @Test(
    "Only one statement is prepared",
    arguments: ["", " ", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1; nonsense"])
  func oneStatement(sql: String) throws {
    #expect(throws: DatabaseError.self) { try db.statement(sql) }
    #expect(throws: DatabaseError.self) { try db.value(sql, as: Int.self) }
  }

  @Test("What follows a statement may be empty", arguments: ["SELECT 1;", "SELECT 1 ; -- one\n"])
  func emptyRest(sql: String) throws {
    #expect(try db.value(sql) == 1)
    try db.execute(sql + ";;" + sql)
    try db.execute("")
  }

  @Test("Statements are run up to the one that fails")
  func someStatements() throws {
    let error = #expect(throws: DatabaseError.self) {
      try db.execute(
        """
        INSERT INTO t VALUES (1, 1); INSERT INTO t VALUES (1, 2); INSERT INTO t VALUES (2, 2);
        """)
    }
    #expect(error?.resultCode == SQLITE_CONSTRAINT)
    #expect(error?.extendedResultCode == SQLITE_CONSTRAINT | 6 << 8, "SQLITE_CONSTRAINT_PRIMARYKEY")
    #expect(error?.message == "UNIQUE constraint failed: t.key")
    #expect(try db.value("SELECT count(*) FROM t") == 1)
  }

  @Test("A statement that failed can be run again")
  func again() throws {
    let insert = try db.cachedStatement("INSERT INTO t VALUES (?, ?)")
    try insert.execute(1, "a")
    #expect(code { try insert.execute(1, "b") } == SQLITE_CONSTRAINT)
    try insert.execute(2, nil as String?)
    #expect(try db.value("SELECT count(value) FROM t") == 1)
    #expect(try db.cachedStatement("INSERT INTO t VALUES (?, ?)") === insert)
  }

  // MARK: Rows

  @Test("Rows are given in order, and none after the last")
  func rows() throws {
    let rows = try db.rows("VALUES (1), (2), (3)")
    #expect(try rows.map { try $0[0] as Int } == [1, 2, 3])
    #expect(try rows.next() == nil)
  }

  @Test("An error in the midst of rows ends them")
  func failingRows() throws {
    try db.execute("INSERT INTO t VALUES (1, 1), (2, -9223372036854775808)")
    let rows = try db.rows("SELECT abs(value) FROM t ORDER BY key")
    let first: Int? = try rows.next()?[0]
    #expect(first == 1)
    let error = #expect(throws: DatabaseError.self) { try rows.next() }
    #expect(error?.message == "integer overflow")
    #expect(try rows.next() == nil)
  }

  @Test("A statement is not run twice at a time, and can be once its rows are dropped")
  func oneReader() throws {
    try db.execute("INSERT INTO t VALUES (1, 1), (2, 2)")
    let select = try db.cachedStatement("SELECT key FROM t WHERE key >= ? ORDER BY key")
    do {
      let rows = try select.rows(1)
      _ = try rows.next()
      #expect(code { try select.rows(2) } == SQLITE_MISUSE)
      #expect(code { try select.value(2, as: Int.self) } == SQLITE_MISUSE)
      #expect(code { try select.bind(1, 2) } == SQLITE_MISUSE)
      let second: Int? = try rows.next()?[0]
      #expect(second == 2)
    }
    #expect(try select.value(2) == 2)
    #expect(try select.value(1) == 1)
  }

  @Test("Rows that have ended do not end later ones of their statement")
  func endedRows() throws {
    let select = try db.cachedStatement("VALUES (1), (2)")
    let ended = try select.rows()
    while try ended.next() != nil {}
    let later = try select.rows()
    _ = try later.next()
    _ = consume ended
    let second: Int? = try later.next()?[0]
    #expect(second == 2)
    #expect(try later.next() == nil)
  }

  @Test("No row and NULL are no value")
  func noValue() throws {
    #expect(try db.value("SELECT key FROM t", as: Int.self) == nil)
    #expect(try db.value("SELECT NULL", as: Int.self) == nil)
    #expect(try db.value("SELECT max(key) FROM t") ?? 5 == 5)
  }

  private func code<Result>(_ body: () throws -> Result) -> CInt? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? DatabaseError)?.resultCode
    }
  }
}
