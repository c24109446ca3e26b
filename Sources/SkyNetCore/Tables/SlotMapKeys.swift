/// Gives out keys for things that come and go. Each key is higher than all before it, no key is
/// given out twice, and each says at which index of a ``SlotMap`` its value is.
///
/// The low 26 bits are the index: enough for 67 million keys at a time. The index of a freed key is
/// used again, the latest first, as its memory is likely still in the processor's cache. The other
/// bits count up: 137 billion keys fit a signed 64-bit integer.
struct SlotMapKeys: Sendable {
  private static let indexBits: UInt64 = 26

  private var freeIndices: [Int] = []
  private var indexCount = 0
  private var count: UInt64 = 0

  static func index(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: key & (1 << indexBits - 1))
  }

  /// The position of this key among all keys, from 1; for people.
  static func ordinal(of key: UInt64) -> UInt64 { key >> indexBits }

  /// Whether this key was given out. It may have been freed since.
  func wasGivenOut(_ key: UInt64) -> Bool {
    let ordinal = Self.ordinal(of: key)
    return ordinal > 0 && ordinal <= count && Self.index(of: key) < indexCount
  }

  mutating func makeKey() -> UInt64 {
    let index = freeIndices.popLast() ?? indexCount
    if index == indexCount { indexCount += 1 }
    precondition(indexCount <= 1 << Self.indexBits, "more keys at a time than there are indices")
    count += 1
    return count << Self.indexBits | UInt64(index)
  }

  /// Frees a key. This must be called only once for a key.
  mutating func free(_ key: UInt64) { freeIndices.append(Self.index(of: key)) }
}
