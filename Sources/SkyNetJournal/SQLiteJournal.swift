import CSQLite
import Foundation
package import SkyNetCluster
package import SkyNetCore
import SkySQLite
import Synchronization

/// A journal in an SQLite file.
///
/// An entry is committed within 20 ms, and then survives the death of this process. It is on disk
/// within 200 ms, or when ``finish()`` returns, and then survives a power cut. One process at a
/// time has the file open; others can read it meanwhile.
///
/// All blocking work runs on the database's own threads.
package final class SQLiteJournal: JournalStore {
  /// How long an entry waits for others to share its commit.
  static let gathering = Duration.milliseconds(12)
  /// How long, in seconds, the journal waits for the end of an attempt on another system before it
  /// writes the beginning. The shortest attempts mostly end within that time, and then take one
  /// row.
  static let deferral = 0.004
  /// How long a commit waits for others that share its sync to disk.
  static let syncInterval = Duration.milliseconds(100)
  /// How often the log is moved into the file, at most.
  static let checkpointInterval = Duration.seconds(1)

  /// The file's path, as the caller named it.
  package let path: String
  /// The run that the journal records, from its first process to its last.
  package let run: RunID
  /// The progress that the journal held when it was opened.
  package let progress: JournalProgress
  let process: Int
  private let connections: Connections
  private let buffer = EntryBuffer()
  private let writer: Mutex<BatchWriter>
  private let (commits, committed) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let (syncs, synced) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let isClosed = Mutex(false)

  init(
    path: String, run: RunID, connections: Connections, process: Int, place: Int,
    progress: JournalProgress
  ) {
    self.path = path
    self.run = run
    self.connections = connections
    self.process = process
    writer = Mutex(BatchWriter(process: process, place: place))
    self.progress = progress
  }

  deinit {
    try? connections.close()
  }

  // MARK: Reading

  package func parts() async throws -> [JobPart] {
    try await read { try PartTable.all($0.db, $0.path) }
  }

  package func past(
    _ type: any (Codable & Sendable).Type, in sectors: Range<Int>?, after task: TaskID?, limit: Int
  ) async throws -> [PastTask] {
    try await read { try $0.page(type, in: sectors, after: task, limit: limit) }
  }

  package func order() async throws -> [TaskID] { try await read { try $0.order() } }

  package func past(
    _ type: any (Codable & Sendable).Type, _ tasks: [TaskID]
  ) async throws -> [PastTask] {
    try await read { past in try tasks.compactMap { try past.result(type, of: $0) } }
  }

  /// When the attempts of earlier processes began that brought a sector's output, or after which it was given up: by
  /// sector, in seconds since 1970.
  package func beginnings() async throws -> [Int: Double] {
    try await read { try $0.beginnings() }
  }

  /// What earlier processes recorded of their settings, the latest first.
  package func pastSetups() async throws -> [RunSetup] {
    try await read { try $0.setups() }
  }

  package func losses() async throws -> Losses {
    try await read { try $0.losses() }
  }

  private func read<Result: Sendable>(
    _ body: @escaping @Sendable (PastTasks) throws -> Result
  ) async throws -> Result {
    try await connections.use { [path, process] db in
      try JournalReader.withErrors(of: path) {
        try body(PastTasks(db, before: process, path: path))
      }
    }
  }

  // MARK: Writing

  package func record(_ entry: JournalEntry) { buffer.add(entry) }

  package var isBehind: Bool { buffer.isBehind }

  package func commit() async throws {
    try await use { [self] in try write($0) }
  }

  /// Runs `body` on the main connection's queue.
  func use<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await connections.use(body)
  }

  /// Commits the recorded entries, except attempts on other systems that began just now.
  private func commitDue() async throws {
    try await use { [self] in
      // A beginning in the future, after the clock was set back, is written at once.
      let now = RecordedEntry.now
      try write($0, deferring: now - Self.deferral...now)
    }
  }

  package func run() async throws {
    do {
      // A discarding group ends with the first error, without waiting for the other tasks to end by
      // themselves.
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask { [self] in
          for await _ in buffer.news {
            try await Task.sleep(for: Self.gathering, tolerance: .milliseconds(1))
            try await commitDue()
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

  package func finish() async throws {
    try await commit()
    try await end()
  }

  /// Records that the inputs of this process have not changed since it opened them. The engagement that used the
  /// journal has ended.
  ///
  /// - Throws: ``JournalError``.
  package func verify() async throws {
    guard !connections.disk.isLost, buffer.failure == nil else { return }
    try await use { [self] db in
      guard var setup = try Inspection.latestSetup(db, path) else { return }
      setup.isVerified = true
      let json = String(decoding: try JSONEncoder().encode(setup), as: UTF8.self)
      try orFail {
        try db.execute("UPDATE setup SET setup = ? WHERE process = ?", json, process)
      }
    }
  }

  /// Closes the file. If a process ends without this call, the next one takes it to have died
  /// during the run, with its unfinished local attempts running.
  package func close() async {
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
    // The end can be recorded even on a full disk, with the reserved space.
    if buffer.failure != nil { connections.reserve.release() }
    try? await end()
    try? connections.close()
  }

  private func end() async throws {
    try await connections.use { [self] db in
      try orFail {
        try db.execute(
          "UPDATE process SET ended = ? WHERE number = ?", Date().ISO8601Format(), process)
      }
    }
    try await sync()
  }

  /// Writes the recorded entries in one transaction.
  ///
  /// - Parameter recently: attempts on other systems that began within this time are deferred.
  private func write(_ db: Database, deferring recently: ClosedRange<Double>? = nil) throws {
    let entries = try buffer.take()
    // The connection runs its work one after another, so this lock is never contended.
    let hasDeferred = try writer.withLock { writer in
      guard !entries.isEmpty || writer.hasDeferred else { return false }
      try orFail {
        try db.inTransaction(.immediate) {
          try writer.write(entries, to: db, deferring: recently)
        }
      }
      committed.yield()
      return writer.hasDeferred
    }
    buffer.recycle(entries)
    if hasDeferred { buffer.wake() }
  }

  /// Runs `body`. After an error every later write fails with the same error, since the journal
  /// would have a gap.
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
    // If the file was truncated or replaced, that is the error to report, not SQLite's consequence
    // of it.
    do {
      try connections.disk.checkNow()
    } catch let loss as JournalError {
      return loss
    } catch {}
    if error is ColumnError { return .damaged(path, "\(error)") }
    if (error as? DatabaseError)?.resultCode == SQLITE_BUSY { return .locked(.writeFailed, path) }
    let reason = (error as? DatabaseError).map(message(of:)) ?? "\(error)"
    return JournalError(
      .writeFailed, path,
      "it cannot be written (\(reason)); everything recorded until now is kept: see to the room on "
        + "its disk, and start the same command again")
  }

  /// Moves as much of the log as possible into the file. Pages that a reader still needs are moved
  /// later.
  private func checkpoint() async throws {
    do {
      try await connections.disk.check()
      try await connections.checkpoint()
    } catch let error as DatabaseError where error.resultCode == SQLITE_BUSY {
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
