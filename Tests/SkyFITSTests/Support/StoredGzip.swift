/// Gzip members (RFC 1952) whose bytes are not compressed.
enum StoredGzip {
  /// A member of stored blocks (RFC 1951, 3.2.4). Its last eight bytes are the checksum and the length.
  static func member(_ bytes: [UInt8]) -> [UInt8] {
    var member: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
    for start in stride(from: 0, to: bytes.count, by: 0xffff) {
      let part = bytes[start..<min(start + 0xffff, bytes.count)]
      let count = UInt16(part.count)
      member.append(part.endIndex == bytes.endIndex ? 1 : 0)
      for number in [count, ~count] { member += [UInt8(number & 0xff), UInt8(number >> 8)] }
      member += part
    }
    for number in [checksum(bytes), UInt32(bytes.count)] {
      member += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return member
  }

  /// CRC-32 (RFC 1952, 8).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1
      }
    }
  }
}
