// What this file codes is frozen by the version of `SourceScan.kind`.

/// Unpacks pixels that are packed by Rice's code; ``RicePacking`` says how. The bytes may be any.
///
/// No access is out of bounds. ``BitReader`` reads only what is there, and pixels are written below
/// their count. Each block ends: what it reads is never read again, and a code is 4 bits at least.
struct RiceUnpacker {
  private var bits: BitReader

  init(_ packed: UnsafeRawBufferPointer) { bits = BitReader(packed) }

  /// Fills the memory with pixels, and returns the fault if the bytes do not hold exactly as many.
  mutating func unpack(into memory: UnsafeMutableRawBufferPointer) -> UnpackingError? {
    let count = memory.count / 2
    guard count > 0, let start = memory.baseAddress else { return .truncated }
    var last = UInt16(truncatingIfNeeded: bits.take(16))
    var index = 0
    while index < count {
      let size = min(RiceBlock.pixels, count - index)
      if let error = unpackBlock(into: start + 2 * index, count: size, after: &last) {
        return error
      }
      index += size
    }
    return bits.isAtEnd ? nil : .trailing
  }

  @inline(__always)
  private mutating func unpackBlock(
    into pixels: UnsafeMutableRawPointer, count: Int, after last: inout UInt16
  ) -> UnpackingError? {
    let code = Int(bits.take(RiceBlock.codeBits))
    if code == 0 {
      for index in 0..<count { Self.put(last, at: index, of: pixels) }
    } else if code == RiceBlock.plainCode {
      for index in 0..<count { Self.put(bits.take(16), at: index, of: pixels, after: &last) }
    } else if count == RiceBlock.pixels {
      return unpackWhole(into: pixels, split: code - 1, after: &last)
    } else {
      return unpack(0..<count, of: pixels, split: code - 1, after: &last)
    }
    return bits.isBeyond ? .truncated : nil
  }

  /// A block of 32 pixels, four at a time if their bits are few enough.
  @inline(__always)
  private mutating func unpackWhole(
    into pixels: UnsafeMutableRawPointer, split: Int, after last: inout UInt16
  ) -> UnpackingError? {
    var union: UInt64 = 0
    for index in stride(from: 0, to: RiceBlock.pixels, by: 4) {
      var window = bits.wholeWindow
      let first = window.number(split)
      let second = window.number(split)
      let third = window.number(split)
      let fourth = window.number(split)
      guard window.used <= BitReader.Window.bits else {
        if let error = unpack(index..<index + 4, of: pixels, split: split, after: &last) {
          return error
        }
        continue
      }
      bits.skip(window.used)
      union |= first | second | third | fourth
      Self.put(first, at: index, of: pixels, after: &last)
      Self.put(second, at: index + 1, of: pixels, after: &last)
      Self.put(third, at: index + 2, of: pixels, after: &last)
      Self.put(fourth, at: index + 3, of: pixels, after: &last)
    }
    return union > UInt64(UInt16.max) ? .impossibleDifference : nil
  }

  /// Pixels of a block one by one, however many bits they have.
  @inline(never)
  private mutating func unpack(
    _ range: Range<Int>, of pixels: UnsafeMutableRawPointer, split: Int, after last: inout UInt16
  ) -> UnpackingError? {
    for index in range {
      guard let upper = bits.takeZeros(atMost: Int(UInt16.max) >> split) else {
        return bits.isBeyond ? .truncated : .impossibleDifference
      }
      let lower = split > 0 ? bits.take(split) : 0
      guard !bits.isBeyond else { return .truncated }
      Self.put(UInt64(upper) << UInt64(split) | lower, at: index, of: pixels, after: &last)
    }
    return nil
  }

  @inline(__always)
  private static func put(_ pixel: UInt16, at index: Int, of pixels: UnsafeMutableRawPointer) {
    pixels.storeBytes(of: pixel.littleEndian, toByteOffset: 2 &* index, as: UInt16.self)
  }

  /// Puts the pixel that differs from the one before by the difference of this number.
  @inline(__always)
  private static func put(
    _ number: UInt64, at index: Int, of pixels: UnsafeMutableRawPointer, after last: inout UInt16
  ) {
    let difference = (number &>> 1) ^ (0 &- (number & 1))
    last &+= UInt16(truncatingIfNeeded: difference)
    put(last, at: index, of: pixels)
  }
}
