// What this file codes is frozen by the versions of the kinds of scans that send it.

/// The key of one run's digests. Nobody who prepared a file before the run can know it, so nobody
/// can have made two blocks with the same digest.
package struct DigestKey: Codable, Hashable, Sendable {
  package var first: UInt64
  package var second: UInt64

  package init(first: UInt64, second: UInt64) {
    (self.first, self.second) = (first, second)
  }

  package static func random() -> DigestKey {
    DigestKey(first: .random(in: 0...UInt64.max), second: .random(in: 0...UInt64.max))
  }
}

extension DigestKey {
  /// The keyed digest of these bytes: SipHash-2-4 with 64 bits (Aumasson & Bernstein 2012).
  package func digest(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = SipState(self)
    let whole = bytes.count & ~7
    for offset in stride(from: 0, to: whole, by: 8) {
      state.add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
    var last = UInt64(truncatingIfNeeded: bytes.count) << 56
    for offset in whole..<bytes.count { last |= UInt64(bytes[offset]) << (8 * (offset - whole)) }
    state.add(last)
    return state.end()
  }

  /// The keyed digest of these bytes.
  package func digest(of bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { digest(of: $0) } }

  /// A number that follows from these numbers and the key, and cannot be foretold without the key.
  package func number(for numbers: [Int]) -> UInt64 {
    numbers.withUnsafeBytes { digest(of: $0) }
  }
}

/// The state of a SipHash, with the names of its paper.
private struct SipState {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  init(_ key: DigestKey) {
    v0 = key.first ^ 0x736f_6d65_7073_6575
    v1 = key.second ^ 0x646f_7261_6e64_6f6d
    v2 = key.first ^ 0x6c79_6765_6e65_7261
    v3 = key.second ^ 0x7465_6462_7974_6573
  }

  @inline(__always)
  mutating func add(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  mutating func end() -> UInt64 {
    v2 ^= 0xff
    for _ in 0..<4 { round() }
    return v0 ^ v1 ^ v2 ^ v3
  }

  @inline(__always)
  private mutating func round() {
    v0 &+= v1
    v1 = Self.rotated(v1, 13) ^ v0
    v0 = Self.rotated(v0, 32)
    v2 &+= v3
    v3 = Self.rotated(v3, 16) ^ v2
    v0 &+= v3
    v3 = Self.rotated(v3, 21) ^ v0
    v2 &+= v1
    v1 = Self.rotated(v1, 17) ^ v2
    v2 = Self.rotated(v2, 32)
  }

  @inline(__always)
  private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word &<< bits | word &>> (64 - bits)
  }
}
