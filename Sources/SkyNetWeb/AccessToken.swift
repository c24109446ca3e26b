import Foundation
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

  /// Replaces each occurrence by as many dots.
  func hide(in bytes: inout [UInt8]) {
    let secret = Array(text.utf8)
    guard !secret.isEmpty else { return }
    bytes.withUnsafeMutableBytes { bytes in
      var place = 0
      while bytes.count - place >= secret.count, let start = bytes.baseAddress,
        let found = memchr(start + place, Int32(secret[0]), bytes.count - place - secret.count + 1)
      {
        if memcmp(found, secret, secret.count) == 0 {
          memset(found, Int32(UInt8(ascii: ".")), secret.count)
        }
        place = found - UnsafeMutableRawPointer(start) + 1
      }
    }
  }

  /// Whether this is the text, in a time that does not tell how much of it is right.
  func matches(_ other: String?) -> Bool {
    other.map { text.utf8.isSameSecret(as: $0.utf8) } ?? false
  }
}
