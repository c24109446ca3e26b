import Foundation
import SkyDetection
import SkyFiles
import SkyTestSupport
import Testing

@testable import SkyFITS

@Suite("Pixels of a file that another process has named")
struct ReferencedFileTests {
  private let folder: TemporaryFolder
  private let key = DigestKey.random()

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(
    "Every rectangle has the pixels that CFITSIO reads, from the same file and from a copy",
    arguments: [(3, 2), (700, 90), (5000, 7)])
  func pixels(width: Int, height: Int) throws {
    var random = SystemRandomNumberGenerator()
    let numbers = (0..<width * height).map { _ in Int16.random(in: .min ... .max, using: &random) }
    let unit = FITSUnit(
      bitpix: 16, axes: [width, height], [("BZERO", "32768")], data: bigEndian(numbers))
    let path = try #require(FilePath.real(try folder.write("image.fits", unit.bytes))).text
    let input = try InputFile(path: path)
    let image = try OpenImage(
      descriptor: input.descriptor, size: input.size, path: path, extension: nil,
      memory: PixelMemory(isShared: false))
    let layout = try #require(image.layout.plain)
    let file = try ReferencedFile(path, in: DataDirectories([folder.path], ownFiles: []))
    for _ in 0..<20 {
      let (columns, rows) = (Int.random(in: 1...width), Int.random(in: 1...height))
      let rectangle = PixelRectangle(
        x: .random(in: 0...width - columns), y: .random(in: 0...height - rows), width: columns,
        height: rows)
      try image.read(rectangle)
      let expected = Data(image.memory.bytes.prefix(2 * columns * rows))
      #expect(try file.pixels(in: rectangle, of: layout) == expected)
      let blocks = layout.blocks(of: [rectangle])
      let digests = try blocks.flatMap { try input.digests(of: $0, key: key) }
      let known = Dictionary(uniqueKeysWithValues: zip(blocks.joined(), digests))
      #expect(
        try file.pixels(in: rectangle, of: layout, comparedWith: known, key: key) == expected)
      // One digest that is missing or another one, whichever it is, and nothing is read.
      var other = known
      other[try #require(known.keys.randomElement())] = nil
      #expect(throws: DataRefusal.otherContents) {
        try file.pixels(in: rectangle, of: layout, comparedWith: other, key: key)
      }
    }
  }
}
