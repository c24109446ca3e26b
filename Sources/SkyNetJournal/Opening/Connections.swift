import Foundation
import GRDB
import Synchronization

/// An open journal's file: the lock, and the connections that use the file under the lock.
struct Connections: Sendable {
  let path: String
  /// Writes, and reads at the beginning.
  let main: DatabaseQueue
  /// Moves the log's contents into the file, while the main connection goes on writing.
  private let checkpointing: DatabaseQueue
  /// Brings the log to disk.
  let disk: DiskSync
  /// Disk space for the last entry on a full disk.
  let reserve: DiskReserve
  private let lock: FileLock

  /// How long the log may become, in pages, before the main connection moves it into the file
  /// itself. Usually the other connection has moved it long before.
  private static let longestLog = 4000

  /// Opens a file that was checked before.
  init(path: String, lock: FileLock) throws {
    self.path = path
    self.lock = lock
    main = try DatabaseQueue(
      path: path, configuration: Self.configuration(autocheckpoint: Self.longestLog))
    checkpointing = try DatabaseQueue(path: path, configuration: Self.configuration())
    // The first read makes the log.
    _ = try main.read { try Row.fetchOne($0, sql: "SELECT 1 FROM job") }
    disk = try DiskSync(path: path, lock: lock)
    reserve = DiskReserve(beside: path)
  }

  private static func configuration(autocheckpoint pages: Int = 0) -> Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    // A user's sqlite3 shell may write for a moment.
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      try Hardening.apply(to: db)
      // A commit writes to the log without a sync; `DiskSync` syncs it. Moving the log into the
      // file syncs both.
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

  /// Runs `body` on the main connection's queue, after the work that is queued there.
  func use<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      main.asyncWriteWithoutTransaction { db in
        continuation.resume(with: Result { try body(db) })
      }
    }
  }

  /// Moves as much of the log as possible into the file. Readers and writers do not wait for it.
  func checkpoint() async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      checkpointing.asyncWriteWithoutTransaction { db in
        continuation.resume(
          with: Result { _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)") })
      }
    }
  }

  /// Lost journals, whose connections stay open until the process ends.
  private static let abandoned = Mutex<[Connections]>([])

  /// Closes both connections, which moves the whole log into the file, and releases the lock.
  ///
  /// If a file was lost, everything stays open instead: SQLite would move the rest of the log into
  /// the file, and delete the file that has the log's name by now, even if it is another program's.
  func close() throws {
    guard !disk.isLost else { return Self.abandoned.withLock { $0.append(self) } }
    try checkpointing.close()
    try main.close()
    reserve.release()
    lock.release()
  }
}
