/// The words of a file that a message may quote.
///
/// A configuration can name any file that this account can read, even the one with the cluster key,
/// and messages about that file may go into a log that others can read. So messages quote only
/// words that look like a keyword or a column, and short values. For anything else they give the file's name and the
/// line.
package enum FileWord {
  /// The largest number of quoted characters. SExtractor's longest names are shorter.
  package static let maximumCount = 24

  /// The word itself if it looks like a keyword or a column: 1 to 24 of A–Z, 0–9, `_`, `(` and `)`.
  /// Otherwise `nil`.
  package static func quotable(_ word: some StringProtocol) -> String? {
    guard (1...maximumCount).contains(word.utf8.count), word.utf8.allSatisfy(isAllowed) else {
      return nil
    }
    return String(word)
  }

  /// The value of a line that begins with a keyword of SExtractor's, if it looks like a keyword, a column or a variable,
  /// or is too short to be a key: 1 to 7 visible characters of ASCII. Otherwise `nil`.
  package static func quotableValue(_ word: String) -> String? {
    let isShort =
      (1...7).contains(word.utf8.count) && word.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    if isShort || quotable(word) != nil { return word }
    let name = word.dropFirst(word.hasPrefix("${") ? 2 : 1).dropLast(word.hasSuffix("}") ? 1 : 0)
    return word.hasPrefix("$") && quotableVariable(name) != nil ? word : nil
  }

  /// The name of an environment variable if it looks like one: at most 64 letters of ASCII, digits, `.` and `_`, with a
  /// `_` after 24 of them at the latest, which no key has. Otherwise `nil`.
  package static func quotableVariable(_ name: some StringProtocol) -> String? {
    let isName = name.allSatisfy { character in
      character.isASCII && (character.isLetter || character.isNumber || "._".contains(character))
    }
    let runs = name.utf8.split(separator: UInt8(ascii: "_"))
    guard isName, (1...64).contains(name.utf8.count), runs.allSatisfy({ $0.count <= maximumCount })
    else { return nil }
    return String(name)
  }

  /// The word in quotation marks if it may be quoted, and otherwise a substitute.
  package static func quoted(_ word: some StringProtocol, or other: String) -> String {
    quotable(word).map { "“\($0)”" } ?? other
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "("), UInt8(ascii: ")"):
      true
    default: false
    }
  }
}
