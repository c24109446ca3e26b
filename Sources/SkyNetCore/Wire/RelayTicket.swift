/// By a ticket the two ends of a relayed connection find each other at the process that relays it: each connects
/// there, and sends the ticket before anything else. It is 128 random bits, which only these three know.
package struct RelayTicket: Hashable, Sendable {
  /// How many bytes a connection begins with that is to be relayed.
  package static let byteCount = magic.count + 16
  private static let magic = Array("SR1".utf8)

  private let number: UInt128

  package init() { number = UInt128.random(in: .min ... .max) }

  /// The bytes that the connection begins with.
  package var bytes: [UInt8] { Self.magic + withUnsafeBytes(of: number.bigEndian) { Array($0) } }

  /// Reads the bytes that a connection begins with; `nil` if it is not one that is to be relayed.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
    number = bytes.dropFirst(Self.magic.count).reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// Whether a connection that is to be relayed may begin with these bytes, of which more may follow.
  package static func isBegunBy(_ bytes: some Collection<UInt8>) -> Bool {
    zip(bytes, magic).allSatisfy { $0 == $1 }
  }
}

extension RelayTicket: TextCoded {
  package static let otherText = "no ticket"

  /// Reads the 32 hexadecimal digits that a message holds.
  package init?(_ digits: String) {
    guard let number = UInt128(allHexadecimalDigits: digits) else { return nil }
    self.number = number
  }

  package var description: String { number.allHexadecimalDigits }
}
