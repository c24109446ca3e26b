import Dispatch
import Foundation

/// Syncs commits to disk on a separate queue: a sync may take long, and commits do not wait for it.
///
/// A commit in WAL mode is complete when its frames are in the log, and survives a power cut once
/// they are on disk. The log stays the same file while a connection is open, so syncing that file
/// is enough. Closing its descriptor loses no locks, as SQLite has none on the log.
struct DiskSync: Sendable {
  private let path: String
  private let log: FileHandle
  private let watch: JournalWatch
  private let queue = DispatchQueue(label: "skynet.journal.sync")

  /// - Parameters:
  ///   - path: the journal's path; its log must exist.
  ///   - lock: the lock on the journal's file.
  init(path: String, lock: FileLock) throws {
    self.path = path
    watch = JournalWatch(path: path, lock: lock)
    let descriptor = open(JournalFile.log(of: path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw JournalError.inaccessible(path, String(cString: strerror(errno)))
    }
    log = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Whether a check found one of the journal's files lost. Nothing may be written to them any more
  /// then.
  var isLost: Bool { watch.isLost }

  /// Syncs the log. When this returns, everything committed before is on disk.
  ///
  /// - Throws: ``JournalError``, also if the files have lost their names.
  func sync() async throws {
    try await use { try syncNow() }
  }

  /// Checks that the journal's files are still those that were opened.
  ///
  /// - Throws: ``JournalError``.
  func check() async throws {
    try await use { try checkNow() }
  }

  /// Does the same as ``check()``, on this thread.
  func checkNow() throws {
    try watch.check(log: log.fileDescriptor)
  }

  private func use(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  /// Does the same as ``sync()``, on this thread.
  func syncNow() throws {
    try checkNow()
    // Linux reports a failed write-back once; the pages that it dropped are not written by a second
    // try.
    guard fdatasync(log.fileDescriptor) == 0 else {
      throw JournalError(
        .writeFailed, path,
        "it cannot be synced to disk (\(String(cString: strerror(errno)))); check the disk, and start "
          + "the same command again")
    }
  }
}
