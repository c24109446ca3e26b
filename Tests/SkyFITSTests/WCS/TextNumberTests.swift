import SkyTestSupport
import Testing

@testable import SkyFITS

/// Numbers that a header has as texts.
@Suite("Numbers as texts")
struct TextNumberTests {
  private func card(_ keyword: String, _ value: String) -> String {
    let start = keyword.padding(to: 8) + "= " + value
    return start.padding(to: 80)
  }

  /// The numbers are those of `source-extractor` 2.25, which uses `atof`.
  @Test(
    "A text is read as a number as far as it is one",
    arguments: [
      ("'2.5'", 2.5), ("'2.5     '", 2.5), ("'2.5 e-/ADU'", 2.5), ("' 3'", 3), ("'1.5E1'", 15),
      ("2.5", 2.5), ("1.5D1", 15), ("'1.5D1'", 15), ("'nonsense'", nil), ("''", nil),
      ("'inf'", nil),
      ("T", nil), ("", nil),
    ] as [(String, Double?)])
  func numbers(value: String, expected: Double?) {
    #expect(number(of: "GAIN", in: card("GAIN", value)) == expected)
  }

  @Test("Coordinates that are texts count as their numbers")
  func coordinates() throws {
    let cards = [
      ("CTYPE1", "'RA---TAN'"), ("CTYPE2", "'DEC--TAN'"), ("CRPIX1", "'1'"), ("CRPIX2", "0.1D1"),
      ("CRVAL1", "'150.5   '"), ("CRVAL2", "'-2D0'"), ("CDELT1", "'-1e-3'"), ("CDELT2", "1e-3"),
      ("EQUINOX", "'J2000'"),
    ]
    let header = cards.map { card($0.0, $0.1) }.joined()
    let position = try #require(try WorldCoordinates(header: header).sky([(1, 1)])[0])
    #expect(position == SkyPosition(rightAscension: 150.5, declination: -2))
    let error = #expect(throws: NoSkyPositions.self) {
      try WorldCoordinates(header: header + card("CRVAL2", "'+12:30:00'"))
    }
    #expect(error?.description == "the header's coordinates have CRVAL2, which is not a number")
  }

  @Test(
    "A coordinate that is no finite number gives no positions",
    arguments: [
      ("CRVAL1", "NaN"), ("CRVAL1", ""), ("CRVAL1", " / not known"), ("CD1_1", "NaN"),
      ("CRPIX1", "Inf"), ("CRPIX2", "-infinity"), ("PV1_1", "NaN"), ("CDELT1", "T"),
      ("CROTA2", "1E400"), ("PC1_1", "0x10"), ("CRVAL2", "10 30"), ("LONPOLE", "NaN"),
      ("EQUINOX", "inf"),
    ])
  func notFinite(keyword: String, value: String) {
    let error = #expect(throws: NoSkyPositions.self) {
      try WorldCoordinates(header: header + card(keyword, value))
    }
    #expect(
      error?.description == "the header's coordinates have \(keyword), which is not a number")
  }

  @Test(
    "Defaults stand in for an equinox and a pole without a value, and other cards mean nothing",
    arguments: [
      "EQUINOX = ", "LONPOLE =  / none", "EQUINOX = 'J2000'", "OBSERVER= NaN",
      "CRVAL1 is not known",
      "A_2_0   = NaN", "CRVAL1  =1.505D2", "CRVAL1  =                150.5 / CRVAL1 = NaN",
    ])
  func defaults(text: String) throws {
    let sky = try WorldCoordinates(header: header + text.padding(to: 80))
    #expect(sky.sky([(1, 1)]) == [SkyPosition(rightAscension: 150.5, declination: -2)])
  }

  private var header: String {
    [
      ("CTYPE1", "'RA---TAN'"), ("CTYPE2", "'DEC--TAN'"), ("CRPIX1", "1"), ("CRPIX2", "1"),
      ("CRVAL1", "150.5"), ("CRVAL2", "-2"), ("CDELT1", "-1e-3"), ("CDELT2", "1e-3"),
    ].map { card($0.0, $0.1) }.joined()
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String {
    self + String(repeating: " ", count: count - self.count)
  }
}
