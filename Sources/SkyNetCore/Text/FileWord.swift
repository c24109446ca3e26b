/// What a message may quote of a file.
///
/// The writer of a configuration can have it name any file that this account reads, also the one
/// with the cluster key; what is then said of that file may go into a log that others see. So of a
/// file's content messages quote only what looks like a keyword or a column; of the rest they tell
/// the file's name and the line.
public enum FileWord {
  /// The most characters that are quoted: SExtractor's longest names have fewer.
  public static let maximumCount = 24

  /// The word as it is, if it looks like a keyword or a column: 1 to 24 of A–Z, 0–9, `_`, `(` and
  /// `)`. Otherwise `nil`.
  public static func quotable(_ word: some StringProtocol) -> String? {
    guard (1...maximumCount).contains(word.utf8.count), word.utf8.allSatisfy(isAllowed) else {
      return nil
    }
    return String(word)
  }

  /// The word in quotation marks if it may be quoted, and otherwise what stands for it.
  public static func quoted(_ word: some StringProtocol, or other: String) -> String {
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
