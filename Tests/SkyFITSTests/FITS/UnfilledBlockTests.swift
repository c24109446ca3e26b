import Foundation
import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// Files that end behind their last pixel, without what fills the last block up. Nebulosity writes such.
@Suite("Unfilled blocks")
struct UnfilledBlockTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private let numbers = (0..<100 * 100).map { UInt16(truncatingIfNeeded: $0 * 7 % 501) }

  private func unit(_ bitpix: Int, isExtension: Bool = false) -> FITSUnit {
    let data = numbers.flatMap { number -> [UInt8] in
      let low = [UInt8(number >> 8), UInt8(number & 0xff)]
      return bitpix == 32 ? [0, 0] + low : low
    }
    return isExtension
      ? FITSUnit(extension: bitpix, axes: [100, 100], [("EXTNAME", "'SKY'")], data: data)
      : FITSUnit(bitpix: bitpix, axes: [100, 100], data: data)
  }

  private func expectPixels(_ image: FITSImage) async throws {
    let all = PixelRectangle(x: 0, y: 0, width: 100, height: 100)
    #expect(try await image.values(in: all) == numbers.map(Float.init))
    let last = PixelRectangle(x: 90, y: 99, width: 10, height: 1)
    #expect(try await image.values(in: last) == numbers.suffix(10).map(Float.init))
  }

  /// 16-bit pixels are read where they are, and 32-bit ones by CFITSIO.
  @Test("All pixels of the last block are read", arguments: [16, 32], [0, 1, 100])
  func lastBlock(bitpix: Int, filler: Int) async throws {
    let unit = unit(bitpix)
    let bytes = unit.bytes.prefix(2880 + unit.data.count + filler)
    let path = try folder.write("a.fits", Array(bytes))
    let image = try await FITSImage.open(path)
    #expect(image.isUnfilled)
    try await expectPixels(image)
    let whole = try await FITSImage.open(folder.write("b.fits", unit.bytes))
    #expect(!whole.isUnfilled)
  }

  /// The kernel fills up the file's last page, and a block may reach beyond it.
  @Test("A block that reaches beyond the file's last page is read", arguments: 1...12)
  func pages(rows: Int) async throws {
    let data = (0..<rows * 172).flatMap { _ in [0, 0, 0, 7] as [UInt8] }
    let unit = FITSUnit(bitpix: 32, axes: [rows * 172, 1], data: data)
    let path = try folder.write("a.fits", Array(unit.bytes.prefix(2880 + unit.data.count)))
    let image = try await FITSImage.open(path)
    let row = PixelRectangle(x: 0, y: 0, width: image.width, height: 1)
    #expect(try await image.values(in: row).allSatisfy { $0 == 7 })
  }

  @Test("Only the last of several images is told")
  func several() async throws {
    let units = [unit(16), unit(32, isExtension: true)]
    let bytes = Array(units.flatMap(\.bytes).prefix(2880 + 20160 + 2880 + 40000))
    let path = try folder.write("a.fits", bytes)
    #expect(try await FITSImage.images(in: path).map(\.isDamaged) == [false, false])
    for (choice, isUnfilled) in [("0", false), ("SKY", true)] {
      let image = try await FITSImage.open(path, extension: choice)
      #expect(image.isUnfilled == isUnfilled && !image.isBeforeDamage && !image.isBeforeOtherBytes)
      try await expectPixels(image)
    }
  }

  /// CFITSIO looks for it in the next block, and finds none.
  @Test(
    "An extension directly behind the last pixel of another one is damaged", arguments: [0, 1, 300])
  func unfilledBefore(filler: Int) async throws {
    let units = [unit(16), unit(32, isExtension: true), unit(16, isExtension: true)]
    let second = units[1].bytes.prefix(2880 + units[1].data.count + filler)
    let path = try folder.write("a.fits", units[0].bytes + second + units[2].bytes)
    let images = try await FITSImage.images(in: path)
    #expect(images.map(\.number) == [0, 1, 2] && images.map(\.isDamaged) == [false, false, true])
    try await expectPixels(try await FITSImage.open(path, extension: "1"))
  }

  @Test(
    "Compressed files are read",
    arguments: [("a.fits.gz", "a.fits.gz"), ("b.fits[compress]", "b.fits")])
  func compressed(extendedName: String, name: String) async throws {
    try CFITSIOImage.write(
      [CFITSIOImage(width: 100, pixels: numbers)], to: folder.file(extendedName))
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
    if name.hasSuffix(".gz") {
      let plain = unit(16)
      bytes = StoredGzip.member(Array(plain.bytes.prefix(2880 + plain.data.count)))
    } else {
      while bytes.last == 0 { bytes.removeLast() }
      // The last tile may end with zeros.
      bytes += [UInt8](repeating: 0, count: 8)
    }
    let image = try await FITSImage.open(folder.write("c.fits", bytes))
    #expect(image.isUnfilled)
    try await expectPixels(image)
  }
}
