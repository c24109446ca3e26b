/// The cards of a header in which the numbers of coordinates are numbers that WCSLIB reads. Some programs
/// write `CRVAL1  = '10.5'`, which it would leave out and compute with 0, or `1.05D+01`, of which it would
/// read 1.05.
///
/// - Throws: ``NoSkyPositions`` if one of the coordinates' numbers is a text that is no number.
func mendingTextNumbers(_ cards: [String]) throws(NoSkyPositions) -> [String] {
  var mended = cards
  for (index, card) in cards.enumerated() {
    guard let kind = NumberKind(card), let text = textValue(of: card) ?? doubleValue(of: card)
    else { continue }
    let trimmed = String(text.drop { $0 == " " }.prefix { $0 != " " })
    if number(trimmed) != nil {
      let digits = withEs(trimmed)
      let value = String(repeating: " ", count: max(0, 20 - digits.count)) + digits
      let start = card.prefix(8) + "= " + value
      mended[index] = start + String(repeating: " ", count: max(0, 80 - start.count))
    } else if kind == .needed {
      throw .invalid("have \(card.prefix { $0 != " " && $0 != "=" }), which is not a number")
    }
  }
  return mended
}

/// A card's value if it may be a number with the exponent D (FITS Standard 4.0, section 4.2.4), where WCSLIB stops
/// reading.
private func doubleValue(of card: String) -> String? {
  guard card.dropFirst(8).first == "=" else { return nil }
  let value = card.dropFirst(9).prefix { $0 != "/" }
  return value.contains { $0 == "D" || $0 == "d" } ? String(value) : nil
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
  /// The number has a default that is nearly always right, or belongs to a distortion.
  case other

  init?(_ card: String) {
    let keyword = card.prefix { $0 != " " && $0 != "=" }
    if Self.neededKeywords.contains(where: { keyword.hasPrefix($0) }) {
      self = .needed
    } else if Self.otherKeywords.contains(where: { keyword.hasPrefix($0) }) {
      self = .other
    } else {
      return nil
    }
  }

  private static let neededKeywords =
    ["CRPIX", "CRVAL", "CDELT", "CROTA"].flatMap { ["\($0)1", "\($0)2"] }
    + ["CD1_", "CD2_", "PC1_", "PC2_", "PC001", "PC002", "PV1_", "PV2_"]
  private static let otherKeywords = [
    "EQUINOX", "EPOCH", "LONPOLE", "LATPOLE", "A_", "B_", "AP_", "BP_",
  ]
}
