import Foundation

/// The cards of a header in which the numbers of coordinates are numbers that WCSLIB reads. Some programs
/// write `CRVAL1  = '10.5'`, which it would leave out and compute with 0, or `1.05D+01`, of which it would
/// read 1.05.
///
/// - Throws: ``NoSkyPositions`` if one of the coordinates' numbers is no finite number: another text, nothing, or
///   `NaN`, which WCSLIB would leave out, too.
func mendingTextNumbers(_ cards: [String]) throws(NoSkyPositions) -> [String] {
  var mended = cards
  for (index, card) in cards.enumerated() {
    guard hasValue(card), let kind = NumberKind(card) else { continue }
    let text = textValue(of: card)
    let plain = card.dropFirst(9).prefix { $0 != "/" }
    // Of a text, its first word counts.
    let trimmed =
      text.map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
      ?? plain.trimmingCharacters(in: .whitespaces)
    if number(trimmed) != nil, trimmed.allSatisfy({ "0123456789+-.EeDd".contains($0) }) {
      // The exponent D, where WCSLIB stops reading (FITS Standard 4.0, section 4.2.4).
      guard text != nil || plain.contains(where: { $0 == "D" || $0 == "d" }) else { continue }
      let digits = withEs(trimmed)
      let value = String(repeating: " ", count: max(0, 20 - digits.count)) + digits
      let start = card.prefix(8) + "= " + value
      mended[index] = start + String(repeating: " ", count: max(0, 80 - start.count))
    } else if kind == .other, text == nil, trimmed.isEmpty {
      // The default counts. WCSLIB finds faults elsewhere if the equinox has no value.
      mended[index] = ""
    } else if kind == .needed || kind == .other && text == nil {
      throw .invalid("have \(card.prefix { $0 != " " && $0 != "=" }), which is not a number")
    }
  }
  return mended
}

/// Whether a keyword is one of coordinates.
func isOfCoordinates(_ keyword: String) -> Bool {
  NumberKind(keyword) != nil
    || ["CTYPE1", "CTYPE2", "CUNIT1", "CUNIT2", "RADESYS", "RADECSYS", "WCSAXES", "WAT"].contains {
      keyword.hasPrefix($0)
    }
}

/// Whether a keyword tells the form of an image's pixels, or their values.
func isOfPixels(_ keyword: String) -> Bool {
  ["BITPIX", "BSCALE", "BZERO", "BLANK"].contains(keyword) || keyword.hasPrefix("NAXIS")
}

/// The keywords of coordinates that have numbers (FITS Standard 4.0, section 8.2), for the first two
/// axes.
private enum NumberKind {
  /// Without the number, positions would be wrong.
  case needed
  /// The number has a default that is nearly always right.
  case other
  /// The number is one of SIP's, which says elsewhere whether it counts.
  case distortion

  init?(_ card: String) {
    let keyword = card.prefix { $0 != " " && $0 != "=" }
    if Self.neededKeywords.contains(where: { keyword.hasPrefix($0) }) {
      self = .needed
    } else if Self.otherKeywords.contains(where: { keyword.hasPrefix($0) }) {
      self = .other
    } else if isOfSIP(card) {
      self = .distortion
    } else {
      return nil
    }
  }

  private static let neededKeywords =
    ["CRPIX", "CRVAL", "CDELT", "CROTA"].flatMap { ["\($0)1", "\($0)2"] }
    + ["CD1_", "CD2_", "PC1_", "PC2_", "PC001", "PC002", "PV1_", "PV2_"]
  private static let otherKeywords = ["EQUINOX", "EPOCH", "LONPOLE", "LATPOLE"]
}
