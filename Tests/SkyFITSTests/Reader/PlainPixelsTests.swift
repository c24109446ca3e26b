import Foundation
import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// Pixels that this process reads itself, without CFITSIO.
@Suite("Pixels that are read without CFITSIO")
struct PlainPixelsTests {
  let folder: TemporaryFolder
  private let whole = PixelRectangle(x: 0, y: 0, width: 4, height: 3)

  init() throws {
    folder = try TemporaryFolder()
  }

  private func file(_ units: FITSUnit...) throws -> InputFile {
    try InputFile(path: folder.write("image.fits", units.flatMap(\.bytes)))
  }

  private func opened(_ file: InputFile) throws -> OpenImage {
    try OpenImage(
      descriptor: file.descriptor, size: file.size, path: file.path, extension: nil,
      memory: PixelMemory(isShared: false))
  }

  private func bytes(
    _ rectangle: PixelRectangle, _ layout: FITSLayout, of memory: PixelMemory
  ) -> Data {
    let count = rectangle.width * rectangle.height * layout.coding.format.bytesPerPixel
    return Data(memory.bytes.prefix(count))
  }

  private static let floats: [Float] = [
    1.5, -0.0, 0, .nan, -.infinity, .leastNonzeroMagnitude, -.leastNormalMagnitude,
    .greatestFiniteMagnitude, -7e-12, .infinity, -.leastNonzeroMagnitude, 3,
  ]
  private static let empty = FITSUnit(bitpix: 8, axes: [], [("EXTEND", "T")], data: [])

  @Test(
    "Plain pixels are the same as those that CFITSIO reads",
    arguments: [
      [FITSUnit(bitpix: 8, axes: [4, 3], [("BLANK", "3")], data: Array(0..<12))],
      [
        FITSUnit(
          bitpix: 16, axes: [4, 3], [("BZERO", "32768")],
          data: bigEndian((0..<12).map { Int16($0 * 2111 - 9000) }))
      ],
      [FITSUnit(bitpix: -32, axes: [4, 3, 1], data: bigEndian(floats))],
      [empty, FITSUnit(extension: -32, axes: [4, 3], data: bigEndian(floats))],
    ])
  func same(units: [FITSUnit]) throws {
    let file = try InputFile(path: folder.write("image.fits", units.flatMap(\.bytes)))
    let image = try opened(file)
    let plain = try #require(PlainPixels(image.layout, of: file))
    let memory = try PixelMemory(isShared: false)
    for rectangle in [
      whole, PixelRectangle(x: 0, y: 1, width: 4, height: 2),
      PixelRectangle(x: 1, y: 1, width: 2, height: 2),
    ] {
      try image.read(rectangle)
      try plain.read(rectangle, to: memory.bytes)
      let expected = bytes(rectangle, image.layout, of: image.memory)
      #expect(bytes(rectangle, image.layout, of: memory) == expected)
    }
  }

  @Test(
    "Pixels that need a conversion are not plain",
    arguments: [
      FITSUnit(bitpix: 32, axes: [4, 3], data: bigEndian([Int32](repeating: 7, count: 12))),
      FITSUnit(bitpix: -64, axes: [4, 3], data: bigEndian([Double](repeating: 7, count: 12))),
      FITSUnit(bitpix: -32, axes: [4, 3], [("BSCALE", "2")], data: bigEndian(floats)),
      FITSUnit(bitpix: -32, axes: [4, 3], [("BZERO", "1")], data: bigEndian(floats)),
      FITSUnit(bitpix: 8, axes: [4, 3], [("PCOUNT", "2")], data: Array(0..<14)),
    ])
  func converted(unit: FITSUnit) throws {
    let file = try file(unit)
    let layout = try opened(file).layout
    #expect(layout.plainStart == nil)
    #expect(PlainPixels(layout, of: file) == nil)
  }

  @Test("Pixels of a gzipped file are not plain")
  func inflated() throws {
    let path = folder.file("image.fits.gz")
    try CFITSIOImage.write([CFITSIOImage(width: 4, pixels: Array(0..<12))], to: path)
    #expect(try opened(InputFile(path: path)).layout.plainStart == nil)
  }

  @Test("Pixels of a tile-compressed image are not plain")
  func compressed() throws {
    let path = folder.file("image.fits")
    try CFITSIOImage.write([CFITSIOImage(width: 4, pixels: Array(0..<12))], to: path + "[compress]")
    #expect(try opened(InputFile(path: path)).layout.plainStart == nil)
  }

  /// A reader that a hostile file has taken over can tell any place.
  @Test("A place that the reader reports is trusted only within the file")
  func reader() throws {
    let file = try file(FITSUnit(bitpix: 8, axes: [4, 3], data: Array(0..<12)))
    var layout = try opened(file).layout
    #expect(PlainPixels(layout, of: file) != nil)
    layout.plainStart = file.size - 11
    #expect(PlainPixels(layout, of: file) == nil)
    layout.plainStart = file.size - 12
    layout.bitpix = 16
    #expect(PlainPixels(layout, of: file) == nil)
  }

  @Test("Reading a file that has become shorter is an error")
  func shortened() throws {
    let file = try file(FITSUnit(bitpix: 8, axes: [4, 3], data: Array(0..<12)))
    let plain = try #require(PlainPixels(opened(file).layout, of: file))
    let memory = try PixelMemory(isShared: false)
    #expect(truncate(file.path, 2885) == 0)
    let error = #expect(throws: FITSError.self) { try plain.read(whole, to: memory.bytes) }
    #expect(error?.code == .truncated)
    #expect(error?.fault.contains("it ends before byte 2885") == true)
  }
}
