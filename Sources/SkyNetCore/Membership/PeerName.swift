/// The rules for names of processes: 1 to 63 bytes of UTF-8 without control characters, as in
/// DNS-SD (RFC 6763, section 4.1.1). Peers' names are kept and shown, so they have to be short, and nothing that
/// terminals obey may be in them.
package enum PeerName {
  package static let maximumBytes = 63

  /// Whether a text is one line of at most this many bytes.
  static func isShortLine(_ text: String, atMost bytes: Int = maximumBytes) -> Bool {
    text.utf8.count <= bytes && !text.hasControls
  }

  package static func isAllowed(_ name: String) -> Bool { !name.isEmpty && isShortLine(name) }

  /// The name without control characters, cut at the end of a character if it is too long.
  package static func fitted(_ name: String, to bytes: Int = maximumBytes) -> String {
    if isShortLine(name, atMost: bytes), !name.isEmpty { return name }
    let fitted = String(first(of: name, upTo: bytes))
    return fitted.isEmpty ? "unnamed" : fitted
  }

  /// A path without control characters. If it is too long it begins with an ellipsis, since its end tells most.
  package static func fittedAtEnd(_ path: String, to bytes: Int) -> String {
    let path = path.filter { !$0.unicodeScalars.contains(where: \.isControl) }
    guard path.utf8.count > bytes else { return path }
    let ellipsis = "…"
    return ellipsis
      + String(first(of: path.reversed(), upTo: bytes - ellipsis.utf8.count).reversed())
  }

  /// The first characters but control characters, of at most this many bytes.
  private static func first(of text: some Sequence<Character>, upTo bytes: Int) -> [Character] {
    var room = bytes
    return text.lazy.filter { !$0.unicodeScalars.contains(where: \.isControl) }.prefix {
      room -= $0.utf8.count
      return room >= 0
    }
  }
}
