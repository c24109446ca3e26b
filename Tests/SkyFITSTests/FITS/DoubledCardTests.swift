import Foundation
import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// Cards of one keyword that stand in a header more than once, and keys that names begin with. The values are those of
/// `source-extractor` 2.25 with the same header.
@Suite("Doubled cards")
struct DoubledCardTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func header(_ cards: [(String, String)]) -> String {
    FITSUnit(bitpix: 8, axes: [], cards, data: []).cards.joined()
  }

  private func open(
    _ bitpix: Int, _ cards: [(String, String)], _ data: [UInt8]
  ) async throws -> FITSImage {
    let unit = FITSUnit(
      bitpix: bitpix, axes: [data.count * 8 / abs(bitpix), 1], cards, data: data)
    return try await FITSImage.open(folder.write("image.fits", unit.bytes))
  }

  private func values(_ image: FITSImage) async throws -> [Float] {
    try await image.values(in: PixelRectangle(x: 0, y: 0, width: image.width, height: 1))
  }

  @Test(
    "The first card whose name begins with the key is taken",
    arguments: [
      ([("GAINA", "4.0")], "GAIN", "GAINA", 4.0),
      ([("GAINA", "4.0"), ("GAIN", "1.5")], "GAIN", "GAINA", 4),
      ([("GAIN", "1.5"), ("GAINA", "4.0")], "GAIN", "GAIN", 1.5),
      ([("GAIN", "4.5"), ("GAIN", "1.5")], "GAIN", "GAIN", 4.5),
      ([("GAINLONG", "2.5")], "GAIN", "GAINLONG", 2.5),
      ([("GAINB", "4.0")], "?AIN", "GAINB", 4),
      ([("GAINA", "'3.5 e'"), ("GAIN", "1.5")], "GAIN", "GAINA", 3.5),
      ([("SATURATA", "3000.")], "SATUR", "SATURATA", 3000),
      ([("GAINA", "'none'"), ("GAIN", "1.5")], "GAIN", "GAINA", nil),
    ] as [([(String, String)], String, String, Double?)])
  func keys(
    cards: [(String, String)], key: String, keyword: String, number: Double?
  ) async throws {
    let found = try #require(try await open(8, cards, [0]).keyed(key))
    #expect(found.keyword == keyword && found.number == number)
  }

  @Test(
    "Another name is not taken for the key",
    arguments: [("SATURATA", "SATURATE"), ("EGAIN", "GAIN"), ("COMMENT", "GAIN"), ("gain", "GAIN")])
  func otherNames(keyword: String, key: String) async throws {
    #expect(try await open(8, [(keyword, "2")], [0]).keyed(key) == nil)
  }

  @Test("The first of two cards counts, and they are told if they differ")
  func told() async throws {
    let image = try await open(
      8,
      [
        ("GAIN", "4.5"), ("CRVAL1", "1"), ("BZERO", "5"), ("OBSERVER", "'A'"), ("CRPIX1", "3"),
        ("GAIN", "1.5"), ("CRVAL1", "2"), ("BZERO", "6"), ("OBSERVER", "'B'"),
        ("CRPIX1", "3.0 / same"),
        ("GAIN", "4.5"),
      ], [1])
    #expect(image.number("GAIN") == 4.5)
    let told = image.doubledCards(named: ["GAIN"], hasCoordinates: true)
    #expect(
      told == [
        DoubledCard(keyword: "GAIN", value: "4.5", other: "1.5"),
        DoubledCard(keyword: "CRVAL1", value: "1", other: "2"),
        DoubledCard(keyword: "BZERO", value: "5", other: "6"),
      ])
    #expect(image.doubledCards().map(\.keyword) == ["BZERO"])
  }

  @Test("A comment, and a text that begins like a card, are none")
  func comments() {
    var unit = FITSUnit(bitpix: 8, axes: [], [("GAIN", "2")], data: [])
    for text in ["COMMENT BZERO   = 3", "HISTORY GAIN", "GAINS are measured", "CONTINUE  'GAIN'"] {
      unit.cards.insert(text.padding(toLength: 80, withPad: " ", startingAt: 0), at: 2)
    }
    let header = unit.cards.joined()
    #expect(card(beginningWith: "GAIN", in: header).flatMap(number(ofCard:)) == 2)
    #expect(doubledCards(in: header) { _ in true }.isEmpty)
  }

  /// CFITSIO takes the last BSCALE and BZERO for the pixels, and any of them when it is asked.
  @Test(
    "The first scale, zero and blank count for each type of pixels",
    arguments: [
      (8, [0, 1, 2]), (16, [0, 0, 0, 1, 0, 2]), (32, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2]),
      (-32, [0, 0, 0, 0, 0x3f, 0x80, 0, 0, 0x40, 0, 0, 0]),
      (
        -64,
        [0, 0, 0, 0, 0, 0, 0, 0, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0]
      ),
    ] as [(Int, [UInt8])])
  func scale(bitpix: Int, data: [UInt8]) async throws {
    let cards = [
      ("BSCALE", "2"), ("BZERO", "100"), ("BSCALE", "3"), ("BZERO", "500"), ("NAXIS1", "1"),
    ]
    let image = try await open(bitpix, cards, data)
    #expect(image.width == 3)
    #expect(try await values(image) == [100, 102, 104])
    guard bitpix > 0 else { return }
    let blanked = try await open(bitpix, [("BLANK", "1"), ("BLANK", "2")], data)
    #expect(try await values(blanked).map(\.isNaN) == [false, true, false])
  }

  @Test(
    "Positions are those of the first cards",
    arguments: [("CRVAL1", "20."), ("CRPIX2", "5"), ("CTYPE1", "'RA---SIN'"), ("CD1_1", "-2e-3")])
  func coordinates(keyword: String, value: String) async throws {
    let cards = [
      ("CTYPE1", "'RA---TAN'"), ("CTYPE2", "'DEC--TAN'"), ("CRPIX1", "2"), ("CRPIX2", "2"),
      ("CRVAL1", "10."), ("CRVAL2", "20."), ("CD1_1", "-1e-3"), ("CD2_2", "1e-3"),
    ]
    let places = [PixelPosition(x: 3, y: 3)]
    let once = try await open(8, cards, [0])
    let twice = try await open(8, cards + [(keyword, value)], [0])
    let position = try #require(try await once.sky(places)[0])
    #expect(try await twice.sky(places) == [position])
    #expect(try await twice.world(places) == once.world(places))
    #expect(twice.doubledCards(hasCoordinates: true).map(\.keyword) == [keyword])
  }
}
