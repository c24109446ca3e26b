import Synchronization

package import struct Foundation.Data

/// Gathers the bulk bytes of one message while its JSON is encoded.
///
/// This and the reader are classes, because a coder's `userInfo` hands out copies of its values.
package final class BulkWriter: Sendable {
  private let gathered = Mutex((bytes: Data(), count: 0))
  private let isMeasure: Bool

  /// - Parameter isMeasure: whether the bytes are only counted.
  package init(isMeasure: Bool = false) { self.isMeasure = isMeasure }

  package var bytes: Data { gathered.withLock { $0.bytes } }

  package var count: Int { gathered.withLock { $0.count } }

  /// Adds bytes, and returns their offset.
  func append(_ more: Data) -> Int {
    gathered.withLock { gathered in
      defer {
        gathered.count += more.count
        // Mostly a message has one large block of bytes. It is shared and not copied.
        if isMeasure {
        } else if gathered.bytes.isEmpty {
          gathered.bytes = more
        } else {
          gathered.bytes.append(more)
        }
      }
      return gathered.count
    }
  }
}

/// Hands out the bulk bytes of one message while its JSON is decoded.
///
/// It hands out at most twice as many bytes as there are, as a message's writer refers to each byte
/// once, and its reader may try two ways. If all values could refer to the same bytes, a small message
/// would cost its reader as much as a large one.
package final class BulkReader: Sendable {
  private static let readsPerByte = 2

  package let bytes: Data
  /// The number of bytes that were handed out.
  private let handedOut = Atomic<Int>(0)

  package init(_ bytes: Data) {
    self.bytes = bytes
  }

  /// Returns the bytes in this range without a copy, or `nil` if they are not all there or were
  /// handed out too often.
  func slice(offset: Int, count: Int) -> Data? {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset
    else { return nil }
    let total = handedOut.add(count, ordering: .relaxed).newValue
    guard total <= Self.readsPerByte * bytes.count else { return nil }
    let start = bytes.startIndex + offset
    return bytes[start..<start + count]
  }
}

extension CodingUserInfoKey {
  // A constant text is always a valid key.
  /// Where an encoder has what gathers the bulk bytes; without it ``BulkBytes`` are part of the JSON.
  public static let bulkWriter = CodingUserInfoKey(rawValue: "skynet.bulkWriter")!
  /// Where a decoder has what hands out the bulk bytes; without it ``BulkBytes`` are read from the JSON.
  public static let bulkReader = CodingUserInfoKey(rawValue: "skynet.bulkReader")!
}
