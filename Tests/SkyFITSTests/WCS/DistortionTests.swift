import Foundation
import SkyTestSupport
import Testing

@testable import SkyFITS

/// Distortions of which WCSLIB makes something else than their conventions.
@Suite("Distortions")
struct DistortionTests {
  private static let tangent = [
    "CRPIX1": "90.5", "CRPIX2": "70.25", "CRVAL1": "0.01", "CRVAL2": "60.2",
  ]
  private static let matrix = [
    "CD1_1": "-1e-3", "CD1_2": "1e-4", "CD2_1": "1.2e-4", "CD2_2": "1.05e-3",
  ]
  private static let parameters = [
    "PV1_0": "1e-5", "PV1_1": "1.001", "PV1_2": "1e-4", "PV1_7": ".01", "PV2_1": ".999",
    "PV2_5": "3e-3",
  ]
  private static let scale = ["CDELT1": "-1e-3", "CDELT2": "1e-3"]
  private static let rotation = ["PC1_1": ".8", "PC1_2": ".6", "PC2_1": "-.6", "PC2_2": ".8"]
  private static let sip = ["A_0_2": "2e-5", "A_1_1": "-3e-5", "B_2_0": "1.5e-5"]

  private static func axes(_ code: String) -> [String: String] {
    ["CTYPE1": "'RA---\(code)'", "CTYPE2": "'DEC--\(code)'"]
  }

  /// The position of column 12.5, row 131.75.
  private func position(_ cards: [[String: String]]) throws -> SkyPosition {
    let sky = try WorldCoordinates(header: header([Self.tangent] + cards))
    return try #require(sky.sky([(12.5, 131.75)])[0])
  }

  private func expect(
    _ position: SkyPosition, _ rightAscension: Double, _ declination: Double
  ) {
    #expect(abs(position.rightAscension - rightAscension) < 1e-9)
    #expect(abs(position.declination - declination) < 1e-9)
  }

  /// The positions of astropy 8.0 with the same matrix as CDi_j. `source-extractor` 2.25 agrees with these cards.
  @Test(
    "TPV's polynomials, also SCAMP's, are of degrees, whatever tells the scale",
    arguments: [
      ([scale], 0.1674433305, 60.2613596955),
      ([scale, ["CROTA2": "33."]], 0.0745194206, 60.2939593118),
      ([scale, rotation], 0.0615522873, 60.2959012723),
      (
        [scale, rotation, ["CTYPE3": "'FREQ'", "CRPIX3": "5", "CDELT3": "1e6"]], 0.0615522873,
        60.2959012723
      ),
    ])
  func scales(_ cards: [[String: String]], _ rightAscension: Double, _ declination: Double) throws {
    for code in ["TPV", "TAN"] {
      expect(
        try position([Self.parameters, Self.axes(code)] + cards), rightAscension, declination)
    }
  }

  /// The positions of astropy 8.0.
  @Test(
    "A_ORDER and B_ORDER say which coefficients of SIP count",
    arguments: [
      (["A_ORDER": "2", "B_ORDER": "2"], 0.1791861724, 60.2552295502),
      (
        ["A_ORDER": "2", "B_ORDER": "2", "A_3_0": "1e-6", "B_0_3": "1e-6", "B_1_2": "1e-6"],
        0.1791861724, 60.2552295502
      ),
      (
        ["A_ORDER": "3", "B_ORDER": "2", "A_3_0": "1e-6", "B_0_3": "1e-6"], 0.1801423643,
        60.2551713842
      ),
      ([:], 0.1796096720, 60.2551068411),
      (["A_ORDER": "1", "B_ORDER": "1"], 0.1796096720, 60.2551068411),
      (["A_ORDER": "1"], 0.1796096720, 60.2551068411),
      (["A_ORDER": "2", "B_ORDER": "2", "A_3_0": "NaN"], 0.1791861724, 60.2552295502),
      (["AP_ORDER": "2", "BP_ORDER": "2", "AP_2_0": "1"], 0.1796096720, 60.2551068411),
    ])
  func orders(_ cards: [String: String], _ rightAscension: Double, _ declination: Double) throws {
    let position = try position([Self.axes("TAN-SIP"), Self.matrix, Self.sip, cards])
    expect(position, rightAscension, declination)
  }

  @Test("Of an order that stands twice the first one counts")
  func doubledOrder() throws {
    let text = header([
      Self.tangent, Self.axes("TAN-SIP"), Self.matrix, Self.sip,
      ["A_ORDER": "2", "B_ORDER": "2", "A_3_0": "1e-6"],
    ])
    let second = "A_ORDER = 3".padding(toLength: 80, withPad: " ", startingAt: 0)
    let sky = try WorldCoordinates(header: withoutComments(text + second))
    expect(try #require(sky.sky([(12.5, 131.75)])[0]), 0.1791861724, 60.2552295502)
  }

  @Test(
    "SIP's cards that contradict each other, or are no numbers, give no positions",
    arguments: [
      (["A_ORDER": "2"], "have A_ORDER over 1 without such a B_ORDER"),
      (["B_ORDER": "2"], "have B_ORDER over 1 without such an A_ORDER"),
      (["A_ORDER": "2", "B_ORDER": "1"], "have A_ORDER over 1"),
      (["A_ORDER": "2", "B_ORDER": "'two'"], "have B_ORDER, which is not a whole number"),
      (["A_ORDER": "2.5", "B_ORDER": "2"], "have A_ORDER, which is not a whole number"),
      (["A_ORDER": "2", "B_ORDER": "2", "A_2_0": "NaN"], "have A_2_0, which is not a number"),
    ])
  func contradictions(_ cards: [String: String], _ words: String) {
    let error = #expect(throws: NoSkyPositions.self) {
      try position([Self.axes("TAN-SIP"), Self.matrix, Self.sip, cards])
    }
    #expect(error?.description.contains(words) == true)
  }

  @Test("A keyword that only begins like SIP's is none")
  func otherKeywords() {
    #expect(isOfSIP("A_2_0   = 1") && isOfSIP("BP_ORDER= 2") && isOfSIP("B_10_11 = 1"))
    for card in ["A_BAND  = 'r'", "A_MAJOR = 2", "B_1     = 3", "A_1_2_3 = 4", "AA_1_2  = 5"] {
      #expect(!isOfSIP(card))
    }
  }
}
