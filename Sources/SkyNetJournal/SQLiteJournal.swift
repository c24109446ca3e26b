import Foundation
import GRDB
public import SkyNetCluster
public import SkyNetCore
import Synchronization

/// A journal in an SQLite file.
///
/// What is recorded is committed within 20 ms, and then survives this process's death; it is on
/// disk within 200 ms and when ``finish()`` returns, and then survives a power cut. One process at
/// a time has the file open; others can read it meanwhile.
///
/// Everything that blocks runs on threads of the database's own.
public final class SQLiteJournal: Journal {
  /// How long an entry waits for others to share its commit.
  static let gathering = Duration.milliseconds(12)
  /// How long an attempt on another system may be underway, in seconds, before it is written: the
  /// shortest mostly end within that time, and take one row.
  static let patience = 0.004
  /// How long a commit waits for others to share its way to the disk.
  static let syncInterval = Duration.milliseconds(100)
  /// How often the log is moved into the file.
  static let checkpointInterval = Duration.seconds(1)

  public let path: String
  /// What it held when it was opened.
  public let progress: JournalProgress
  let process: Int
  private let connections: Connections
  private let buffer = EntryBuffer()
  private let writer: Mutex<BatchWriter>
  private let (commits, committed) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let (syncs, synced) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let isClosed = Mutex(false)

  init(path: String, connections: Connections, process: Int, progress: JournalProgress) {
    self.path = path
    self.connections = connections
    self.process = process
    writer = Mutex(BatchWriter(process: process))
    self.progress = progress
  }

  deinit {
    try? connections.close()
  }

  // MARK: Reading

  public func past<Output: Codable & Sendable>(
    _ type: Output.Type, after task: TaskID?, limit: Int
  ) async throws -> [PastTask<Output>] {
    try await read { try $0.page(after: task, limit: limit) }
  }

  public func losses() async throws -> Losses {
    try await read { try $0.losses() }
  }

  private func read<Result: Sendable>(
    _ body: @escaping @Sendable (PastTasks) throws -> Result
  ) async throws -> Result {
    try await connections.use { [path, process] db in
      do {
        return try body(PastTasks(db, before: process, path: path))
      } catch let error as DatabaseError {
        throw JournalReader.readError(error, path)
      }
    }
  }

  // MARK: Writing

  public func record(_ entry: JournalEntry) { buffer.add(entry) }

  public var isBehind: Bool { buffer.isBehind }

  public func commit() async throws {
    try await use { [self] in try write($0) }
  }

  /// Does something in the writing connection's turn.
  func use<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await connections.use(body)
  }

  /// Commits what is recorded, but for attempts on other systems that began just now.
  private func commitRipe() async throws {
    try await use { [self] in
      // What a clock that was set back has in the future is no reason to wait for it.
      let now = RecordedEntry.now
      try write($0, keepingBack: now - Self.patience...now)
    }
  }

  public func run() async throws {
    do {
      // Such a group ends with the first error, not when all have ended.
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask { [self] in
          for await _ in buffer.news {
            try await Task.sleep(for: Self.gathering, tolerance: .milliseconds(1))
            try await commitRipe()
          }
        }
        group.addTask { [self] in
          for await _ in commits {
            try await Task.sleep(for: Self.syncInterval, tolerance: .milliseconds(5))
            try await sync()
            synced.yield()
          }
        }
        group.addTask { [self] in
          for await _ in syncs {
            try await Task.sleep(for: Self.checkpointInterval)
            try await checkpoint()
          }
        }
      }
    } catch is CancellationError {}
  }

  public func finish() async throws {
    try await commit()
    try await end()
  }

  /// Closes the file. A process that does not come to this is taken to have died in mid-run, and
  /// its unfinished local attempts to have been running when it did.
  public func close() async {
    guard
      isClosed.withLock({ isClosed in
        defer { isClosed = true }
        return !isClosed
      })
    else { return }
    if connections.disk.isLost {
      try? connections.close()
      return
    }
    try? await commit()
    // Also when nothing else could be written: there is room in reserve.
    if buffer.failure != nil { connections.reserve.release() }
    try? await end()
    try? connections.close()
  }

  private func end() async throws {
    try await connections.use { [self] db in
      try orFail {
        try db.execute(
          sql: "UPDATE process SET ended = ? WHERE number = ?",
          arguments: [Date().ISO8601Format(), process])
      }
    }
    try await sync()
  }

  /// Writes what is recorded, in one transaction.
  ///
  /// - Parameter recently: attempts on other systems that began within this time may wait.
  private func write(_ db: Database, keepingBack recently: ClosedRange<Double>? = nil) throws {
    let entries = try buffer.take()
    // All of the connection's work is done one after another, so nobody waits here.
    let keepsBack = try writer.withLock { writer in
      guard !entries.isEmpty || writer.keepsBack else { return false }
      try orFail {
        try db.inTransaction(.immediate) {
          try writer.write(entries, to: db, keepingBack: recently)
          return .commit
        }
      }
      committed.yield()
      return writer.keepsBack
    }
    buffer.giveBack(entries)
    if keepsBack { buffer.remind() }
  }

  /// After an error everything else fails with it: what follows would have a gap before it.
  private func orFail(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      let failure = writeError(error)
      buffer.fail(failure)
      throw failure
    }
  }

  private func writeError(_ error: any Error) -> JournalError {
    // What SQLite finds wrong in a file that was truncated or replaced is no news of its own.
    do {
      try connections.disk.checkNow()
    } catch let loss as JournalError {
      return loss
    } catch {}
    let reason = (error as? DatabaseError).map(words) ?? "\(error)"
    return JournalError(
      .writeFailed, path,
      "it cannot be written (\(reason)); everything recorded until now is kept: see to the room on "
        + "its disk, and start the same command again")
  }

  /// Moves what it can of the log into the file. What somebody who reads keeps from being moved
  /// is moved later.
  private func checkpoint() async throws {
    do {
      try await connections.disk.check()
      try await connections.checkpoint()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
    } catch let error as JournalError {
      buffer.fail(error)
      throw error
    } catch {
      let failure = writeError(error)
      buffer.fail(failure)
      throw failure
    }
  }

  private func sync() async throws {
    do {
      try await connections.disk.sync()
    } catch {
      buffer.fail(error)
      throw error
    }
  }
}
