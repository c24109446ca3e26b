import Foundation

/// The file by which processes that have a journal open see each other's locks. Without its name,
/// another program would see none of them, and could write over what this one writes.
///
/// It is known by its name alone: to close a descriptor of it would let go of SQLite's locks. One that
/// is truncated is not looked for: SQLite has it mapped, and the kernel ends the process (SIGBUS).
struct SharedMemory {
  private let path: String
  private let device: dev_t
  private let inode: ino_t

  /// - Parameter path: the journal's, which SQLite has open; `nil` if there is no shared memory.
  init?(of path: String) {
    self.path = Self.path(of: path)
    var status = stat()
    guard stat(self.path, &status) == 0 else { return nil }
    (device, inode) = (status.st_dev, status.st_ino)
  }

  static func path(of path: String) -> String { path + "-shm" }

  /// What became of it, as the rest of a sentence; `nil` if it still has its name.
  func fault() -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return "it was deleted or moved while it was in use" }
    let isTheSame = status.st_dev == device && status.st_ino == inode
    return isTheSame ? nil : GrowingFile.Fault.replaced.description
  }
}
