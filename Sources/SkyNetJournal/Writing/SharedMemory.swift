import Foundation

/// The file through which processes that have a journal open see each other's locks. If it loses
/// its name, another program sees no locks and could overwrite this one's pages.
///
/// It is checked by its path alone, since closing a descriptor of it would lose SQLite's locks.
/// Truncation is not checked: SQLite has the file mapped, and the kernel ends the process (SIGBUS).
struct SharedMemory {
  private let path: String
  private let device: dev_t
  private let inode: ino_t

  /// Returns `nil` if there is no shared memory.
  ///
  /// - Parameter path: the path of the journal, which SQLite has open.
  init?(of path: String) {
    self.path = Self.path(of: path)
    var status = stat()
    guard stat(self.path, &status) == 0 else { return nil }
    (device, inode) = (status.st_dev, status.st_ino)
  }

  static func path(of path: String) -> String { path + "-shm" }

  /// The fault of the file, as the rest of a sentence; `nil` if the file still has its name.
  func fault() -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return "it was deleted or moved while it was in use" }
    let isTheSame = status.st_dev == device && status.st_ino == inode
    return isTheSame ? nil : GrowingFile.Fault.replaced.description
  }
}
