import Foundation
import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

@Suite("World coordinates")
struct WorldCoordinatesTests {
  private static let tangent = [
    "CTYPE1": "'RA---TAN'", "CTYPE2": "'DEC--TAN'", "CRPIX1": "90.5", "CRPIX2": "70.25",
    "CRVAL1": "0.01", "CRVAL2": "60.2",
  ]
  private static let matrix = [
    "CD1_1": "-1e-3", "CD1_2": "1e-4", "CD2_1": "1.2e-4", "CD2_2": "1.05e-3",
  ]
  private static let scale = ["CDELT1": "-1e-3", "CDELT2": "1e-3"]
  private static let sip = [
    "A_ORDER": "2", "B_ORDER": "2", "A_0_2": "2e-5", "A_1_1": "-3e-5", "B_2_0": "1.5e-5",
  ]
  private static let sipTypes = ["CTYPE1": "'RA---TAN-SIP'", "CTYPE2": "'DEC--TAN-SIP'"]
  private static let parameters = [
    "PV1_0": "1e-5", "PV1_1": "1.001", "PV1_2": "1e-4", "PV1_7": ".01", "PV2_1": ".999",
    "PV2_5": "3e-3",
  ]

  private static let linear = [
    "PV1_0": "1e-3", "PV1_1": "1.0005", "PV1_2": "3e-4", "PV2_0": "-5e-4", "PV2_1": ".9998",
    "PV2_2": "2e-4",
  ]
  private static let zeros = [
    "PV1_0": "0", "PV1_1": "0", "PV1_2": "0", "PV2_0": "0.", "PV2_1": "0", "PV2_2": "0",
  ]
  private static let tpv = axes("TPV")

  private static func axes(_ code: String) -> [String: String] {
    ["CTYPE1": "'RA---\(code)'", "CTYPE2": "'DEC--\(code)'"]
  }

  /// The expected positions are those of astropy 8.0 for column 12.5, row 131.75
  /// (`WCS.all_pix2world`).
  @Test(
    "Positions are those of astropy",
    arguments: [
      ("a matrix", [matrix], 0.1796096720, 60.2551068411),
      ("an angle", [scale, ["CROTA2": "33."]], 0.0744153561, 60.2940444146),
      (
        "a rotation", [scale, ["PC1_1": ".8", "PC1_2": ".6", "PC2_1": "-.6", "PC2_2": ".8"]],
        0.0614610769, 60.2959899633
      ),
      ("SIP", [matrix, sip, sipTypes], 0.1791861724, 60.2552295502),
      (
        "TPV", [matrix, parameters, ["CTYPE1": "'RA---TPV'", "CTYPE2": "'DEC--TPV'"]],
        0.1798223614, 60.2550652937
      ),
      ("SCAMP's TAN", [matrix, parameters], 0.1798223614, 60.2550652937),
      ("SCAMP's TAN, not SIP", [matrix, parameters, sip], 0.1798223614, 60.2550652937),
      ("SIP, not SCAMP's", [matrix, parameters, sip, sipTypes], 0.1791861724, 60.2552295502),
      ("TPV, not SIP", [matrix, parameters, tpv, sip], 0.1798223614, 60.2550652937),
      ("a projection with SIP", [matrix, sip, axes("STG-SIP")], 0.1791863028, 60.2552295927),
      (
        "declination first",
        [
          matrix,
          ["CTYPE1": "'DEC--TAN'", "CTYPE2": "'RA---TAN'", "CRVAL1": "60.2", "CRVAL2": "0.01"],
        ], 0.1213879131, 60.2841033263
      ),
      (
        "a third axis",
        [matrix, ["CTYPE3": "'FREQ'", "CRPIX3": "5", "CRVAL3": "1.4e9", "CD3_3": "1e6"]],
        0.1796096720, 60.2551068411
      ),
    ])
  func astropy(
    _ case: String, _ cards: [[String: String]], _ rightAscension: Double, _ declination: Double
  ) throws {
    let sky = try WorldCoordinates(header: header([Self.tangent] + cards))
    let position = try #require(sky.sky([(12.5, 131.75)])[0])
    #expect(abs(position.rightAscension - rightAscension) < 1e-9)
    #expect(abs(position.declination - declination) < 1e-9)
  }

