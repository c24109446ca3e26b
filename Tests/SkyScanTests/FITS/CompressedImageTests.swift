import CCFITSIO
import Foundation
import SkyNetCore
import Testing

@testable import SkyScan

@Suite struct CompressedImageTests {
  let folder: TemporaryFolder
  let numbers = (0..<64 * 48).map { UInt16(truncatingIfNeeded: 1000 + $0 * 7 % 501) }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes the image with CFITSIO, whose extended names say how to compress.
  private func write(_ extendedName: String) {
    var file: UnsafeMutablePointer<fitsfile>?
    var status: CInt = 0
    var sides = [64, 48]
    var numbers = numbers
    ffinit(&file, folder.file(extendedName), &status)
    ffcrim(file, USHORT_IMG, 2, &sides, &status)
    ffppr(file, TUSHORT, 1, LONGLONG(numbers.count), &numbers, &status)
    ffclos(file, &status)
    #expect(status == 0)
  }

  @Test(arguments: [("image.fits.gz", "image.fits.gz"), ("tiled.fits[compress]", "tiled.fits")])
  func gzippedAndTileCompressedImagesAreRead(_ written: String, _ name: String) async throws {
    write(written)
    let image = try await FITSImage.open(folder.file(name))
    #expect(image.coding == PixelCoding(format: .int16, scale: 1, zero: 32768))
    let pixels = try await image.pixels(in: PixelRectangle(x: 0, y: 0, width: 64, height: 48))
    #expect(image.coding.values(of: pixels) == numbers.map { Float($0) })
  }

  @Test(arguments: [("image.fits.gz", "image.fits.gz"), ("tiled.fits[compress]", "tiled.fits")])
  func whatIsMissingAtTheEndIsNoticedWhenOpening(_ written: String, _ name: String) async throws {
    write(written)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
    let path = try folder.write("short-" + name, Array(bytes.prefix(bytes.count * 2 / 3)))
    let error = await #expect(throws: FITSError.self) { _ = try await FITSImage.open(path) }
    #expect(error?.code == .truncated)
  }
}
