import Foundation

/// Writes all of some bytes, or says why it cannot.
package enum WholeWrite {
  /// Blocks until all bytes are written.
  ///
  /// - Returns: the system's error, if not all bytes could be written.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> CInt? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Foundation.write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Another process made the terminal or the pipe non-blocking: wait until it takes more.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
