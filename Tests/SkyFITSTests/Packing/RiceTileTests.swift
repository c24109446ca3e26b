import Foundation
import SkyTestSupport
import Testing

@testable import SkyFITS

/// CFITSIO's packed form of the same pixels, from the only tile of a file that it writes.
@Suite("Packed pixels and CFITSIO's")
struct RiceTileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The bytes of an image's tile: the first array of the table's heap (FITS Standard 4.0, 7.3.5).
  private func tile(_ pixels: [Int16], width: Int) throws -> Data {
    let height = pixels.count / width
    let name = folder.file("\(UUID()).fits")
    let numbers = pixels.map { UInt16(bitPattern: $0) ^ 0x8000 }
    try CFITSIOImage.write(
      [CFITSIOImage(width: width, pixels: numbers)],
      to: name + "[compress RICE \(width),\(height)]")
    let file = try Data(contentsOf: URL(fileURLWithPath: name))
    let table = try #require(file.firstRange(of: Data("XTENSION= 'BINTABLE'".utf8))).lowerBound
    let header = try #require(file[table...].firstRange(of: Data("END     ".utf8)))
    func number(_ keyword: String) throws -> Int {
      let card = try #require(file[table...].firstRange(of: Data((keyword + "= ").utf8)))
      let value = String(decoding: file[card.upperBound..<card.upperBound + 20], as: UTF8.self)
      return try #require(Int(value.trimmingCharacters(in: .whitespaces)))
    }
    #expect(try number("NAXIS2  ") == 1, "one tile")
    let start = (header.upperBound + 2879) / 2880 * 2880
    func word(at offset: Int) -> Int { file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    let array = start + (try number("NAXIS1  ")) + word(at: start + 4)
    return file.subdata(in: array..<array + word(at: start))
  }

  @Test(
    "The packed pixels are CFITSIO's tile, byte by byte",
    arguments: [0.4, 1, 3, 10, 30, 100, 1000, 4000])
  func same(sigma: Double) throws {
    var random = SeededGenerator(seed: Int(sigma * 10))
    for (width, height) in [(32, 4), (33, 5), (100, 10), (1000, 3)] {
      var pixels = random.noise(count: width * height, sigma: sigma, mean: -20_000)
      // A star, and pixels without noise.
      for index in 40..<44 { pixels[index] = 30_000 - Int16(index) * 97 }
      for index in 64..<100 { pixels[index] = 12 }
      let packed = try #require(RicePacking.pack(Data(pixels: pixels)))
      let tile = try tile(pixels, width: width)
      #expect(packed == tile, "\(width) × \(height)")
      #expect(
        try RicePacking.unpack(tile, width: width, height: height) == Data(pixels: pixels))
    }
  }
}
