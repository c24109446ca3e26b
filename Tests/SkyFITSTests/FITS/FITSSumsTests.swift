import CCFITSIO
import Foundation
import SkyTestSupport
import Testing

@testable import SkyFITS

/// DATASUM and CHECKSUM.
@Suite("Checksums")
struct FITSSumsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes an image with checksums, plain or tile-compressed.
  private func write(_ extendedName: String, _ name: String) throws -> Data {
    var file: UnsafeMutablePointer<fitsfile>?
    var status: CInt = 0
    var sides = [64, 48]
    var pixels = (0..<64 * 48).map { UInt16(1000 + $0 % 97) }
    ffinit(&file, folder.file(extendedName), &status)
    ffcrim(file, USHORT_IMG, 2, &sides, &status)
    ffppr(file, TUSHORT, 1, LONGLONG(pixels.count), &pixels, &status)
    ffpcks(file, &status)
    ffclos(file, &status)
    try #require(status == 0)
    return try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
  }

  private func sums(_ bytes: Data) async throws -> FITSSums {
    try await FITSImage.open(folder.write("b.fits", Array(bytes))).checkSums()
  }

  @Test(
    "A wrong checksum is found, in a plain file and in a packed one",
    arguments: [("a.fits", "a.fits"), ("a.fits.fz[compress]", "a.fits.fz")])
  func wrong(extendedName: String, name: String) async throws {
    let bytes = try write(extendedName, name)
    let right = try await sums(bytes)
    #expect(right == FITSSums(data: .right, unit: .right) && right.fault == nil)

    // The last unit's data end with zeros that fill the block.
    var changed = bytes
    changed[bytes.count - 1] ^= 1
    let wrong = try await sums(changed)
    #expect(wrong == FITSSums(data: .wrong, unit: .wrong))
    #expect(wrong.fault?.hasPrefix("its DATASUM is wrong") == true)

    var edited = bytes
    let card = try #require(bytes.range(of: Data("BSCALE  =".utf8), options: .backwards))
    edited[card.lowerBound + 40] = UInt8(ascii: "!")
    let header = try await sums(edited)
    #expect(header == FITSSums(data: .right, unit: .wrong))
    #expect(header.fault?.contains("its header was changed") == true)
  }

  @Test("Without checksums there is nothing to find")
  func absent() async throws {
    let unit = FITSUnit(bitpix: 8, axes: [3, 2], data: [1, 2, 3, 4, 5, 6])
    let sums = try await sums(Data(unit.bytes))
    #expect(sums == FITSSums(data: .absent, unit: .absent) && sums.fault == nil)
  }
}
