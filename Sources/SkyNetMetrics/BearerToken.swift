import Foundation
import SkyNetCore

/// The secret that a Prometheus shows to be answered (RFC 6750).
package struct BearerToken: Sendable {
  /// A shorter token could be guessed.
  package static let minimumLength = 16
  /// A file with more bytes holds something else.
  private static let maximumLength = 4096

  private let bytes: [UInt8]

  /// Reads the token from a file that holds nothing else but space around it: the same file can be the
  /// `credentials_file` of a Prometheus.
  ///
  /// - Throws: ``TokenError``.
  package init(file: String) throws(TokenError) {
    guard let handle = FileHandle(forReadingAtPath: file) else {
      throw TokenError("\(file): \(String(cString: strerror(errno)).lowercased())")
    }
    let content: Data
    do {
      content = try handle.read(upToCount: Self.maximumLength + 1) ?? Data()
    } catch {
      throw TokenError("\(file): it cannot be read")
    }
    guard content.count <= Self.maximumLength else {
      throw TokenError("\(file) is too long for a token: at most \(Self.maximumLength) bytes")
    }
    try self.init(
      String(decoding: content, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines),
      named: file)
  }

  package init(_ text: String, named name: String = "the token") throws(TokenError) {
    let remedy = "`openssl rand -hex 32` prints a good one"
    guard text.utf8.count >= Self.minimumLength else {
      throw TokenError(
        "\(name) has a token of \(text.utf8.count) characters, but at least \(Self.minimumLength) are "
          + "needed: \(remedy)")
    }
    guard text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
      throw TokenError(
        "\(name) has a token with spaces or characters other than ASCII's: \(remedy)")
    }
    bytes = Array(text.utf8)
  }

  /// Whether a request's `Authorization` header shows this token. How long the comparison takes tells nothing
  /// about the token but its length.
  func matches(authorization: String?) -> Bool {
    guard let authorization else { return false }
    let scheme = "bearer "
    guard authorization.prefix(scheme.count).lowercased() == scheme else { return false }
    return bytes.isSameSecret(as: authorization.dropFirst(scheme.count).utf8)
  }
}

package struct TokenError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
