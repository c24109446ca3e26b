import Foundation

/// The header of a tile-compressed image as it was before it was compressed, from that of the table that holds it
/// (FITS Standard 4.0, section 10.1): the image's own keywords have their names again, and those of the table and of the
/// compression are left out.
func unpackedHeader(_ header: String) -> String {
  // By their keywords.
  var ownCards: [String: String] = [:]
  var rest: [String] = []
  for card in cards(of: header) {
    let keyword = keyword(of: card)
    if let name = ownKeywords[keyword] ?? axis(keyword) {
      if ownCards[name] == nil {
        ownCards[name] = name.padding(toLength: 8, withPad: " ", startingAt: 0) + card.dropFirst(8)
      }
    } else if !isOfTable(keyword), keyword != "EXTNAME" || textValue(of: card) != "COMPRESSED_IMAGE"
    {
      rest.append(card)
    }
  }
  let start =
    ownCards.removeValue(forKey: "SIMPLE") ?? ownCards.removeValue(forKey: "XTENSION")
    ?? "XTENSION= 'IMAGE   '".padding(toLength: 80, withPad: " ", startingAt: 0)
  let axes = ownCards.keys.filter { $0.hasPrefix("NAXIS") }
    .sorted { (Int($0.dropFirst(5)) ?? 0) < (Int($1.dropFirst(5)) ?? 0) }
  let order = ["BITPIX"] + axes + ["PCOUNT", "GCOUNT", "EXTEND", "BLOCKED"]
  return ([start] + order.compactMap { ownCards[$0] } + rest).joined()
}

/// The image's own keywords by the names that they have in the table.
private let ownKeywords = [
  "ZSIMPLE": "SIMPLE", "ZTENSION": "XTENSION", "ZBITPIX": "BITPIX", "ZNAXIS": "NAXIS",
  "ZPCOUNT": "PCOUNT", "ZGCOUNT": "GCOUNT", "ZEXTEND": "EXTEND", "ZBLOCKED": "BLOCKED",
]

/// NAXISn of ZNAXISn.
private func axis(_ keyword: String) -> String? {
  keyword.hasPrefix("ZNAXIS") && UInt16(keyword.dropFirst(6)) != nil
    ? String(keyword.dropFirst()) : nil
}

/// Whether the keyword tells of the table or of the compression.
private func isOfTable(_ keyword: String) -> Bool {
  let others: Set = [
    "XTENSION", "BITPIX", "NAXIS", "NAXIS1", "NAXIS2", "PCOUNT", "GCOUNT", "TFIELDS", "THEAP",
    "ZIMAGE", "ZCMPTYPE", "ZQUANTIZ", "ZDITHER0", "ZSCALE", "ZZERO", "ZBLANK", "ZMASKCMP",
    "CHECKSUM", "DATASUM", "ZHECKSUM", "ZDATASUM",
  ]
  let numbered = ["TTYPE", "TFORM", "TUNIT", "TDIM", "TNULL", "ZTILE", "ZNAME", "ZVAL"]
  return others.contains(keyword)
    || numbered.contains {
      keyword.hasPrefix($0) && UInt16(keyword.dropFirst($0.count)) != nil
    }
}
