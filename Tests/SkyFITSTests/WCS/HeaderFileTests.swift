import Foundation
import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// Files beside an image whose cards replace those of its header.
@Suite("Header files")
struct HeaderFileTests {
  private static let tangent = [
    ("CTYPE1", "'RA---TAN'"), ("CTYPE2", "'DEC--TAN'"), ("CRPIX1", "2"), ("CRPIX2", "2"),
    ("CRVAL1", "10."), ("CRVAL2", "20."),
  ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func unit(_ more: [(String, String)]) -> FITSUnit {
    FITSUnit(bitpix: 8, axes: [3, 3], Self.tangent + more, data: [UInt8](repeating: 0, count: 9))
  }

  private func open(
    _ bytes: [UInt8], _ head: String, extension choice: String? = nil
  ) async throws -> FITSImage {
    let path = try folder.write("a.fits", bytes)
    _ = try folder.write("a.head", Array(head.utf8))
    let file = try #require(try HeaderFile(beside: path, suffix: ".head"))
    return try await FITSImage.open(path, extension: choice, headerFile: file, reader: nil)
  }

  private func middle(_ image: FITSImage) async throws -> SkyPosition {
    try #require(try await image.sky(of: [(2, 2)])[0])
  }

  /// The positions of `source-extractor` 2.25 with the same files.
  @Test("Cards replace the header's, and add to it")
  func cards() async throws {
    let image = try await open(
      unit([("CDELT1", "-1e-3"), ("CDELT2", "1e-3"), ("GAIN", "1.5")]).bytes,
      """
      COMMENT   Made by hand
      CRVAL1  =         11.0 / further east\r
      GAIN    =          2.5
      SATURATE=        40000
      NAXIS1  =            7
      END
      """)
    #expect(try await middle(image) == SkyPosition(rightAscension: 11, declination: 20))
    #expect(image.number("GAIN") == 2.5 && image.number("SATURATE") == 40000)
    #expect(image.width == 3 && image.number("NAXIS1") == 3)
    #expect(image.hasReplacingCards)
    // The header itself is what tells whether two processes of a batch have the same image.
    #expect(!image.header.contains("11.0"))
  }

  /// SExtractor's GAIN_KEY takes the first card whose name begins with it.
  @Test(
    "A card takes the place of the first one with its keyword, or stands at the end",
    arguments: [
      ([("GAINA", "3")], "GAIN", "GAINA", 3.0), ([("GAIN", "3")], "GAINA", "GAIN", 3),
      ([("GAIN", "3"), ("GAINA", "4")], "GAIN", "GAIN", 2), ([], "GAIN", "GAIN", 2),
      ([("GAIN", "4"), ("GAIN", "5")], "GAIN", "GAIN", 2),
    ])
  func place(
    _ cards: [(String, String)], replacing: String, _ keyword: String, _ gain: Double
  ) async throws {
    let image = try await open(unit(cards).bytes, "\(replacing.padding(to: 8))=  2.0\nEND\n")
    let found = try #require(image.keyed("GAIN"))
    #expect(found.keyword == keyword && found.number == gain)
  }

  /// `source-extractor` 2.25 takes the last one, too.
  @Test("Of cards that stand twice the last one counts, and they are told if they differ")
  func doubled() async throws {
    let image = try await open(
      unit([("CDELT1", "-1e-3"), ("CDELT2", "1e-3"), ("GAIN", "1.5")]).bytes,
      """
      GAIN    =          2.5
      CRVAL1  =         11.0
      CRPIX1  =            2
      OBSERVER= 'A'
      GAIN    =          3.5
      CRVAL1  =         12.0
      CRPIX1  =          2.0
      OBSERVER= 'B'
      END
      """)
    #expect(try await middle(image) == SkyPosition(rightAscension: 12, declination: 20))
    #expect(image.number("GAIN") == 3.5)
    #expect(
      Set(image.doubledReplacingCards(named: ["GAIN"])) == [
        DoubledCard(keyword: "GAIN", value: "3.5", other: "2.5"),
        DoubledCard(keyword: "CRVAL1", value: "12.0", other: "11.0"),
      ])
    #expect(image.doubledReplacingCards(named: []).map(\.keyword) == ["CRVAL1"])
    #expect(image.doubledCards(named: ["GAIN"], hasCoordinates: true).isEmpty)
  }

