import Foundation

/// A number that two contents hardly ever have in common: FNV-1a, 64 bits (draft-eastlake-fnv). It
/// tells an image from another, and is no defence against somebody who wants to deceive.
struct ContentsHash {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// It in 16 hexadecimal digits.
  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  init() {}

  /// Of all of a file's bytes. It blocks the thread.
  ///
  /// - Throws: ``FITSError`` if the file cannot be read.
  init(ofFile path: String) throws {
    func unreadable(_ reason: Int32) -> FITSError {
      FITSError(
        .notReadable, path: path, fault: "cannot be read (\(String(cString: strerror(reason))))",
        nextStep: "check its permissions and its disk")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { chunk.deallocate() }
    while true {
      let count = read(descriptor, chunk.baseAddress, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(errno) }
      guard count > 0 else { return }
      add(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
    }
  }
}