  /// Where astropy computes with what SCAMP did not mean, the positions are those that it has with other cards, and
  /// that `source-extractor` 2.25 has with these.
  @Test(
    "Parameters mean what SCAMP or the standard means",
    arguments: [
      ("SCAMP's linear TAN", [linear], [linear, tpv], 0.1817408235, 60.2546098928),
      ("SCAMP's linear TAN, not SIP", [linear, sip], [linear, tpv], 0.1817408235, 60.2546098928),
      (
        "SIP, not SCAMP's linear TAN", [linear, sip, sipTypes], [sip, sipTypes], 0.1791861724,
        60.2552295502
      ),
      ("TPV without parameters", [tpv], [], 0.1796096720, 60.2551068411),
      ("TAN with zeros", [zeros], [], 0.1796096720, 60.2551068411),
      (
        "TAN with SIN's parameters", [["PV2_1": "0", "PV2_2": "0"]], [], 0.1796096720, 60.2551068411
      ),
      (
        "a pole",
        [["PV1_0": "0", "PV1_1": "0", "PV1_2": "90", "PV1_3": "150", "PV1_4": "60.2"]],
        [["LONPOLE": "150"]], 0.1013384931, 60.2898611796
      ),
      (
        "TPV without linear terms", [tpv, ["PV1_4": "0.01"]],
        [tpv, ["PV1_1": "1", "PV2_1": "1", "PV1_4": "0.01"]], 0.1797523977, 60.2551066590
      ),
    ])
  func scamp(
    _ case: String, _ cards: [[String: String]], _ same: [[String: String]],
    _ rightAscension: Double, _ declination: Double
  ) throws {
    for cards in [cards, same] {
      let sky = try WorldCoordinates(header: header([Self.tangent, Self.matrix] + cards))
      let position = try #require(sky.sky([(12.5, 131.75)])[0])
      #expect(abs(position.rightAscension - rightAscension) < 1e-9)
      #expect(abs(position.declination - declination) < 1e-9)
    }
  }

