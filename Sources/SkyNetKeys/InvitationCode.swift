import CSodium

/// The code of an invitation: 128 random bits, in 26 letters and digits that a person can paste or read out.
///
/// The alphabet is Crockford's base 32, which has no i, l, o and u. The code is never sent: both sides derive the
/// secret of their TLS connection from it.
package struct InvitationCode: Hashable, Sendable {
  private static let byteCount = 16
  /// How many letters a code has. The two bits that they have too many are zero.
  package static let length = 26
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  private let bytes: [UInt8]

  /// Makes a new code from the system's source of random numbers.
  package init() {
    var random = SystemRandomNumberGenerator()
    bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Reads a code in either case, with hyphens or without. The letter o counts as 0, and i and l as 1.
  ///
  /// - Returns: `nil` if the text is no code.
  package init?(_ text: String) {
    var (bits, count) = (UInt32(0), 0)
    var bytes: [UInt8] = []
    var letters = 0
    for character in text.lowercased().utf8 where character != UInt8(ascii: "-") {
      guard let value = Self.value(of: character), letters < Self.length else { return nil }
      letters += 1
      bits = bits << 5 | value
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    guard letters == Self.length, bits == 0 else { return nil }
    self.bytes = bytes
  }

  /// The code, to be given to the other machine.
  package var text: String {
    var (bits, count) = (UInt32(0), 0)
    var text: [UInt8] = []
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(Self.alphabet[Int(bits >> UInt32(count))])
        bits &= (1 << UInt32(count)) - 1
      }
    }
    text.append(Self.alphabet[Int(bits << UInt32(5 - count))])
    return String(decoding: text, as: UTF8.self)
  }

  /// The secret of the invitation's TLS connection, 32 bytes.
  ///
  /// It is derived in two steps, as `crypto_kdf` takes keys of 32 bytes: a hash, keyed so that no other use of the
  /// same hash has the same result, and from that the secret, under a context that no other secret has.
  package var preSharedKey: [UInt8] {
    Sodium.prepare()
    let purpose = Array("skynet invitation".utf8)
    var master = [UInt8](repeating: 0, count: 32)
    let isHashed = crypto_generichash(
      &master, master.count, bytes, UInt64(bytes.count), purpose, purpose.count)
    var secret = [UInt8](repeating: 0, count: 32)
    let isDerived = crypto_kdf_derive_from_key(
      &secret, secret.count, 1, Array("skynet-i".utf8CString), master)
    precondition(isHashed == 0 && isDerived == 0, "libsodium derives secrets of 32 bytes")
    return secret
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "o"): 0
    case UInt8(ascii: "i"), UInt8(ascii: "l"): 1
    default: alphabet.firstIndex(of: character).map { UInt32($0) }
    }
  }
}

extension InvitationCode: CustomStringConvertible, CustomReflectable {
  /// Not the code, which is a secret: ``text`` is.
  package var description: String { "an invitation's code" }
  /// A mirror without children, so that `dump` does not show the code either.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
