import Foundation
import SkyNetJournal

/// Writes all bytes to a descriptor, however long that takes.
///
/// - Returns: why not all of them could be written, if so.
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

/// Why nothing more is written.
enum WriteFailure: Error, Hashable {
  /// The system's number of the reason.
  case refused(CInt)
  /// What was written is not where it was written.
  case lost(GrowingFile.Fault)
}
