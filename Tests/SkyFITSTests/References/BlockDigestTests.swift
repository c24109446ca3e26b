import SkyDetection
import SkyTestSupport
import TestSupport
import Testing

@testable import SkyFITS

@Suite("Digests of blocks", .ownThreads)
struct BlockDigestTests {
  private let key = DigestKey(first: 0x0706_0504_0302_0100, second: 0x0f0e_0d0c_0b0a_0908)

  private func digest(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { key.digest(of: $0) } }

  @Test(
    "A digest is SipHash-2-4, as its authors' vectors have it",
    arguments: [
      (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (7, 0xab02_00f5_8b01_d137),
      (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5), (63, 0x958a_324c_eb06_4572),
    ] as [(Int, UInt64)])
  func vectors(count: Int, expected: UInt64) {
    #expect(digest((0..<count).map { UInt8($0) }) == expected)
  }

  @Test("One changed bit anywhere gives another digest, and so does another key")
  func differences() {
    let block = [UInt8](repeating: 7, count: FileBlock.size)
    let other = DigestKey(first: key.first, second: key.second ^ 1)
    #expect(block.withUnsafeBytes { other.digest(of: $0) } != digest(block))
    for place in stride(from: 0, to: block.count, by: 97) {
      var changed = block
      changed[place] ^= 0x10
      #expect(digest(changed) != digest(block))
    }
  }
}

@Suite("Blocks of a plain image's file", .ownThreads)
struct PlainLayoutTests {
  @Test("A rectangle's blocks are those with one of its bytes, each once")
  func blocks() {
    for (width, format) in [(100, PixelCoding.Format.uint8), (3000, .int16), (5000, .float32)] {
      let layout = PlainLayout(start: 5760, width: width, height: 300, format: format)
      let rectangles = [
        PixelRectangle(x: 10, y: 0, width: 40, height: 200),
        PixelRectangle(x: width - 20, y: 150, width: 20, height: 150),
        PixelRectangle(x: 0, y: 299, width: width, height: 1),
      ]
      var expected: Set<Int> = []
      for rectangle in rectangles {
        for row in rectangle.rows {
          let bytes = layout.bytes(ofRow: row, in: rectangle)
          expected.formUnion(bytes.lowerBound / 1024...(bytes.upperBound - 1) / 1024)
        }
      }
      let found = layout.blocks(of: rectangles).flatMap(Array.init)
      #expect(found == expected.sorted())
      let picked = layout.randomBlocks(50, of: rectangles, key: .random(), seed: [1, 2])
      #expect(picked.count == 50 && expected.isSuperset(of: picked))
      #expect(Set(picked).count > 5, "they are picked at random")
    }
  }

  @Test("Runs have all rows of a rectangle in order")
  func runs() {
    let layout = PlainLayout(start: 2880, width: 700, height: 400, format: .float32)
    let runs = layout.runs(of: PixelRectangle(x: 300, y: 50, width: 200, height: 300))
    #expect(runs.flatMap { Array($0.rows) } == Array(50..<350))
    #expect(runs.count > 1)
  }

  @Test(
    "A layout that is not within its file is told",
    arguments: [
      (2880, 2880 + 20_000, true), (2881, 2880 + 20_000, false), (-1, 1_000_000, false),
      (Int.max, Int.max, false), (Int.max - 20_000, Int.max, true), (0, 19_999, false),
    ])
  func isWithin(start: Int, size: Int, expected: Bool) {
    let layout = PlainLayout(start: start, width: 100, height: 100, format: .int16)
    #expect(layout.isWithin(size: size) == expected)
  }
}
