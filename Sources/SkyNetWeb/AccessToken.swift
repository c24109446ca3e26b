import SkyNetCore

/// The secret with which a page may be looked at: 128 random bits, in hexadecimal digits.
package struct AccessToken: Sendable {
  package let text: String

  package init() {
    // The system's generator is one for secrets on every platform.
    var generator = SystemRandomNumberGenerator()
    text = (0..<16).map { _ in
      let byte = UInt8.random(in: .min ... .max, using: &generator)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  init(text: String) { self.text = text }

  /// Whether this is the text, in a time that does not tell how much of it is right.
  func matches(_ other: String?) -> Bool {
    other.map { text.utf8.isSameSecret(as: $0.utf8) } ?? false
  }
}
