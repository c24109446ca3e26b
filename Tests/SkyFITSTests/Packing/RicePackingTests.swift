import Foundation
import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

@Suite("Packing of 16-bit pixels")
struct RicePackingTests {
  private static let widths = [1, 2, 31, 32, 33, 64, 1000]
  private static let heights = [1, 2, 3, 31, 33]
  private static let sides = widths.flatMap { width in heights.map { (width, $0) } }

  /// Packs the pixels, and checks that they are the same when unpacked. Returns the packed bytes.
  @discardableResult
  private func packed(_ pixels: [Int16], width: Int, height: Int = 1) throws -> Data? {
    let data = Data(pixels: pixels)
    guard let packed = RicePacking.pack(data) else { return nil }
    #expect(packed.count < data.count)
    #expect(try RicePacking.unpack(packed, width: width, height: height) == data)
    return packed
  }

  @Test("Noise of any strength is the same again", arguments: sides)
  func noise(width: Int, height: Int) throws {
    var random = SeededGenerator(seed: width * 1000 + height)
    var sigma = 0.05
    while sigma < 20_000 {
      let pixels = random.noise(count: width * height, sigma: sigma)
      let packed = try packed(pixels, width: width, height: height)
      if pixels.count >= 64, sigma < 1000 { #expect(packed != nil, "sigma \(sigma)") }
      sigma *= 2.5
    }
  }

  @Test("Equal pixels take four bits a block", arguments: sides)
  func equal(width: Int, height: Int) throws {
    let count = width * height
    for value in [Int16.min, -1, 0, 1, .max] {
      let packed = try packed(
        [Int16](repeating: value, count: count), width: width, height: height)
      let expected = (16 + (count + 31) / 32 * 4 + 7) / 8
      #expect(packed?.count == (expected < 2 * count ? expected : nil))
    }
  }

  @Test("Ramps that wrap around, and single pixels that stand out, are the same again")
  func steps() throws {
    for step in [1, -1, 255, -4096, 32_767, -32_768] {
      let ramp = (0..<3300).map { Int16(truncatingIfNeeded: $0 * step) }
      let packed = try packed(ramp, width: 33, height: 100)
      #expect((packed != nil) == (abs(step) < 16_000), "step \(step)")
    }
    // One difference in a block of equal pixels needs many 0s, more than are put at once.
    for place in [0, 1, 31, 32, 63, 64, 98] {
      for height in [1, 20, 64, 79, 80, 500, 2000, 32_767, -32_768] {
        var pixels = [Int16](repeating: 0, count: 99)
        pixels[place] = Int16(height)
        #expect(try packed(pixels, width: 99) != nil)
      }
    }
  }

  @Test("Blocks whose numbers are not split are among others, and the same again")
  func mixed() throws {
    var random = SeededGenerator(seed: 7)
    for count in [64, 65, 96, 127, 128, 1000] {
      var pixels = random.noise(count: count, sigma: 2)
      for index in 32..<min(64, count) {
        pixels[index] = index % 2 == 0 ? .min : .max
        if index % 3 == 0 { pixels[index] = .random(in: .min ... .max, using: &random) }
      }
      #expect(try packed(pixels, width: count) != nil || count < 96)
    }
  }

  @Test("Pixels that would not have fewer bytes are not packed")
  func notWorthIt() {
    var random = SeededGenerator(seed: 3)
    for count in [1, 2, 31, 32, 33, 1000, 40_000] {
      // Every number is about 2^16.
      let extremes = (0..<count).map { $0 % 2 == 0 ? Int16(-16_384) : 16_384 }
      #expect(RicePacking.pack(Data(pixels: extremes)) == nil || count < 3)
      let any = (0..<count).map { _ in Int16.random(in: .min ... .max, using: &random) }
      #expect(RicePacking.pack(Data(pixels: any)) == nil)
    }
    #expect(RicePacking.pack(Data()) == nil)
    #expect(RicePacking.pack(Data([1, 2, 3])) == nil)
  }

  @Test("The bytes of a small image are those of FITS's RICE_1")
  func bytes() throws {
    // Differences 0, 1, -1, 0, 3 have the numbers 0, 2, 1, 0, 6; their sum is 9, so the bit is 0.
    let packed = try packed([258, 259, 258, 258, 261], width: 5)
    // 258; code 1; 1, 001, 01, 1, 0000001.
    #expect(packed.map([UInt8].init) == [1, 2, 0b0001_1001, 0b0110_0000, 0b0100_0000])
  }

  @Test("Slices of data are packed and unpacked")
  func slices() throws {
    let pixels = Data(pixels: [Int16](repeating: 7, count: 100))
    let packed = try #require(RicePacking.pack((Data([9, 9, 9]) + pixels).dropFirst(3)))
    let slice = (Data([9]) + packed + Data([9])).dropFirst().dropLast()
    #expect(try RicePacking.unpack(slice, width: 10, height: 10) == pixels)
  }

  @Test("Real images are the same again", .enabled(if: realImages != nil, "\(realImagesNeeded)"))
  func real() async throws {
    let folder = try #require(realImages)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    where name.hasSuffix(".fit") || name.hasSuffix(".fits") {
      let image = try await FITSImage.open(folder + "/" + name)
      guard image.coding.format == .int16 else { continue }
      let pixels = try await image.pixels(
        in: PixelRectangle(x: 0, y: 0, width: image.width, height: image.height))
      let packed = try #require(RicePacking.pack(pixels), "\(name)")
      #expect(packed.count * 4 < pixels.count * 3, "\(name)")
      #expect(
        try RicePacking.unpack(packed, width: image.width, height: image.height) == pixels)
    }
  }
}
