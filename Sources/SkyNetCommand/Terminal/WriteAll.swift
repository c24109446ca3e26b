import Foundation
import SkyNetJournal

/// Writes all bytes to a descriptor, and blocks until that is done.
///
/// - Returns: the failure, if not all bytes could be written.
func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) -> WriteFailure? {
  var rest = bytes
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno == EAGAIN {
      // Another process made the terminal non-blocking: wait until it takes more.
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&waiting, 1, -1)
    } else if errno != EINTR {
      return .refused(errno)
    }
  }
  return nil
}

/// Why an output takes no more bytes.
enum WriteFailure: Error, Hashable {
  /// A write failed with this `errno`.
  case refused(CInt)
  /// The file was replaced or truncated.
  case lost(GrowingFile.Fault)
}
