// What this file codes is frozen by the version of `SourceScan.kind`.

package import Foundation

/// Which file a path leads to on this machine, and which version of it, as far as the system tells
/// without reading it.
///
/// An account that may write a file can set its modification time, but not its change time. So two equal
/// states of a settled file are those of the same contents, unless it is written through a mapping:
/// that may change no time until the pages are written back.
package struct FileState: Codable, Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64
  package var size: Int
  /// When the contents were modified last, in nanoseconds since 1970.
  package var modified: Int
  /// When the contents, the times, the names or the permissions changed last, in nanoseconds since
  /// 1970.
  package var changed: Int

  package init(device: UInt64, inode: UInt64, size: Int, modified: Int, changed: Int) {
    (self.device, self.inode, self.size) = (device, inode, size)
    (self.modified, self.changed) = (modified, changed)
  }

  package init(_ status: stat) {
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.init(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino), size: Int(status.st_size),
      modified: modified.nanoseconds, changed: changed.nanoseconds)
  }

  /// The state of the file that a path leads to.
  ///
  /// - Returns: `nil` if there is no such file.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// More than the time between ticks of the clock that gives files their change times, in nanoseconds.
  package static let clockTick = 20_000_000

  /// Waits until any further change gives an open file another state. That takes a tick of the clock after the last
  /// change, and no time at all for most files. Blocks the thread.
  ///
  /// - Returns: what the file is then. A file that is written all the time, or a clock that differs from that of the
  ///   file's server, is not waited for.
  /// - Throws: an error number of the system, if it does not tell.
  package static func settled(_ descriptor: CInt) throws(SystemError) -> stat {
    var status = stat()
    for _ in 0..<3 {
      guard fstat(descriptor, &status) == 0 else { throw SystemError(number: errno) }
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      let age = now.nanoseconds - FileState(status).changed
      guard status.st_mode & S_IFMT == S_IFREG, (0..<clockTick).contains(age) else { break }
      usleep(UInt32((clockTick - age) / 1000 + 1))
    }
    return status
  }

  /// An error of a system call.
  package struct SystemError: Error { package let number: CInt }

  /// What tells versions of one file apart. Machines that share it may number its device differently.
  package var version: [Int] { [size, modified, changed] }

  /// Whether both states are those of one file, whatever has become of it between them.
  package func isSameFile(as other: FileState) -> Bool {
    device == other.device && inode == other.inode
  }
}

extension timespec {
  package var nanoseconds: Int { Int(tv_sec) &* 1_000_000_000 &+ Int(tv_nsec) }
}
