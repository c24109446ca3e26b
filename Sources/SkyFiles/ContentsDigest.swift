package import Foundation

/// A digest of contents, by which a file is known again: SipHash-2-4 over blocks of a MiB. Its key is known to all, so it
/// is no protection against contents that were made to have the same digest.
package enum ContentsDigest {
  private static let key = DigestKey(first: 0, second: 0)
  private static let blockSize = 1 << 20

  package static func of(_ contents: Data) -> UInt64 {
    contents.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: blockSize).reduce(0) { digest, start in
        adding(.init(rebasing: bytes[start..<min(start + blockSize, bytes.count)]), to: digest)
      }
    }
  }

  /// The digest of a regular file's contents. Blocks the thread.
  ///
  /// - Parameters:
  ///   - size: how many bytes it has.
  ///   - isBeginning: whether it may have more, which do not count.
  /// - Returns: `nil` if the file cannot be read, or has another size.
  package static func of(file path: String, size: Int, isBeginning: Bool = false) -> UInt64? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      isBeginning ? Int(status.st_size) >= size : Int(status.st_size) == size
    else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: min(blockSize, size), alignment: 8) { buffer in
      var digest: UInt64 = 0
      for start in stride(from: 0, to: size, by: blockSize) {
        guard let block = block(of: min(blockSize, size - start), in: buffer, from: descriptor)
        else { return nil }
        digest = adding(block, to: digest)
      }
      return digest
    }
  }

  private static func adding(_ block: UnsafeRawBufferPointer, to digest: UInt64) -> UInt64 {
    key.number(for: [
      Int(truncatingIfNeeded: digest), Int(truncatingIfNeeded: key.digest(of: block)),
    ])
  }

  /// Reads so many bytes.
  ///
  /// - Returns: `nil` if the file has fewer, or cannot be read.
  private static func block(
    of size: Int, in buffer: UnsafeMutableRawBufferPointer, from descriptor: CInt
  ) -> UnsafeRawBufferPointer? {
    var count = 0
    while count < size {
      let more = read(descriptor, buffer.baseAddress! + count, size - count)
      guard more > 0 || more < 0 && errno == EINTR else { return nil }
      count += max(0, more)
    }
    return UnsafeRawBufferPointer(rebasing: buffer[..<size])
  }
}
