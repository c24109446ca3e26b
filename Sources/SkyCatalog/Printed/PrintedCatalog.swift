package import Foundation

/// The catalogue of one image of a file, as SExtractor's formats have it.
package struct PrintedCatalog: Sendable {
  package var table: PrintedTable
  /// The image's own header: cards of 80 characters.
  package var imageHeader: String
  package var extraction: ExtractionHeader

  package init(
    _ table: PrintedTable, imageHeader: String, extraction: ExtractionHeader
  ) {
    (self.table, self.imageHeader, self.extraction) = (table, imageHeader, extraction)
  }
}

extension SExtractorFormat {
  /// The contents of a catalogue file.
  ///
  /// - Parameter images: the catalogues of the file's images, in their order, with the same columns.
  package func data(of images: [PrintedCatalog]) -> Data {
    switch self {
    case .asciiHead: Data(PrintedTable.asciiHead(images.map(\.table)))
    case .ascii: Data(PrintedTable.ascii(images.map(\.table)))
    case .fits1: Data(Self.fits1(images))
    case .ldac: Data(Self.ldac(images))
    case .none, .asciiSkycat, .asciiVOTable: Data()
    }
  }

  /// A table for each image behind a primary unit, which tells of the first image. Its numbers of
  /// sources are those of all images.
  private static func fits1(_ images: [PrintedCatalog]) -> [UInt8] {
    var bytes: [UInt8] = []
    var cards = HeaderCard.emptyPrimary
    if let first = images.first {
      var extraction = first.extraction
      extraction.detections = images.reduce(0) { $0 + $1.extraction.detections }
      extraction.sources = images.reduce(0) { $0 + $1.extraction.sources }
      cards += extraction.primaryCards(fieldCount: first.table.fields.count)
    }
    bytes.append(header: cards)
    for image in images { image.table.append(unit: "OBJECTS", to: &bytes) }
    return bytes
  }

  /// Two tables for each image: one with its header, and one with its sources. (LDAC is the Leiden
  /// Data Analysis Center's form of catalogues.)
  private static func ldac(_ images: [PrintedCatalog]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(header: HeaderCard.emptyPrimary)
    for image in images {
      image.appendHeaderUnit(to: &bytes)
      image.table.append(unit: "LDAC_OBJECTS", to: &bytes)
    }
    return bytes
  }
}

extension PrintedCatalog {
  /// Appends a table whose only cell has the image's header and what is known of the scan.
  fileprivate func appendHeaderUnit(to bytes: inout [UInt8]) {
    let own = HeaderCard.cards(of: imageHeader).filter { $0 != .end }
    let cards = own + extraction.imageCards(fieldCount: table.fields.count) + [.end]
    let size = 80 * cards.count
    bytes.append(
      header: HeaderCard.table("LDAC_IMHEAD", rowSize: size, rowCount: 1, fieldCount: 1) + [
        HeaderCard("TTYPE1", .text("Field Header Card")),
        HeaderCard("TFORM1", .text("\(size)A")),
        HeaderCard("TDIM1", .text("(80, \(cards.count))")),
      ])
    for card in cards { bytes += card.text.utf8 }
    bytes.fillBlock(with: 0)
  }
}
