import Foundation

/// The cards of a header, of 80 characters each.
func cards(of header: String) -> [String] {
  let bytes = Array(header.utf8)
  return stride(from: 0, to: bytes.count, by: 80).map {
    String(decoding: bytes[$0..<min($0 + 80, bytes.count)], as: UTF8.self)
  }
}

/// A header without the cards of comments, which tell nothing of coordinates.
func withoutComments(_ header: String) -> String {
  cards(of: header).filter { card in
    !["COMMENT ", "HISTORY ", "        "].contains { card.hasPrefix($0) }
  }.joined()
}

/// Whether a card's text, if it has one, ends with a quote. Where the quote is missing, WCSLIB 7.12
/// writes beyond the end of a buffer, and the process crashes.
func isWhole(_ card: String) -> Bool {
  // The value begins after the keyword and "=". A quote within the text is doubled, so it toggles
  // twice.
  let value = card.dropFirst(9).drop { $0 == " " }
  guard value.first == "'" else { return true }
  var (inText, end) = (false, false)
  for character in value where !end {
    if character == "'" {
      inText.toggle()
    } else if !inText {
      end = true
    }
  }
  return !inText
}

/// The card that a header has for a keyword: the last one; `nil` if it has none.
func card(of keyword: String, in header: String) -> String? {
  let start = keyword + String(repeating: " ", count: max(0, 8 - keyword.count)) + "="
  return cards(of: header).last { $0.hasPrefix(start) }
}

/// The number that a header has for a keyword; `nil` if it has none, or the value is not a number.
/// A text is read up to where it ceases to be a number, as by SExtractor: `'2.5 e-/ADU'` is 2.5.
func number(of keyword: String, in header: String) -> Double? {
  guard let card = card(of: keyword, in: header) else { return nil }
  guard let text = textValue(of: card) else {
    let value = card.dropFirst(9).prefix { $0 != "/" }.filter { $0 != " " }
    return number(String(value))
  }
  // `strtod` stops at the first character that does not belong to the number.
  let spelling = withEs(text)
  let (value, count) = spelling.withCString { start in
    var end: UnsafeMutablePointer<CChar>?
    let value = strtod(start, &end)
    return (value, end.map { UnsafePointer($0) - start } ?? 0)
  }
  return count > 0 && value.isFinite ? value : nil
}

/// A number as cards have it (FITS Standard 4.0, 4.2.4: the letter of an exponent may be D); `nil`
/// for anything else.
func number(_ text: String) -> Double? {
  Double(withEs(text)).flatMap { $0.isFinite ? $0 : nil }
}

func withEs(_ text: String) -> String {
  String(text.map { $0 == "D" || $0 == "d" ? "E" : $0 })
}

/// The text of a card whose value is one, without its quotes; `nil` for a card with another value.
func textValue(of card: String) -> String? {
  let value = card.dropFirst(9).drop { $0 == " " }
  guard value.first == "'" else { return nil }
  return String(value.dropFirst().prefix { $0 != "'" })
}
