import Foundation

/// A number that two files of different contents hardly ever have in common: FNV-1a, 64 bits
/// (draft-eastlake-fnv), over all of the file's bytes. It tells an image from another, and is no
/// defence against somebody who wants to deceive.
///
/// It blocks the thread.
///
/// - Throws: ``FITSError`` if the file cannot be read.
func contentsHash(_ path: String) throws -> UInt64 {
  func unreadable(_ reason: Int32) -> FITSError {
    FITSError(
      .notReadable, path: path, fault: "cannot be read (\(String(cString: strerror(reason))))",
      nextStep: "check its permissions and its disk")
  }
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw unreadable(errno) }
  defer { close(descriptor) }
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  defer { chunk.deallocate() }
  while true {
    let count = read(descriptor, chunk.baseAddress, chunk.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw unreadable(errno) }
    guard count > 0 else { return hash }
    for byte in UnsafeRawBufferPointer(rebasing: chunk[..<count]) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }
}
