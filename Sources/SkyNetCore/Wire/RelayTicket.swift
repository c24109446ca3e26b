/// By a ticket the two ends of a relayed connection find each other at the process that relays it: each connects
/// there, and sends the ticket before anything else. It is 128 random bits, which only these three know.
package struct RelayTicket: Hashable, Sendable {
  /// How many bytes a connection begins with that is to be relayed.
  package static let byteCount = magic.count + 16
  private static let magic = Array("SR1".utf8)

  private let high: UInt64
  private let low: UInt64

  package init() {
    var random = SystemRandomNumberGenerator()
    (high, low) = (random.next(), random.next())
  }

  /// The bytes that the connection begins with.
  package var bytes: [UInt8] {
    Self.magic + [high, low].flatMap { withUnsafeBytes(of: $0.bigEndian) { Array($0) } }
  }

  /// Reads the bytes that a connection begins with; `nil` if it is not one that is to be relayed.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
    let numbers = bytes.dropFirst(Self.magic.count)
    high = Self.number(numbers.prefix(8))
    low = Self.number(numbers.dropFirst(8))
  }

  /// Whether a connection that is to be relayed may begin with these bytes, of which more may follow.
  package static func isBegunBy(_ bytes: some Collection<UInt8>) -> Bool {
    zip(bytes, magic).allSatisfy { $0 == $1 }
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension RelayTicket: TextCoded {
  package static let otherText = "no ticket"

  /// Reads the 32 hexadecimal digits that a message holds.
  package init?(_ digits: String) {
    guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  package var description: String { high.sixteenDigits + low.sixteenDigits }
}
