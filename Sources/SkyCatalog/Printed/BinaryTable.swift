/// The bytes of FITS files' units.
extension [UInt8] {
  /// Appends a header, filled up to whole blocks with spaces.
  mutating func append(header cards: [HeaderCard]) {
    for card in cards + [.end] { append(contentsOf: card.text.utf8) }
    fillBlock(with: UInt8(ascii: " "))
  }

  /// Appends what is missing to a whole block of 2880 bytes.
  mutating func fillBlock(with byte: UInt8) {
    let block = 2880
    append(contentsOf: repeatElement(byte, count: (block - count % block) % block))
  }
}

extension HeaderCard {
  /// The cards of a primary unit without data.
  static let emptyPrimary = [
    HeaderCard("SIMPLE", .flag(true), "a FITS file"),
    HeaderCard("BITPIX", .whole(8), "bits"),
    HeaderCard("NAXIS", .whole(0), "no data"),
    HeaderCard("EXTEND", .flag(true), "extensions follow"),
  ]

  /// The first cards of a binary table (FITS Standard 4.0, section 7.3.1).
  static func table(
    _ name: String, rowSize: Int, rowCount: Int, fieldCount: Int
  ) -> [HeaderCard] {
    [
      HeaderCard("XTENSION", .text("BINTABLE"), "a binary table"),
      HeaderCard("BITPIX", .whole(8), "bits"),
      HeaderCard("NAXIS", .whole(2), "axes"),
      HeaderCard("NAXIS1", .whole(rowSize), "bytes in a row"),
      HeaderCard("NAXIS2", .whole(rowCount), "rows"),
      HeaderCard("PCOUNT", .whole(0), "no bytes behind the rows"),
      HeaderCard("GCOUNT", .whole(1), "one group"),
      HeaderCard("TFIELDS", .whole(fieldCount), "columns"),
      HeaderCard("EXTNAME", .text(name), "the table's name"),
    ]
  }
}

extension PrintedTable {
  /// Appends the table as a unit of a FITS file.
  func append(unit name: String, to bytes: inout [UInt8]) {
    let types = fields.flatMap { repeatElement($0.type, count: $0.count) }
    let rowSize = types.reduce(0) { $0 + $1.size }
    bytes.append(
      header: HeaderCard.table(
        name, rowSize: rowSize, rowCount: rowCount, fieldCount: fields.count)
        + fields.enumerated().flatMap { $1.cards(number: $0 + 1) } + partialCards)
    var next = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: rowSize * rowCount))
    bytes.fillBlock(with: 0)
    bytes.withUnsafeMutableBytes { room in
      var values: [Double] = []
      for row in 0..<rowCount {
        read(row, into: &values)
        precondition(values.count == types.count, "each field has its values")
        for (value, type) in zip(values, types) {
          type.store(value, in: room, at: next)
          next += type.size
        }
      }
    }
  }

  private var partialCards: [HeaderCard] {
    guard let partial else { return [] }
    let marks = Coverage.Mark.self
    return [
      HeaderCard(marks.partial, .flag(true), "not all sectors were scanned"),
      HeaderCard(marks.scanned, .whole(partial.scanned), "sectors scanned"),
      HeaderCard(marks.total, .whole(partial.total), "sectors of the image"),
    ]
  }
}

extension PrintedTable.Field {
  /// The cards of the field with that number, from 1.
  fileprivate func cards(number: Int) -> [HeaderCard] {
    var cards = [
      HeaderCard("TTYPE\(number)", .text(name), description),
      HeaderCard("TFORM\(number)", .text("\(count)\(type.rawValue)")),
    ]
    if dimensions.count > 1 {
      let sides = dimensions.map(String.init).joined(separator: ", ")
      cards.append(HeaderCard("TDIM\(number)", .text("(\(sides))")))
    }
    if let unit { cards.append(HeaderCard("TUNIT\(number)", .text(unit))) }
    return cards + [HeaderCard("TDISP\(number)", .text(format.display))]
  }
}
