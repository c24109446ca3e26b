import Foundation
import GRDB
import Synchronization

/// A journal's file while it is open: the lock, and the connections that may use it under the lock.
struct Connections: Sendable {
  let path: String
  /// Writes and, before there is anything to write, reads.
  let main: DatabaseQueue
  /// Moves what the log holds into the file, while the other goes on writing.
  private let checkpointing: DatabaseQueue
  /// Brings the log to disk.
  let disk: DiskSync
  /// For a last word on a full disk.
  let reserve: Reserve
  private let lock: FileLock

  /// How long the log may become, in pages, before the writing connection waits for it to be
  /// moved. Usually the other has moved it long before.
  private static let longestLog = 4000

  /// Opens a file that is known to be whole.
  init(path: String, lock: FileLock) throws {
    self.path = path
    self.lock = lock
    main = try DatabaseQueue(
      path: path, configuration: Self.configuration(autocheckpoint: Self.longestLog))
    checkpointing = try DatabaseQueue(path: path, configuration: Self.configuration())
    // The log is there once somebody has looked.
    _ = try main.read { try Row.fetchOne($0, sql: "SELECT 1 FROM job") }
    disk = try DiskSync(path: path, lock: lock)
    reserve = Reserve(beside: path)
  }

  private static func configuration(autocheckpoint pages: Int = 0) -> Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    // Somebody's sqlite3 shell may write for a moment.
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      try Caution.apply(to: db)
      // A commit goes to the log and is not waited for; `DiskSync` does that. Moving the log into
      // the file syncs both.
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      try db.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)")
      let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
      guard mode == "wal" else {
        throw DatabaseError(
          resultCode: .SQLITE_CANTOPEN, message: "its file system has no shared memory for WAL mode"
        )
      }
    }
    return configuration
  }

  /// Does something in the writing connection's turn, on its thread.
  func use<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      main.asyncWriteWithoutTransaction { db in
        continuation.resume(with: Result { try body(db) })
      }
    }
  }

  /// Moves what it can of the log into the file; nobody waits for it.
  func checkpoint() async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      checkpointing.asyncWriteWithoutTransaction { db in
        continuation.resume(
          with: Result { _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)") })
      }
    }
  }

  /// Those that are left open until the process ends.
  private static let abandoned = Mutex<[Connections]>([])

  /// Closes both, which moves the whole log into the file, and lets go of the lock.
  ///
  /// If the files are not what they were, everything stays open instead: SQLite would move into the
  /// file what is left of the log, and remove the log that has its name, whosever that is.
  func close() throws {
    guard !disk.isLost else { return Self.abandoned.withLock { $0.append(self) } }
    try checkpointing.close()
    try main.close()
    reserve.release()
    lock.release()
  }
}
