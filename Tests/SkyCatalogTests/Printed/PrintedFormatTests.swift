import Testing

@testable import SkyCatalog

@Suite("SExtractor's formats")
struct SExtractorFormatTests {
  private static let fields = [
    PrintedTable.Field(
      name: "NUMBER", description: "number in the catalogue", type: .int32,
      format: .integer(width: 10)),
    PrintedTable.Field(
      name: "FLUX_APER", description: "flux within circles", unit: "count", type: .float32,
      format: .general(width: 12, digits: 7), dimensions: [2]),
    PrintedTable.Field(
      name: "VIGNET", description: String(repeating: "pixels ", count: 12), unit: "count",
      type: .float32, format: .general(width: 12, digits: 7), dimensions: [2, 1]),
    PrintedTable.Field(
      name: "DELTA_J2000", description: "declination", unit: "deg", type: .float64,
      format: .fixed(width: 11, places: 7, signed: true)),
    PrintedTable.Field(
      name: "FLAGS", description: "what impairs the measures", type: .int16,
      format: .integer(width: 3)),
  ]
  private static let table = PrintedTable(
    fields: fields,
    rows: [
      [1, 1234.5678, 0.1, 7, -1e30, 0.103_660_58, 3],
      [2, 0, 9.999_999_9e6, 1e5, 12, -89.5, 70_000],
    ])
  private static let image = PrintedCatalog(
    table, imageHeader: "SIMPLE  =                    T".left(in: 80) + "END".left(in: 80),
    extraction: ExtractionHeader())

  @Test("ASCII_HEAD has a line for each column, numbered by values, and one for each source")
  func asciiHead() {
    #expect(
      String(decoding: SExtractorFormat.asciiHead.data(of: [Self.image]), as: UTF8.self) == """
        #   1 NUMBER                 number in the catalogue                                   \

        #   2 FLUX_APER              flux within circles                                        \
        [count]
        #   4 VIGNET                 pixels pixels pixels pixels pixels pixels pixels pixels    \
        [count]
        #   6 DELTA_J2000            declination                                                \
        [deg]
        #   7 FLAGS                  what impairs the measures                                 \

                 1     1234.568          0.1            7       -1e+30  +0.1036606   3
                 2            0        1e+07       100000           12 -89.5000000 32767

        """)
  }

  @Test("Several images have one head, and their sources follow each other")
  func severalImages() {
    let one = SExtractorFormat.ascii.data(of: [Self.image])
    #expect(SExtractorFormat.ascii.data(of: [Self.image, Self.image]) == one + one)
    let head = SExtractorFormat.asciiHead.data(of: [Self.image]).dropLast(one.count)
    #expect(SExtractorFormat.asciiHead.data(of: [Self.image, Self.image]) == head + one + one)
    #expect(SExtractorFormat.asciiHead.data(of: []).isEmpty)
  }

  @Test(
    "A binary table has the numbers, one unit after another for each image",
    arguments: [
      (SExtractorFormat.fits1, ["OBJECTS", "OBJECTS"]),
      (.ldac, ["LDAC_IMHEAD", "LDAC_OBJECTS", "LDAC_IMHEAD", "LDAC_OBJECTS"]),
    ])
  func binary(_ format: SExtractorFormat, _ names: [String]) {
    let bytes = Array(format.data(of: [Self.image, Self.image]))
    #expect(bytes.count % 2880 == 0)
    let units = ReadUnit.units(bytes)
    #expect(units.dropFirst().map { $0["EXTNAME"] } == names)
    for unit in units where unit["EXTNAME"]?.hasSuffix("OBJECTS") == true {
      #expect(unit.cards.allSatisfy { $0.utf8.count == 80 })
      // VIGNET's description has more words than room.
      #expect(unit.cards.contains { $0.hasPrefix("TTYPE3") && $0.hasSuffix("pixels pixels      ") })
      #expect(unit["TFORM2"] == "2E" && unit["TDIM2"] == nil && unit["TDIM3"] == "(2, 1)")
      #expect(PrintedTable.ascii([unit.table]) == PrintedTable.ascii([Self.table]))
    }
  }

  @Test("LDAC has the image's cards, and then those of the scan")
  func imageHeader() throws {
    var image = Self.image
    image.extraction.file = "it's.fits"
    image.extraction.noise = 5.595_350_742_34
    image.extraction.apertures = [5, 8]
    let unit = ReadUnit.units(Array(SExtractorFormat.ldac.data(of: [image])))[1]
    let cards = unit.storedCards
    #expect(cards[0] == "SIMPLE  =                    T".left(in: 80))
    #expect(cards.count { $0.hasPrefix("END ") } == 1 && cards.last?.hasPrefix("END ") == true)
    #expect(unit["TFORM1"] == "\(80 * cards.count)A")
    #expect(unit["TDIM1"] == "(80, \(cards.count))")
    for start in [
      "FITSFILE= 'it''s.fits'         / ", "SEXBKDEV=   5.595350742340E+00 / ",
      "SEXAPED2=           8.00000000 / ", "SEXAPED3=           0.00000000 / ",
      "SEXNPARA=                    5 / ", "SEXFLTR =                    F / ",
    ] {
      #expect(cards.contains { $0.hasPrefix(start) }, "\(start)")
    }
  }

  @Test("FITS_1.0 counts the sources of all images")
  func counts() {
    var image = Self.image
    image.extraction.sources = 2
    let units = ReadUnit.units(Array(SExtractorFormat.fits1.data(of: [image, image])))
    #expect(units[0]["SEXNFIN"] == "4" && units[1]["NAXIS2"] == "2")
  }

  @Test("A table of a part of an image is marked, where there is a place for it")
  func partial() {
    var image = Self.image
    image.table.partial = Coverage(scanned: 3, of: 4)
    let text = String(decoding: SExtractorFormat.asciiHead.data(of: [image]), as: UTF8.self)
    #expect(text.contains("\n# partial: 3 of 4 sectors were scanned\n"))
    for format in [SExtractorFormat.fits1, .ldac] {
      let unit = ReadUnit.units(Array(format.data(of: [image]))).last
      #expect(unit?["PARTIAL"] == "T" && unit?["SECTORS"] == "4")
    }
  }
}
