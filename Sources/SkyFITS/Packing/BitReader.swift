/// Reads bits, the most significant one of each byte first. After the end of the bytes, all bits
/// are 0, and ``isBeyond`` tells.
struct BitReader {
  private let bytes: UnsafeRawBufferPointer
  /// The bits that were read.
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether more bits were read than there are.
  var isBeyond: Bool { position > 8 * bytes.count }

  /// Whether all bits were read, except for 0s in the last byte.
  var isAtEnd: Bool {
    let count = 8 * bytes.count - position
    return (0..<8).contains(count) && (count == 0 || window.word == 0)
  }

  /// Reads 1 to 16 bits.
  @inline(__always)
  mutating func take(_ count: Int) -> UInt64 {
    let word = window.word
    position &+= count
    return word &>> UInt64(truncatingIfNeeded: 64 &- count)
  }

  /// Reads 0s and the 1 after them. Returns the number of 0s, or `nil` if there are more than
  /// `limit`, or the bits end.
  mutating func takeZeros(atMost limit: Int) -> Int? {
    var zeros = 0
    while zeros <= limit, !isBeyond {
      let more = window.word.leadingZeroBitCount
      if more < Window.bits {
        position += more + 1
        zeros += more
        return zeros <= limit && !isBeyond ? zeros : nil
      }
      position += Window.bits
      zeros += Window.bits
    }
    return nil
  }

  @inline(__always)
  mutating func skip(_ count: Int) { position &+= count }
}

extension BitReader {
  /// The next bits.
  struct Window {
    /// The bits that are surely there. They may begin within a byte.
    static let bits = 57

    /// The bits, from the top; 0s follow.
    private(set) var word: UInt64
    private(set) var used = 0

    @inline(__always)
    init(_ word: UInt64) { self.word = word }

    /// Takes a number that is split at this bit. It is right only if no more than ``bits`` are used
    /// after that.
    @inline(__always)
    mutating func number(_ split: Int) -> UInt64 {
      // The lowest bit is surely not used, and with a 1 in it the count of 0s is no special case.
      let zeros = (word | 1).leadingZeroBitCount
      let lower = (word &<< UInt64(truncatingIfNeeded: zeros)) &<< 1
      word = lower &<< UInt64(truncatingIfNeeded: split)
      used &+= zeros &+ (1 &+ split)
      return UInt64(truncatingIfNeeded: zeros) &<< UInt64(truncatingIfNeeded: split)
        | (lower &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- split)
    }
  }

  /// Whether the bytes of a window are all there.
  @inline(__always)
  var hasWholeWindow: Bool { position &>> 3 <= bytes.count &- 8 }

  /// The next bits. Those after the end are 0.
  @inline(__always)
  var window: Window {
    hasWholeWindow ? wholeWindow : Window(lastWord)
  }

  /// The next bits, only if ``hasWholeWindow``; otherwise 0s.
  @inline(__always)
  var wholeWindow: Window {
    guard hasWholeWindow else { return Window(0) }
    let word = bytes.loadUnaligned(fromByteOffset: position &>> 3, as: UInt64.self)
    return Window(UInt64(bigEndian: word) &<< UInt64(truncatingIfNeeded: position & 7))
  }

  @inline(never)
  private var lastWord: UInt64 {
    var word: UInt64 = 0
    for index in 0..<8 {
      let place = position >> 3 + index
      word = word << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0)
    }
    return word << UInt64(position & 7)
  }
}
