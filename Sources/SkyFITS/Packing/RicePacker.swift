// What this file codes is frozen by the version of `SourceScan.kind`.

/// Packs pixels by Rice's code; ``RicePacking`` says how.
struct RicePacker {
  /// No block takes more bytes. Numbers that are not split take 4 + 32 × 16 bits. If 32 numbers are
  /// split at bit `s`, at most 13, their sum is at most `32 × 2^(s + 1) + 16`, as
  /// ``split(sum:count:)`` chooses it. So their upper parts add up to 80 at most, and the block takes
  /// no more than 4 + 32 × (13 + 1) + 80 bits.
  static let mostBytesOfBlock = 72

  private var bits: BitWriter
  private let capacity: Int
  /// The numbers of a block's differences.
  private let numbers: UnsafeMutablePointer<UInt16>

  /// - Parameters:
  ///   - room: the pixels' bytes, ``mostBytesOfBlock`` and ``BitWriter/bytesAtOnce``.
  ///   - numbers: memory for a block.
  init(into room: UnsafeMutableRawBufferPointer, numbers: UnsafeMutableBufferPointer<UInt16>) {
    precondition(numbers.count >= RiceBlock.pixels)
    bits = BitWriter(into: room.baseAddress!)
    capacity = room.count
    self.numbers = numbers.baseAddress!
  }

  /// Packs all pixels, of which there is at least one, and returns the count of the packed bytes;
  /// `nil` if that is no smaller.
  ///
  /// No access is out of bounds. Pixels are read below the count of whole ones. A block begins only
  /// if less than the pixels' bytes are written, and the room has the most bytes of a block more.
  mutating func pack(_ pixels: UnsafeRawBufferPointer) -> Int? {
    precondition(pixels.count + Self.mostBytesOfBlock + BitWriter.bytesAtOnce <= capacity)
    let count = pixels.count / 2
    guard count > 0, let start = pixels.baseAddress else { return nil }
    var last = Self.pixel(start)
    bits.put(UInt64(last), count: 16)
    var index = 0
    while count - index >= RiceBlock.pixels {
      guard bits.bytes < pixels.count else { return nil }
      pack(start + 2 * index, count: RiceBlock.pixels, after: &last)
      index += RiceBlock.pixels
    }
    if index < count {
      guard bits.bytes < pixels.count else { return nil }
      pack(start + 2 * index, count: count - index, after: &last)
    }
    return bits.bytes < pixels.count ? bits.bytes : nil
  }

  @inline(__always)
  private static func pixel(_ place: UnsafeRawPointer) -> UInt16 {
    UInt16(littleEndian: place.loadUnaligned(as: UInt16.self))
  }

  /// Packs a block.
  @inline(__always)
  private mutating func pack(_ pixels: UnsafeRawPointer, count: Int, after last: inout UInt16) {
    var sum: UInt32 = 0
    var union: UInt16 = 0
    for index in 0..<count {
      let pixel = Self.pixel(pixels + 2 * index)
      let difference = Int16(bitPattern: pixel &- last)
      last = pixel
      let number = UInt16(bitPattern: (difference &<< 1) ^ (difference &>> 15))
      numbers[index] = number
      sum &+= UInt32(number)
      union |= number
    }
    guard sum > 0 else { return bits.put(0, count: RiceBlock.codeBits) }
    let split = Self.split(sum: Int(sum), count: count)
    guard split + 1 < RiceBlock.plainCode else {
      bits.put(UInt64(RiceBlock.plainCode), count: RiceBlock.codeBits)
      for index in 0..<count { bits.put(UInt64(numbers[index]), count: 16) }
      return
    }
    bits.put(UInt64(split + 1), count: RiceBlock.codeBits)
    // No number takes more bits: its upper part is at most the union's.
    let longest = Int(union &>> UInt16(split)) + 1 + split
    if longest <= BitWriter.most / 4, count == RiceBlock.pixels {
      for index in stride(from: 0, to: RiceBlock.pixels, by: 4) {
        let first = Word(numbers[index], split).followed(by: Word(numbers[index + 1], split))
        let second = Word(numbers[index + 2], split).followed(by: Word(numbers[index + 3], split))
        let all = first.followed(by: second)
        bits.put(all.bits, count: all.count)
      }
    } else if longest <= BitWriter.most {
      for index in 0..<count {
        let word = Word(numbers[index], split)
        bits.put(word.bits, count: word.count)
      }
    } else {
      for index in 0..<count { putLong(numbers[index], split) }
    }
  }

  /// The bit at which CFITSIO splits a block's numbers, from their sum; larger than 13 if they are
  /// better not split.
  @inline(__always)
  private static func split(sum: Int, count: Int) -> Int {
    let mean = UInt32(truncatingIfNeeded: max(sum - count / 2 - 1, 0) / count)
    return 32 - (mean / 2).leadingZeroBitCount
  }

  /// A number that may take more bits than can be put at once.
  private mutating func putLong(_ number: UInt16, _ split: Int) {
    var zeros = Int(number) >> split
    while zeros > 0 {
      bits.put(0, count: min(zeros, BitWriter.most))
      zeros -= BitWriter.most
    }
    let word = Word(number & (1 << split - 1), split)
    bits.put(word.bits, count: word.count)
  }
}

/// The bits for numbers, at most ``BitWriter/most``.
private struct Word {
  let bits: UInt64
  let count: Int

  @inline(__always)
  init(bits: UInt64, count: Int) { (self.bits, self.count) = (bits, count) }

  @inline(__always)
  init(_ number: UInt16, _ split: Int) {
    let one: UInt64 = 1 &<< UInt64(truncatingIfNeeded: split)
    bits = UInt64(number) & (one &- 1) | one
    count =
      Int(truncatingIfNeeded: UInt64(number) &>> UInt64(truncatingIfNeeded: split))
      &+ (1 &+ split)
  }

  @inline(__always)
  func followed(by next: Word) -> Word {
    Word(
      bits: bits &<< UInt64(truncatingIfNeeded: next.count) | next.bits,
      count: count &+ next.count)
  }
}
