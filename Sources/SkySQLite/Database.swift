import CSQLite
import Dispatch

/// A connection to an SQLite database. It is used by one thread at a time, and so are its statements and rows. An
/// error is a ``DatabaseError``, also after the connection was closed; a value of another type than was asked for is a
/// ``ColumnError``.
package final class Database {
  private var handle: OpaquePointer?
  private var cached: [String: Statement] = [:]
  /// What SQLite calls while another connection has a lock; it keeps no reference to it.
  private let wait: LockWait?

  /// Opens a database. The file is read by the first statement that needs it.
  ///
  /// - Parameters:
  ///   - path: the file; `:memory:` for a database without one.
  ///   - isReadOnly: whether nothing can be written. Otherwise the file is made if there is none.
  ///   - wait: how long a statement waits for the lock of another connection; with `nil` it does not wait.
  package init(_ path: String, isReadOnly: Bool = false, wait: LockWait? = nil) throws {
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK else {
      sqlite3_close(opened)
      throw DatabaseError(code)
    }
    (handle, self.wait) = (opened, wait)
    // Otherwise a misspelt name of a column in double quotes is a text.
    try DatabaseError.check(skynet_sqlite3_take_quotes_for_names(opened), of: opened)
    if let wait { try wait.apply(to: opened) }
  }

  deinit {
    cached = [:]
    if let handle, wait != nil { sqlite3_busy_handler(handle, nil, nil) }
    // Statements that somebody still has keep the connection open until their end.
    sqlite3_close_v2(handle)
  }

  /// Closes the connection, unless it is closed. While somebody has a statement or rows of it, it stays open, and this
  /// throws.
  package func close() throws {
    guard let handle else { return }
    cached = [:]
    try DatabaseError.check(sqlite3_close(handle), of: handle)
    self.handle = nil
  }

  /// SQLite's connection, for its functions that this module does not have.
  package var connection: OpaquePointer {
    get throws {
      guard let handle else { throw DatabaseError(SQLITE_MISUSE, "the connection is closed") }
      return handle
    }
  }

  /// How many rows the last INSERT, UPDATE or DELETE has changed.
  package var changes: Int {
    get throws { Int(sqlite3_changes(try connection)) }
  }

  /// The key of the row that was inserted last.
  package var lastInsertRowID: Int {
    get throws { Int(sqlite3_last_insert_rowid(try connection)) }
  }

  // MARK: Statements

  /// Prepares one statement.
  package func statement(_ sql: String) throws -> Statement {
    let connection = try connection
    return try sql.withCString { text in
      var rest = text
      guard let statement = try Statement(&rest, on: connection),
        try rest.pointee == 0 || Statement(&rest, on: connection) == nil
      else { throw DatabaseError(SQLITE_MISUSE, "the text is not one statement") }
      return statement
    }
  }

  /// A statement that is prepared once, and kept until the connection is closed.
  package func cachedStatement(_ sql: String) throws -> Statement {
    if let statement = cached[sql] { return statement }
    let statement = try statement(sql)
    cached[sql] = statement
    return statement
  }

  /// Runs any number of statements one after the other, and drops their rows.
  ///
  /// - Parameter values: those of each statement's parameters.
  /// - Throws: ``DatabaseError``. What came before the statement that failed is done.
  package func execute(_ sql: String, _ values: any SQLiteValue...) throws {
    let connection = try connection
    try sql.withCString { text in
      var rest = text
      while rest.pointee != 0 {
        guard let statement = try Statement(&rest, on: connection) else { continue }
        try statement.bind(values)
        try statement.run()
      }
    }
  }

  /// Begins to read the rows of one statement.
  package func rows(_ sql: String, _ values: any SQLiteValue...) throws -> Rows {
    try Rows(statement(sql), values)
  }

  /// The first column of the first row of one statement; `nil` if there is no row, or the column is NULL.
  ///
  /// - Throws: ``ColumnError`` if the column is of another type.
  package func value<Value: SQLiteValue>(
    _ sql: String, _ values: any SQLiteValue..., as type: Value.Type = Value.self
  ) throws -> Value? {
    try Rows(statement(sql), values).value()
  }

  // MARK: Transactions

  /// When a transaction takes its lock.
  package enum TransactionKind: String {
    /// With its first statement, and that for writing with the first one that writes.
    case deferred = "BEGIN DEFERRED"
    /// At once, for writing.
    case immediate = "BEGIN IMMEDIATE"
  }

  /// Runs `body` in a transaction, which is rolled back if `body` throws or it cannot be committed.
  ///
  /// - Throws: what `body` throws.
  package func inTransaction<Result>(
    _ kind: TransactionKind, _ body: () throws -> Result
  ) throws -> Result {
    try execute(kind.rawValue)
    do {
      let result = try body()
      // A full disk or a lack of memory ends the transaction, and leaves nothing to commit.
      guard try isInTransaction else {
        throw DatabaseError(SQLITE_ABORT, "the transaction was rolled back")
      }
      try execute("COMMIT")
      return result
    } catch {
      // The first error is the one to tell. If it cannot be rolled back, no other transaction can begin.
      if (try? isInTransaction) == true { try? execute("ROLLBACK") }
      throw error
    }
  }

  private var isInTransaction: Bool {
    get throws { sqlite3_get_autocommit(try connection) == 0 }
  }
}

/// A connection with a queue of its own, which runs one piece of work after the other.
package final class DatabaseQueue: Sendable {
  private let queue = DispatchQueue(label: "skynet.sqlite", qos: .userInitiated)
  // Only the queue's work uses it.
  nonisolated(unsafe) private let database: Database

  /// Opens a database; see `Database`.
  package init(_ path: String, wait: LockWait? = nil) throws {
    database = try Database(path, wait: wait)
  }

  /// Runs `body` after the work that is queued, and waits for it. `body` must not call this, and nothing of the
  /// connection may leave it.
  package func sync<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    try queue.sync { try body(database) }
  }

  /// Runs `body` after the work that is queued. A cancelled task waits for it all the same.
  ///
  /// - Throws: what `body` throws.
  package func run<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in continuation.resume(with: Swift.Result { try body(database) }) }
    }
  }
}
