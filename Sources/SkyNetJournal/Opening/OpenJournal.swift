import CSQLite
import Foundation
package import SkyNetCore
package import SkySQLite

extension SQLiteJournal {
  /// The files that SQLite and the journal keep beside it while it is made or open. No other output
  /// may use these paths.
  package static func sideFiles(of path: String) -> [String] {
    let path = JournalFile.resolved(path)
    return JournalFile.sideSuffixes.map { path + $0 }
  }

  /// What `Journal.open(_:for:sectors:retryFailed:)` opens; see there.
  ///
  /// - Parameters:
  ///   - isResizable: whether the job may have had another number of sectors.
  ///   - setup: what has to be known to run a sector again.
  ///   - isReliable: whether outputs can be relied on that the latest process recorded, and did not verify: whether
  ///     its inputs are as they were when it opened them. If not, all outputs are forgotten: they may be of other
  ///     inputs.
  ///   - lockWait: makes what waits for another program's lock on the file.
  package static func open(
    _ path: String, for identity: JobIdentity, sectors: Int?, retryFailed: Bool = false,
    isResizable: Bool = false, setup: RunSetup? = nil,
    isReliable: @escaping @Sendable ([RunSetup.Input]) -> Bool = { _ in true },
    lockWait: @escaping @Sendable (_ path: String) -> LockWait = LockWait.forJournal
  ) async throws -> SQLiteJournal {
    // Checking a large file blocks for a while.
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            try openNow(
              path, identity, sectors, retryFailed, isResizable, setup, isReliable, lockWait)
          })
      }
    }
  }

  private static func openNow(
    _ path: String, _ identity: JobIdentity, _ sectors: Int?, _ retryFailed: Bool,
    _ isResizable: Bool, _ setup: RunSetup?, _ isReliable: ([RunSetup.Input]) -> Bool,
    _ lockWait: (String) -> LockWait
  ) throws -> SQLiteJournal {
    let real = JournalFile.resolved(path)
    do {
      let lock = try JournalFile.lock(real)
      try Inspection.check(real, is: identity, sectors: sectors, isResizable: isResizable)
      let connections = try Connections(path: JournalFile.resolved(real), lock: lock) {
        lockWait(path)
      }
      do {
        let opened = try connections.main.sync { db in
          try db.inTransaction(.immediate) {
            let isForgotten = try forget(db, real, unless: isReliable)
            var opened = try begin(db, real, identity, sectors, retryFailed, setup)
            opened.progress.isForgotten = isForgotten
            return opened
          }
        }
        try connections.disk.syncNow()
        try JournalFile.syncDirectory(of: real)
        return SQLiteJournal(
          path: path, run: opened.run, connections: connections, process: opened.process,
          place: opened.place, progress: opened.progress)
      } catch {
        try? connections.close()
        throw error
      }
    } catch let error as DatabaseError where error.resultCode == SQLITE_BUSY {
      throw JournalError.locked(.inaccessible, path)
    } catch let error as DatabaseError {
      throw JournalError.inaccessible(path, message(of: error))
    } catch let error as ColumnError {
      throw JournalError.damaged(path, "\(error)")
    } catch let error as JournalError {
      // The message names the path that the caller gave.
      throw JournalError(error.code, path, error.fault)
    }
  }

  /// Removes what was recorded of the tasks, if it cannot be relied on.
  ///
  /// A process that continued a run has looked at the inputs of the process before, so the latest one tells of all.
  ///
  /// - Returns: whether it was removed.
  private static func forget(
    _ db: Database, _ path: String, unless isReliable: ([RunSetup.Input]) -> Bool
  ) throws -> Bool {
    guard let setup = try Inspection.latestSetup(db, path), setup.isVerified != true,
      let inputs = setup.inputs, !isReliable(inputs)
    else { return false }
    let count = try db.value("SELECT count(*) FROM result") ?? 0
    try db.execute("DELETE FROM attempt; DELETE FROM result; DELETE FROM given_up;")
    return count > 0
  }

  /// Records this process, and the job and its run's id if they are new: all in the caller's transaction, so that a
  /// process that dies meanwhile leaves the journal as it was.
  private static func begin(
    _ db: Database, _ path: String, _ identity: JobIdentity, _ sectors: Int?,
    _ retryFailed: Bool, _ setup: RunSetup?
  ) throws -> (run: RunID, process: Int, place: Int, progress: JournalProgress) {
    let now = Date().ISO8601Format()
    let json = String(decoding: try JSONEncoder().encode(identity), as: UTF8.self)
    try db.execute(
      "INSERT OR IGNORE INTO job VALUES (1, ?, ?2, ?2, ?2, ?, ?)", json,
      sectors ?? Inspection.growing, now, SkyNetVersion.software)
    let isNew = try db.changes > 0
    // A journal of more sectors keeps what it has of them.
    if let sectors {
      try db.execute(
        """
        UPDATE job SET sectors = max(sectors, ?1), known = max(known, ?1), extent = max(extent, ?1)
        """, sectors)
    }
    if retryFailed {
      try PartTable.reopenFailed(db)
      try db.execute(
        """
        DELETE FROM attempt WHERE task IN (SELECT task FROM given_up);
        DELETE FROM given_up;
        """)
    }
    try db.execute(
      "INSERT INTO process (pid, software, started) VALUES (?, ?, ?)", Int(getpid()),
      SkyNetVersion.software, now)
    let process = try db.lastInsertRowID
    if let setup {
      let json = String(decoding: try JSONEncoder().encode(setup), as: UTF8.self)
      // A description that no reader would take is left out.
      if json.unicodeScalars.count <= RowBounds.longestReason {
        try db.execute("INSERT INTO setup VALUES (?, ?)", process, json)
      }
    }
    try db.execute("INSERT OR IGNORE INTO run VALUES (1, ?)", "\(RunID())")
    let run = try Inspection.run(db, path)
    var progress = try Overview.progress(db)
    progress.isResumed = !isNew
    if !isNew, let created = try db.value("SELECT created FROM job", as: String.self) {
      progress.begun = try? Date(created, strategy: .iso8601)
    }
    let place = try db.value("SELECT max(place) + 1 FROM result") ?? 0
    return (run, process, place, progress)
  }
}
