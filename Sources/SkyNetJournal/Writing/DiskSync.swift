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
  private let queue = DispatchQueue(label: "skynet.journal.sync")

  /// - Parameter path: the journal's; its log is there.
  init(path: String) throws {
    self.path = path
    let descriptor = open(JournalFile.log(of: path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw JournalError.inaccessible(path, String(cString: strerror(errno)))
    }
    log = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Returns when everything committed until now is on disk.
  ///
  /// - Throws: ``JournalError``.
  func sync() async throws {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try syncNow() }) }
    }
  }

  /// The same, on this thread.
  func syncNow() throws {
    // Linux tells of a failed write-back once: what it dropped is not there at a second try.
    guard fdatasync(log.fileDescriptor) == 0 else {
      throw JournalError(
        .writeFailed, path,
        "it cannot be brought to disk (\(String(cString: strerror(errno)))); see to its disk, and "
          + "start the same command again")
    }
  }
}
