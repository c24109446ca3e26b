import CSodium
import Foundation

/// The secret of a cluster: who holds it is a member.
///
/// 256 random bits. It is never used itself: what TLS and the advertisement need is derived from
/// it by libsodium's `crypto_kdf` (BLAKE2b keyed with it), which cannot be turned round, so that
/// neither tells anything of the key or of the other.
///
/// It prints as its fingerprint, so that it gets into no log by accident. ``text`` is the key.
public struct ClusterKey: Hashable, Sendable {
  public static let byteCount = 32

  /// What the text of a key begins with, so that a person, or a scanner for lost secrets, knows
  /// what it is.
  static let prefix = "skynet-key-"

  private let bytes: [UInt8]

  /// A new one, from the system's source of random numbers.
  public init() {
    var random = SystemRandomNumberGenerator()
    bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Reads what ``text`` made; white space around it is allowed.
  ///
  /// - Throws: ``KeyError``, which does not repeat the text.
  public init(text: some StringProtocol) throws {
    let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !word.isEmpty else { throw KeyError.notAKey("it is empty") }
    guard word.hasPrefix(Self.prefix) else {
      throw KeyError.notAKey("it does not begin with \(Self.prefix)")
    }
    let digits = Array(word.utf8.dropFirst(Self.prefix.utf8.count))
    guard digits.count == 2 * Self.byteCount else {
      throw KeyError.notAKey(
        "it has \(digits.count) digits, and \(2 * Self.byteCount) are needed")
    }
    bytes = try stride(from: 0, to: digits.count, by: 2).map { index in
      guard let high = Self.value(of: digits[index]), let low = Self.value(of: digits[index + 1])
      else { throw KeyError.notAKey("not all of its digits are hexadecimal") }
      return high << 4 | low
    }
  }

  /// The key, in a line: `skynet-key-` and 64 hexadecimal digits.
  public var text: String { Self.prefix + Fingerprint.hexadecimal(bytes) }

  /// What to know the key by: 16 hexadecimal digits that everybody may see.
  public var fingerprint: String {
    Fingerprint.hexadecimal(derived(.fingerprint, count: 16).prefix(8))
  }

  /// The secret that both ends of a TLS connection prove to each other to have.
  package var preSharedKey: [UInt8] { derived(.preSharedKey, count: 32) }

  // MARK: Inside

  /// Never to be renumbered: other numbers are other secrets.
  private enum Purpose: UInt64 {
    case preSharedKey = 1
    case fingerprint = 2
  }

  private func derived(_ purpose: Purpose, count: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: count)
    Sodium.prepare()
    let context = Array("skynet-1".utf8CString)
    let status = crypto_kdf_derive_from_key(&result, count, purpose.rawValue, context, bytes)
    precondition(status == 0, "libsodium derives keys of 16 to 64 bytes")
    return result
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension ClusterKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "key \(fingerprint)" }
  public var debugDescription: String { description }
  /// Nothing to see inside, also for `dump`.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
