/// The cards of a header, of 80 characters each.
func cards(of header: String) -> [String] {
  let bytes = Array(header.utf8)
  return stride(from: 0, to: bytes.count, by: 80).map {
    String(decoding: bytes[$0..<min($0 + 80, bytes.count)], as: UTF8.self)
  }
}

/// Whether a card's text, if it has one, ends with a quote. WCSLIB 7.12 writes over the end of a
/// buffer, and with that ends the process, where the quote is missing.
func isWhole(_ card: String) -> Bool {
  // After the keyword and "=". A quote within the text is doubled, and so changes nothing.
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

/// The number that a header gives for a keyword; `nil` if there is none, or it is no number (FITS Standard 4.0,
/// 4.2.4: an exponent's letter may be D).
func number(of keyword: String, in header: String) -> Double? {
  let start = keyword + String(repeating: " ", count: max(0, 8 - keyword.count)) + "="
  guard let card = cards(of: header).last(where: { $0.hasPrefix(start) }) else { return nil }
  let value = card.dropFirst(start.count).prefix { $0 != "/" }.filter { $0 != " " }
  return Double(String(value.map { $0 == "D" || $0 == "d" ? "E" : $0 })).flatMap {
    $0.isFinite ? $0 : nil
  }
}
