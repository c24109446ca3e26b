import Foundation
import Synchronization

/// Space on the journal's disk that is freed when the disk is full: enough to record that the
/// process ended.
///
/// Without it, an orderly end on a full disk could not be recorded, and the next process would
/// count the scans that ran as having killed this one. The file has no name, so it disappears with
/// the process.
final class DiskReserve: Sendable {
  private static let size: off_t = 256 * 1024

  private let descriptor: Mutex<CInt?>

  /// Reserves the space, or none if the disk has too little.
  init(beside path: String) {
    let descriptor = Self.nameless(beside: path)
    self.descriptor = Mutex(descriptor >= 0 ? descriptor : nil)
    guard descriptor >= 0 else { return }
    posix_fallocate(descriptor, 0, Self.size)
  }

  deinit { release() }

  private static func nameless(beside path: String) -> CInt {
    #if os(Linux)
      // O_TMPFILE, a macro that Swift does not import: the file never has a name that could be left
      // behind.
      let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
      return open(directory, 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
    #else
      var template = Array("\(path).XXXXXX".utf8CString)
      let descriptor = mkstemp(&template)
      if descriptor >= 0 { unlink(template) }
      return descriptor
    #endif
  }

  func release() {
    descriptor.withLock { descriptor in
      if let descriptor { close(descriptor) }
      descriptor = nil
    }
  }
}
