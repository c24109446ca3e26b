import CSodium
import Foundation

/// The secret of a cluster: every process that holds the key is a member.
///
/// A key is 256 random bits, and is never used itself. The secret for TLS and the fingerprint are derived from
/// it by libsodium's `crypto_kdf` (BLAKE2b keyed with it), a one-way function, so that neither reveals
/// anything of the key or of the other.
///
/// A key prints as its fingerprint, so that it gets into no log by accident. ``text`` is the key itself.
public struct ClusterKey: Hashable, Sendable {
  static let byteCount = 32

  /// The beginning of every key's text, by which a person or a scanner for leaked secrets recognises it.
  static let prefix = "skynet-key-"

  private let bytes: [UInt8]

  /// Makes a new key from the system's source of random numbers.
  public init() {
    var random = SystemRandomNumberGenerator()
    bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Reads a key from its ``text``; white space around it and the case of its digits do not matter.
  ///
  /// - Throws: ``KeyError`` `notAKey`, which does not repeat the text.
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

  /// The key itself, in one line: `skynet-key-` and 64 hexadecimal digits.
  public var text: String { Self.prefix + Fingerprint.hexadecimal(bytes) }

  /// A public name of the key, of 16 hexadecimal digits.
  public var fingerprint: String {
    Fingerprint.hexadecimal(derived(.fingerprint, count: 16).prefix(8))
  }

  /// The secret for TLS, 32 bytes. Both ends of a connection prove to each other that they hold it.
  package var preSharedKey: [UInt8] { derived(.preSharedKey, count: 32) }

  // MARK: Inside

  /// These numbers never change, as other numbers derive other secrets.
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
  /// The word `key`, and the fingerprint.
  public var description: String { "key \(fingerprint)" }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// A mirror without children, so that `dump` does not show the key either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
