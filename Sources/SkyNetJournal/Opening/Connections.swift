import CSQLite
import SkySQLite
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
  ///
  /// - Parameter wait: makes what waits for another program's lock, for each connection.
  init(path: String, lock: FileLock, wait: () -> LockWait) throws {
    self.path = path
    self.lock = lock
    main = try Self.connect(path, wait: wait(), autocheckpoint: Self.longestLog)
    checkpointing = try Self.connect(path, wait: wait())
    // The first read makes the log.
    try main.sync { try $0.execute("SELECT 1 FROM job LIMIT 1") }
    disk = try DiskSync(path: path, lock: lock)
    reserve = DiskReserve(beside: path)
  }

  private static func connect(
    _ path: String, wait: LockWait, autocheckpoint pages: Int = 0
  ) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path, wait: wait)
    try queue.sync { db in
      try Hardening.apply(to: db)
      // A commit writes to the log without a sync; `DiskSync` syncs it. Moving the log into the
      // file syncs both.
      try db.execute("PRAGMA synchronous = NORMAL")
      try db.execute("PRAGMA wal_autocheckpoint = \(pages)")
      guard try db.value("PRAGMA journal_mode = WAL") == "wal" else {
        throw DatabaseError(SQLITE_CANTOPEN, "its file system has no shared memory for WAL mode")
      }
    }
    return queue
  }

  /// Runs `body` on the main connection's queue, after the work that is queued there.
  func use<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await main.run(body)
  }

  /// Moves as much of the log as possible into the file. Readers and writers do not wait for it.
  func checkpoint() async throws {
    try await checkpointing.run { try $0.execute("PRAGMA wal_checkpoint(PASSIVE)") }
  }

  /// Lost journals, whose connections stay open until the process ends.
  private static let abandoned = Mutex<[Connections]>([])

  /// Closes both connections, which moves the whole log into the file, and releases the lock.
  ///
  /// If a file was lost, everything stays open instead: SQLite would move the rest of the log into
  /// the file, and delete the file that has the log's name by now, even if it is another program's.
  func close() throws {
    guard !disk.isLost else { return Self.abandoned.withLock { $0.append(self) } }
    try checkpointing.sync { try $0.close() }
    try main.sync { try $0.close() }
    reserve.release()
    lock.release()
  }
}