  @Test(
    "Parameters that mean neither, and two distortions, give no positions",
    arguments: [
      ([["PV2_1": "1.001"]], "have PV2_1, which belong"), ([["PV1_1": "1.001"]], "have PV1_1"),
      ([["PV1_0": "1", "PV1_1": "10", "PV1_2": "80"]], "have PV1_0, PV1_1, PV1_2, which belong"),
      ([linear, axes("STG")], "neither to the projection STG nor to SCAMP's polynomials"),
      ([linear, axes("TNX")], "neither to the projection TNX nor to SCAMP's polynomials"),
      ([parameters, sip, axes("TPV-SIP")], "have two distortions, TPV and SIP"),
    ])
  func nonsense(_ cards: [[String: String]], _ words: String) {
    let error = #expect(throws: NoSkyPositions.self) {
      _ = try WorldCoordinates(header: header([Self.tangent, Self.matrix] + cards))
    }
    #expect(error?.description.contains(words) == true)
  }

  @Test(
    "J2000 coordinates are accepted in all spellings",
    arguments: [
      [:], ["RADESYS": "'ICRS'"], ["RADESYS": "'ICRS'", "EQUINOX": "1950."], ["RADESYS": "'FK5'"],
      ["RADESYS": "'FK5'", "EQUINOX": "2000."], ["RADECSYS": "'FK5'"], ["EPOCH": "2000."],
    ])
  func j2000(_ cards: [String: String]) throws {
    _ = try WorldCoordinates(header: header([Self.tangent, Self.scale, cards]))
  }

  @Test(
    "An error tells why an image has no sky positions",
    arguments: [
      (["RADESYS": "'FK4'"], "the header's coordinates are of FK4, equinox 1950, not of J2000"),
      (["EQUINOX": "1950."], "the header's coordinates are of FK4, equinox 1950, not of J2000"),
      (["EPOCH": "1950."], "the header's coordinates are of FK4, equinox 1950, not of J2000"),
      (
        ["RADESYS": "'FK5'", "EQUINOX": "1975.5"],
        "the header's coordinates are of FK5, equinox 1975.5, not of J2000"
      ),
      (["RADESYS": "'GAPPT'"], "the header's coordinates are of GAPPT, not of J2000"),
      (
        ["CTYPE1": "'GLON-TAN'", "CTYPE2": "'GLAT-TAN'"],
        "the header's coordinates are galactic, not right ascension and declination"
      ),
      (
        ["CTYPE1": "'LINEAR'", "CTYPE2": "'LINEAR'"],
        "the header has no celestial coordinates"
      ),
      (
        ["CTYPE2": "'DEC--SIN'"],
        "the header's coordinates have axes that do not fit together"
      ),
      (
        ["CPDIS1": "'LOOKUP'"],
        "the header's coordinates are distorted by tables, which are not supported"
      ),
    ])
  func reasons(_ cards: [String: String], _ words: String) {
    let error = #expect(throws: NoSkyPositions.self) {
      _ = try WorldCoordinates(header: header([Self.tangent, Self.scale, cards]))
    }
    #expect(error?.description == words)
  }

  @Test("A header without coordinates gives no sky positions")
  func noCoordinates() {
    for text in ["", header([["BITPIX": "16"]]), "no header"] {
      #expect(throws: NoSkyPositions.noCelestialCoordinates) {
        _ = try WorldCoordinates(header: text)
      }
    }
  }

  /// For such a card, WCSLIB 7.12 writes beyond its buffer, and the process crashes.
  @Test("A card whose text lacks its second quote is left out")
  func missingQuote() throws {
    let text = header([Self.tangent, Self.scale, ["RADESYS": "'FK4", "OBSERVER": "'O''Brien'"]])
    _ = try WorldCoordinates(header: text)
    #expect(throws: NoSkyPositions.self) {
      _ = try WorldCoordinates(header: header([Self.tangent, Self.scale, ["CTYPE1": "'RA---TAN"]]))
    }
    #expect(isWhole("OBSERVER= 'O''Brien' / it's late") && !isWhole("OBSERVER= 'O''Brien / late"))
  }

  @Test("A J2000 alternate is used if the primary coordinates are not J2000")
  func alternate() throws {
    let alternate = [
      "CTYPE1A": "'RA---TAN'", "CTYPE2A": "'DEC--TAN'", "CRPIX1A": "5", "CRPIX2A": "6",
      "CRVAL1A": "150", "CRVAL2A": "2", "CDELT1A": "-1e-3", "CDELT2A": "1e-3",
    ]
    let galactic = ["CTYPE1": "'GLON-TAN'", "CTYPE2": "'GLAT-TAN'"]
    let sky = try WorldCoordinates(
      header: header([Self.tangent, Self.scale, galactic, alternate]))
    #expect(sky.sky([(5, 6)]) == [SkyPosition(rightAscension: 150, declination: 2)])
  }

  @Test("Pixels outside of the sky have no position")
  func outside() throws {
    let whole = [
      "CTYPE1": "'RA---AIT'", "CTYPE2": "'DEC--AIT'", "CRVAL1": "0", "CRVAL2": "0",
      "CDELT1": "-2", "CDELT2": "2",
    ]
    let sky = try WorldCoordinates(header: header([Self.tangent, whole]))
    let positions = sky.sky([(1, 1), (90.5, 70.25), (181, 140)])
    #expect(positions.map { $0 != nil } == [false, true, false])
    #expect(positions[1] == SkyPosition(rightAscension: 0, declination: 0))
    #expect(sky.sky([]).isEmpty)
  }
}
