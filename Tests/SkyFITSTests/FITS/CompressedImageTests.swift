import Foundation
import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

@Suite("Compressed images")
struct CompressedImageTests {
  /// CFITSIO's extended names, and the names of the files that it writes.
  private static let written = [
    ("image.fits.gz", "image.fits.gz"), ("tiled.fits[compress]", "tiled.fits"),
  ]

  let folder: TemporaryFolder
  let numbers = (0..<64 * 48).map { UInt16(truncatingIfNeeded: 1000 + $0 * 7 % 501) }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ extendedName: String) throws {
    try CFITSIOImage.write(
      [CFITSIOImage(width: 64, pixels: numbers)], to: folder.file(extendedName))
  }

  @Test(
    "Gzipped and tile-compressed images are read",
    arguments: written)
  func read(_ written: String, _ name: String) async throws {
    try write(written)
    let image = try await FITSImage.open(folder.file(name))
    #expect(image.coding == PixelCoding(format: .int16, scale: 1, zero: 32768))
    let pixels = try await image.pixels(in: PixelRectangle(x: 0, y: 0, width: 64, height: 48))
    #expect(image.coding.values(of: pixels) == numbers.map { Float($0) })
  }

  /// Some programs give the table that holds a compressed image a name of its own. `fits_movnam_hdu` passes over
  /// COMPRESSED_IMAGE.
  @Test("A compressed image has the name behind that of its table")
  func names() async throws {
    let chips = ["CCD00", "CCD01"].map {
      CFITSIOImage(width: 64, pixels: numbers, texts: ["EXTNAME": $0])
    }
    try CFITSIOImage.write(chips, to: folder.file("tiled.fits[compress]"))
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("tiled.fits"))))
    for name in ["CCD00", "CCD01"] {
      let card = try #require(bytes.firstRange(of: Array("EXTNAME = '\(name)".utf8)))
      // The card before moves up, and another one takes its place; blank cards follow END.
      let end = try #require(bytes[card.lowerBound...].firstRange(of: Array("END     ".utf8)))
      let text = "EXTNAME = 'COMPRESSED_IMAGE'".padding(toLength: 80, withPad: " ", startingAt: 0)
      bytes.removeSubrange(end.lowerBound + 80..<end.lowerBound + 160)
      bytes.insert(contentsOf: text.utf8, at: card.lowerBound)
    }
    let path = try folder.write("named.fits", bytes)
    #expect(try await FITSImage.images(in: path).map(\.name) == ["CCD00", "CCD01"])
    #expect(try await FITSImage.open(path, extension: "CCD01").extensionNumber == 2)
  }

  /// CFITSIO copies the table's cards in their order, and fails. astropy reads these.
  @Test(
    "A compressed image is read wherever its name stands",
    arguments: ["TFIELDS", "TFORM1", "ZIMAGE", "ZBITPIX", "ZNAXIS", "ZCMPTYPE"])
  func earlyName(keyword: String) async throws {
    let chip = CFITSIOImage(
      width: 64, pixels: numbers, texts: ["FILTER": "r"], numbers: ["GAIN": 2.5])
    try CFITSIOImage.write([chip], to: folder.file("tiled.fits[compress]"))
    let written = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("tiled.fits"))))
    let expected = try await FITSImage.open(folder.file("tiled.fits"))
    // Two names of the table, and the image's own behind them.
    let names = ["COMPRESSED_IMAGE", "COMPRESSED_IMAGE", "CCD01"]
    for names in [names, ["CCD01"]] {
      var bytes = written
      let name = keyword.padding(toLength: 8, withPad: " ", startingAt: 0) + "="
      let extensionStart = try #require(bytes.firstRange(of: Array("XTENSION".utf8))).lowerBound
      let card = try #require(bytes[extensionStart...].firstRange(of: Array(name.utf8)))
      let end = try #require(bytes[card.lowerBound...].firstRange(of: Array("END     ".utf8)))
      let inserted = names.map {
        "EXTNAME = '\($0)'".padding(toLength: 80, withPad: " ", startingAt: 0)
      }.joined()
      bytes.removeSubrange(end.lowerBound + 80..<end.lowerBound + 80 + inserted.utf8.count)
      bytes.insert(contentsOf: inserted.utf8, at: card.lowerBound + 80)
      let path = try folder.write("early.fits", bytes)
      let image = try await FITSImage.open(path, extension: "CCD01")
      let all = PixelRectangle(x: 0, y: 0, width: 64, height: 48)
      #expect(try await image.values(in: all) == numbers.map(Float.init))
      #expect(image.coding == expected.coding && image.number("GAIN") == 2.5)
      let own = cards(of: image.header).filter { !$0.hasPrefix("EXTNAME") }
      let others = cards(of: expected.header).filter { !$0.hasPrefix("EXTNAME") }
      #expect(Set(own) == Set(others) && own.prefix(7) == others.prefix(7), "\(own)")
    }
  }

  @Test(
    "A truncated file is refused when it is opened",
    arguments: written)
  func truncated(_ written: String, _ name: String) async throws {
    try write(written)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
    let path = try folder.write("short-" + name, Array(bytes.prefix(bytes.count * 2 / 3)))
    let error = await #expect(throws: FITSError.self) { _ = try await FITSImage.open(path) }
    #expect(error?.code == .truncated)
  }

  /// CFITSIO trusts the type and the number of axes in the header of a tile-compressed image.
  @Test(
    "An impossible type or number of axes is an error",
    arguments: ["0", "7", "255", "65536", "2147483647", "-2147483648"].map { ("ZBITPIX", $0) }
      + ["-2147483648", "-1", "0", "7", "999", "2147483647"].map { ("ZNAXIS", $0) })
  func impossibleHeader(keyword: String, value: String) async throws {
    try write("tiled.fits[compress]")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("tiled.fits"))))
    let name = Array((keyword.padding(toLength: 8, withPad: " ", startingAt: 0) + "= ").utf8)
    let card = try #require(bytes.firstRange(of: name))
    let number = String(repeating: " ", count: 20 - value.count) + value
    bytes.replaceSubrange(card.upperBound..<card.upperBound + 20, with: Array(number.utf8))
    let path = try folder.write("damaged.fits", bytes)
    let error = await #expect(throws: FITSError.self) { _ = try await FITSImage.open(path) }
    let code = try #require(error?.code)
    #expect([.invalidHeader, .noImage].contains(code), "\(error?.description ?? "")")
  }

  /// The file is refused even if all of the image is there, and if the image exactly fills the
  /// memory that it is inflated into.
  @Test(
    "A gzipped file without its end is refused as truncated",
    arguments: [5760, 1 << 20, 1 << 21])
  func gzipWithoutEnd(size: Int) async throws {
    let unit = FITSUnit(bitpix: 8, axes: [2, 1], data: [1, 2]).bytes
    let bytes = unit + [UInt8](repeating: 0, count: size - unit.count)
    let path = try folder.write("image.fits.gz", Array(StoredGzip.member(bytes).dropLast(8)))
    let error = await #expect(throws: FITSError.self) { _ = try await FITSImage.open(path) }
    #expect(error?.code == .truncated)
    #expect(error?.fault.contains("it ends too soon") == true)
  }
}
