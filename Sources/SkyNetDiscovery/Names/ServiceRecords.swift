/// The SRV records of a DNS server's answer (RFC 1035, section 4; RFC 2782).
///
/// The bytes come from the network, so every length is checked, and a name's pointers are followed only backwards.
struct ServiceRecords: Hashable {
  struct Record: Hashable {
    /// The host's name without a dot at its end; empty if the service is not offered.
    let target: String
    let port: Int
  }

  private(set) var records: [Record] = []
  /// The least of the records' times to live, in seconds; `nil` without records.
  private(set) var seconds: Int?

  private static let headerSize = 12
  private static let service = 33
  /// More records than this are left out: a cluster of that many nodes needs another way to be found.
  private static let mostRecords = 4096

  /// `nil` if the bytes are no DNS message. Records that are not understood are left out.
  init?(_ bytes: [UInt8]) {
    guard let questions = Self.word(bytes, at: 4), let answers = Self.word(bytes, at: 6) else {
      return nil
    }
    var place = Self.headerSize
    for _ in 0..<questions {
      guard let end = Self.end(ofNameAt: place, in: bytes) else { return nil }
      place = end + 4
    }
    for _ in 0..<min(answers, Self.mostRecords) {
      guard let end = Self.end(ofNameAt: place, in: bytes),
        let type = Self.word(bytes, at: end), let high = Self.word(bytes, at: end + 4),
        let low = Self.word(bytes, at: end + 6), let length = Self.word(bytes, at: end + 8),
        end + 10 + length <= bytes.count
      else { return nil }
      place = end + 10 + length
      // Priority and weight come first. An engagement uses all systems, so they do not matter.
      guard type == Self.service, length >= 7, let port = Self.word(bytes, at: end + 14),
        let target = Self.name(at: end + 16, in: bytes)
      else { continue }
      seconds = min(seconds ?? .max, high << 16 | low)
      if !target.isEmpty, port > 0 { records.append(Record(target: target, port: port)) }
    }
  }

  private static func word(_ bytes: [UInt8], at place: Int) -> Int? {
    guard place >= 0, place + 2 <= bytes.count else { return nil }
    return Int(bytes[place]) << 8 | Int(bytes[place + 1])
  }

  /// Where a name ends in the message, a pointer included.
  private static func end(ofNameAt start: Int, in bytes: [UInt8]) -> Int? {
    var place = start
    while place < bytes.count {
      let length = Int(bytes[place])
      if length == 0 { return place + 1 }
      if length & 0xC0 == 0xC0 { return place + 2 }
      guard length < 64 else { return nil }
      place += 1 + length
    }
    return nil
  }

  /// The name, with dots between its labels; `nil` if it is broken, or has bytes that no host's name has.
  private static func name(at start: Int, in bytes: [UInt8]) -> String? {
    var (labels, place, limit) = ([String](), start, start)
    var size = 0
    while place < bytes.count {
      let length = Int(bytes[place])
      if length == 0 { return labels.joined(separator: ".") }
      if length & 0xC0 == 0xC0 {
        guard let target = word(bytes, at: place).map({ $0 & 0x3FFF }), target < limit else {
          return nil
        }
        (place, limit) = (target, target)
        continue
      }
      let label = bytes[(place + 1)...].prefix(length)
      size += 1 + length
      guard length < 64, label.count == length, size <= 255, label.allSatisfy(isHostByte) else {
        return nil
      }
      labels.append(String(decoding: label, as: UTF8.self))
      place += 1 + length
    }
    return nil
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