  @Test("A matrix replaces scales and rotations, and new types replace SIP")
  func matrix() async throws {
    let image = try await open(
      unit([
        ("CDELT1", "-1e-3"), ("CDELT2", "1e-3"), ("PC1_1", "0.6"), ("PC1_2", "0.8"),
        ("A_ORDER", "2"), ("B_ORDER", "2"), ("A_2_0", "0.5"),
      ]).bytes,
      """
      CTYPE1  = 'RA---TAN'
      CTYPE2  = 'DEC--TAN'
      CD1_1   = -1e-2
      CD1_2   = 0.0
      CD2_1   = 0.0
      CD2_2   = 1e-2
      END
      """)
    let position = try #require(try await image.sky(of: [(2, 3)])[0])
    #expect(abs(position.declination - 20.01) < 1e-9 && abs(position.rightAscension - 10) < 1e-9)
  }

  @Test("Each image of a file has a block of its own")
  func blocks() async throws {
    let empty = FITSUnit(bitpix: 8, axes: [], data: [])
    let chips = ["A", "B", "C"].map { name in
      FITSUnit(
        extension: 8, axes: [3, 3],
        Self.tangent + [("CDELT1", "-1e-3"), ("CDELT2", "1e-3"), ("EXTNAME", "'\(name)'")],
        data: [UInt8](repeating: 0, count: 9))
    }
    let bytes = ([empty] + chips).flatMap(\.bytes)
    let head = "CRVAL1  = 31\nEND     \nCRVAL1  = 32\nEND\n"
    for (choice, rightAscension) in [("A", 31.0), ("B", 32), ("C", 10)] {
      let image = try await open(bytes, head, extension: choice)
      #expect(try await middle(image).rightAscension == rightAscension)
      #expect(image.hasReplacingCards == (choice != "C"))
    }
  }

  @Test(
    "The file has the image's name with another ending",
    arguments: [
      ("sky.fits", "sky.head"), ("night.d/sky", "night.d/sky.head"),
      ("a/sky.v2.fits", "a/sky.v2.head"),
      ("sky.fits.fz", "sky.fits.head"),
    ])
  func path(image: String, header: String) {
    #expect(HeaderFile.path(beside: image, suffix: ".head") == header)
  }

  /// The text comes from outside, and so may any of its cards.
  @Test("Any bytes are read, and leave a header of whole cards")
  func hostile() async throws {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "END\n", "\n", "'", "CRVAL1  = ", "CD1_1   =", "=", "\u{1B}[2J", "é", "PV1_999 = 1E400",
      "WCSAXES = 99999999", String(repeating: "A", count: 200), "        = 5\n",
      "CTYPE1  = 'RA---TAN",
    ]
    for _ in 0..<200 {
      let head = (0..<40).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let image = try await open(unit([]).bytes, head)
      let full = image.layout.fullHeader
      #expect(full.utf8.count.isMultiple(of: 80), "\(head)")
      #expect(full.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "\(head)")
      _ = image.number("CRVAL1")
    }
  }

  @Test("Without the file there is none, and a folder in its place is an error")
  func absent() throws {
    let path = folder.file("b.fits")
    #expect(try HeaderFile(beside: path, suffix: ".head") == nil)
    try FileManager.default.createDirectory(
      atPath: folder.file("b.head"), withIntermediateDirectories: true)
    #expect(throws: FITSError.self) { try HeaderFile(beside: path, suffix: ".head") }
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String {
    padding(toLength: count, withPad: " ", startingAt: 0)
  }
}
