/// The cards of a header, of 80 characters each.
func cards(of header: String) -> [String] {
  let bytes = Array(header.utf8)
  return stride(from: 0, to: bytes.count, by: 80).map {
    String(decoding: bytes[$0..<min($0 + 80, bytes.count)], as: UTF8.self)
  }
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

/// The number that a header has for a keyword; `nil` if it has none, or the value is not a number
/// (FITS Standard 4.0, 4.2.4: the letter of an exponent may be D).
func number(of keyword: String, in header: String) -> Double? {
  let start = keyword + String(repeating: " ", count: max(0, 8 - keyword.count)) + "="
  guard let card = cards(of: header).last(where: { $0.hasPrefix(start) }) else { return nil }
  let value = card.dropFirst(start.count).prefix { $0 != "/" }.filter { $0 != " " }
  return Double(String(value.map { $0 == "D" || $0 == "d" ? "E" : $0 })).flatMap {
    $0.isFinite ? $0 : nil
  }
}
