import Foundation
import Synchronization

/// Some room on the journal's disk, given back when that is full: enough for a last word.
///
/// Without it a process that ends in order on a full disk could not say so, and what it ran would
/// be counted as having killed it. The file has no name, so that it goes with the process.
final class Reserve: Sendable {
  private static let size: off_t = 256 * 1024

  private let descriptor: Mutex<CInt?>

  /// Where it cannot be had, none is.
  init(beside path: String) {
    let descriptor = Self.nameless(beside: path)
    self.descriptor = Mutex(descriptor >= 0 ? descriptor : nil)
    guard descriptor >= 0 else { return }
    posix_fallocate(descriptor, 0, Self.size)
  }

  deinit { release() }

  private static func nameless(beside path: String) -> CInt {
    #if os(Linux)
      // O_TMPFILE, which is too much of a macro to be imported: there is never a name that a
      // process could leave behind.
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
