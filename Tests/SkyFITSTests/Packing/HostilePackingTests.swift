import Foundation
import Testing

@testable import SkyFITS

@Suite("Packed pixels from anybody")
struct HostilePackingTests {
  @Test(
    "Every shorter form is cut off, and every longer one has something after the last pixel",
    arguments: [0, 0.3, 2, 40, 900, 4000])
  func lengths(sigma: Double) throws {
    var random = SeededGenerator(seed: Int(sigma * 10))
    for count in [40, 64, 97, 333] {
      let pixels = random.noise(count: count, sigma: sigma)
      let packed = try #require(RicePacking.pack(Data(pixels: pixels)))
      for length in 0..<packed.count {
        #expect(throws: UnpackingError.truncated, "\(length) of \(packed.count)") {
          try RicePacking.unpack(packed.prefix(length), width: count, height: 1)
        }
      }
      for end in [[0], [1], [0, 0], [UInt8](repeating: 0, count: 20)] as [[UInt8]] {
        #expect(throws: UnpackingError.trailing) {
          try RicePacking.unpack(packed + end, width: count, height: 1)
        }
      }
    }
  }

  @Test("A 1 after the last pixel is refused also within the last byte")
  func padding() {
    let packed = Data([0, 7, 0b0000_0000])
    #expect(throws: Never.self) { try RicePacking.unpack(packed, width: 8, height: 4) }
    for bit in 0..<4 {
      #expect(throws: UnpackingError.trailing) {
        try RicePacking.unpack(Data([0, 7, 1 << bit]), width: 8, height: 4)
      }
    }
  }

  @Test(
    "Sides that no image has, or that the bytes cannot fill, take no memory",
    arguments: [
      (0, 1), (1, 0), (-1, 1), (-4, -4), (.min, .min), (.min, -1), (.max, 1), (.max, 2),
      (1 << 32, 1 << 32), (1 << 31, 1 << 31), (1 << 31, 1 << 30), (1_000_000, 1_000_000),
    ] as [(Int, Int)])
  func sides(width: Int, height: Int) {
    let error = #expect(throws: UnpackingError.self) {
      try RicePacking.unpack(Data(repeating: 0, count: 100), width: width, height: height)
    }
    let isPossible = width > 0 && height > 0 && width <= Int.max / 2 / height
    #expect(error == (isPossible ? .truncated : .impossibleSize(width: width, height: height)))
  }

  @Test("A difference of more than 16 bits is refused, in whole and in short blocks")
  func differences() {
    for split in 0...13 {
      for count in [32, 31] {
        for zeros in [65_535 >> split, 65_535 >> split + 1, 70_000] {
          // The first pixel's upper part has that many 0s. All else is 1.
          var bits = [Bool](repeating: false, count: 16)
          bits += (0..<4).map { (split + 1) >> (3 - $0) & 1 == 1 }
          bits += [Bool](repeating: false, count: zeros)
          bits += [Bool](repeating: true, count: (split + 1) * count)
          bits += [Bool](repeating: false, count: (8 - bits.count % 8) % 8)
          let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
          }
          let result = Result { () throws(UnpackingError) in
            try RicePacking.unpack(Data(bytes), width: count, height: 1)
          }
          switch result {
          case .success: #expect(zeros == 65_535 >> split)
          case .failure(let error):
            #expect(error == .impossibleDifference && zeros > 65_535 >> split)
          }
        }
      }
    }
  }

  /// Pixels, or an error: this is all that a reader of these bytes may come to.
  private func check(_ bytes: Data, count: Int, _ name: String) {
    do throws(UnpackingError) {
      let pixels = try RicePacking.unpack(bytes, width: count, height: 1)
      #expect(pixels.count == 2 * count, "\(name)")
    } catch {
      #expect(!error.description.isEmpty)
    }
  }

  @Test("Random bytes are pixels or an error", arguments: 0..<20)
  func randomBytes(part: Int) {
    for seed in part * 500..<(part + 1) * 500 {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...400, using: &random)
      let length = Int.random(in: 0...count * 2 + 8, using: &random)
      // Bytes with more 0s go deeper.
      let mask = UInt8.random(in: 0...255, using: &random)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) & mask }
      check(Data(bytes), count: count, "seed \(seed)")
    }
  }

  @Test("Packed pixels with changed bits are pixels or an error", arguments: 0..<20)
  func changedBits(part: Int) throws {
    for seed in part * 500..<(part + 1) * 500 {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 64...400, using: &random)
      let sigma = exp(Double.random(in: -2...8, using: &random))
      let pixels = random.noise(count: count, sigma: sigma)
      guard var packed = RicePacking.pack(Data(pixels: pixels)) else { continue }
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        packed[Int.random(in: 0..<packed.count, using: &random)] ^=
          1 << Int.random(in: 0..<8, using: &random)
      }
      check(packed, count: count, "seed \(seed)")
    }
  }
}
