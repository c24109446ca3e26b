import Dispatch
import Foundation
import GRDB

/// Brings what was committed to disk, beside the connection that commits: a disk may take long,
/// and commits are not to wait for it.
///
/// A commit in WAL mode is complete when its frames are in the log; once they are on disk, a power
/// cut leaves them. The log is one file for as long as a connection is open, so it is enough to
/// sync that. Closing its descriptor costs no locks, as SQLite has none on the log.
struct DiskSync: Sendable {
  private let path: String
  private let log: FileHandle
  private let watch: JournalWatch
  private let queue = DispatchQueue(label: "skynet.journal.sync")

  /// - Parameters:
  ///   - path: the journal's; its log is there.
  ///   - lock: the one on its file.
  init(path: String, lock: FileLock) throws {
    self.path = path
    watch = JournalWatch(path: path, lock: lock)
    let descriptor = open(JournalFile.log(of: path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw JournalError.inaccessible(path, String(cString: strerror(errno)))
    }
    log = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Whether the journal's file or its log was found not to be what it was. Then nothing may be
  /// written to them any more.
  var isLost: Bool { watch.isLost }

  /// Returns when everything committed until now is on disk.
  ///
  /// - Throws: ``JournalError``, also if it would be on disk without a name.
  func sync() async throws {
    try await use { try syncNow() }
  }

  /// Checks that the file and its log still are what they were.
  ///
  /// - Throws: ``JournalError``.
  func check() async throws {
    try await use { try checkNow() }
  }

  /// The same, on this thread.
  func checkNow() throws {
    try watch.check(log: log.fileDescriptor)
  }

  private func use(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  /// The same as ``sync()``, on this thread.
  func syncNow() throws {
    try checkNow()
    // Linux tells of a failed write-back once: what it dropped is not there at a second try.
    guard fdatasync(log.fileDescriptor) == 0 else {
      throw JournalError(
        .writeFailed, path,
        "it cannot be brought to disk (\(String(cString: strerror(errno)))); see to its disk, and "
          + "start the same command again")
    }
  }
}
