import Foundation

/// The cards of a header, of 80 characters each.
func cards(of header: String) -> [String] {
  let bytes = Array(header.utf8)
  return stride(from: 0, to: bytes.count, by: 80).map {
    String(decoding: bytes[$0..<min($0 + 80, bytes.count)], as: UTF8.self)
  }
}

/// The cards of a header from which coordinates are computed: without comments, and of several cards
/// with one keyword the first one. WCSLIB would take the last one.
func withoutComments(_ header: String) -> String {
  var keywords: Set<Substring> = []
  return cards(of: header).filter { card in
    if ["COMMENT ", "HISTORY ", "        "].contains(where: { card.hasPrefix($0) }) {
      return false
    }
    return !hasValue(card) || keywords.insert(card.prefix(8)).inserted
  }.joined()
}

/// Whether the card has a value: `=` behind the eight characters of its keyword.
func hasValue(_ card: String) -> Bool { card.dropFirst(8).first == "=" }

/// The keyword of a card, without the blanks that fill it up.
func keyword(of card: String) -> String { String(card.prefix(8).prefix { $0 != " " }) }

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

/// The card that a header has for a keyword: the first one, as for SExtractor; `nil` if it has none.
func card(of keyword: String, in header: String) -> String? {
  let start = keyword + String(repeating: " ", count: max(0, 8 - keyword.count)) + "="
  return cards(of: header).first { $0.hasPrefix(start) }
}

/// The card that a header has for GAIN_KEY or SATUR_KEY: as for SExtractor, the first one whose keyword
/// begins with the key, in which `?` stands for any character; `nil` if it has none.
func card(beginningWith key: String, in header: String) -> String? {
  cards(of: header).first { card in
    let name = card.prefix(8)
    return hasValue(card) && key.count <= name.count
      && zip(key, name).allSatisfy { $0 == "?" || $0 == $1 }
  }
}

/// A keyword that a header has more than once, with different values.
package struct DoubledCard: Hashable, Sendable {
  package let keyword: String
  /// The value that counts, and the first other one.
  package let value: String, other: String
}

/// The keywords that a header has more than once, with different values, in its order.
///
/// - Parameter isOfInterest: whether a keyword counts.
func doubledCards(in header: String, where isOfInterest: (String) -> Bool) -> [DoubledCard] {
  var values: [String: String] = [:]
  var told: Set<String> = []
  return cards(of: header).filter(hasValue).compactMap { card in
    let keyword = keyword(of: card)
    guard isOfInterest(keyword), !told.contains(keyword) else { return nil }
    let value = plainValue(of: card)
    guard let first = values[keyword] else {
      values[keyword] = value
      return nil
    }
    guard first != value, number(first) == nil || number(first) != number(value) else { return nil }
    told.insert(keyword)
    return DoubledCard(keyword: keyword, value: first, other: value)
  }
}

/// A card's value as it stands, without quotes and comment.
private func plainValue(of card: String) -> String {
  (textValue(of: card) ?? String(card.dropFirst(9).prefix { $0 != "/" })).trimmingCharacters(
    in: .whitespaces)
}

/// The number that a header has for a keyword; `nil` if it has none, or the value is not a number.
func number(of keyword: String, in header: String) -> Double? {
  card(of: keyword, in: header).flatMap(number(ofCard:))
}

/// A card's number; `nil` if its value is not one. A text is read up to where it ceases to be a number,
/// as by SExtractor: `'2.5 e-/ADU'` is 2.5.
func number(ofCard card: String) -> Double? {
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
