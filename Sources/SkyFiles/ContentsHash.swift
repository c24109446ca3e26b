// What this file codes is frozen by the version of `SourceScan.kind`.

/// A hash of a file's contents: FNV-1a, 64 bits (draft-eastlake-fnv). It tells images apart, and
/// does not protect against contents that were made to have the same hash.
package struct ContentsHash {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The hash in 16 hexadecimal digits.
  package var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  package init() {}

  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}
