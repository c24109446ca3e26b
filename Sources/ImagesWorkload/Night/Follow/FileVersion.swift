import Foundation
import SkyNetCommand

/// A file with the contents that it had at one time: a rewritten file has another version.
struct FileVersion: Hashable, Sendable {
  let device: UInt64
  let number: UInt64
  let size: Int
  /// The time of the last change, in nanoseconds since 1970.
  let modified: Int

  init(device: UInt64 = 0, number: UInt64, size: Int, modified: Int) {
    self.device = device
    self.number = number
    self.size = size
    self.modified = modified
  }

  private init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    #if os(Linux)
      let time = status.st_mtim
    #else
      let time = status.st_mtimespec
    #endif
    self.init(
      device: UInt64(status.st_dev), number: UInt64(status.st_ino), size: Int(status.st_size),
      modified: Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec))
  }

  /// The version of the regular file that a path leads to; `nil` if it leads to none. Nothing is
  /// opened, so a pipe under the name does no harm.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// How long ago the file was changed, by this machine's clock. Another machine's, which may have
  /// written the time, can differ.
  var age: Duration {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return .nanoseconds(max(0, Int(now.tv_sec) &* 1_000_000_000 &+ now.tv_nsec &- modified))
  }
}

extension FITSExtent {
  /// The extent of the regular file that a path leads to. Blocks the thread.
  ///
  /// - Returns: `nil` if the path leads to none.
  init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno != ENOENT else { return nil }
      self = .notFITS("cannot be read (\(String(cString: strerror(errno))))")
      return
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(size: Int(status.st_size)) { offset, bytes in
      let wanted = bytes.count
      var count = 0
      while count < wanted {
        let read = bytes.withUnsafeMutableBytes {
          pread(descriptor, $0.baseAddress! + count, wanted - count, off_t(offset + count))
        }
        if read < 0, errno == EINTR { continue }
        guard read > 0 else { return false }
        count += read
      }
      return true
    }
  }
}
