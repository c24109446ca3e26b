import SkyDetection
import SkyFiles
import SkyTestSupport
import Testing

@testable import SkyFITS

@Suite("Blocks of a plain image's file")
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

  @Test("Pixels beyond the greatest number are in no file, and its block is the last one")
  func greatest() {
    func isWithin(start: Int = 0, width: Int = 1, height: Int = 1, size: Int) -> Bool {
      PlainLayout(start: start, width: width, height: height, format: .float32).isWithin(size: size)
    }
    #expect(isWithin(start: .max - 4, size: .max))
    #expect(!isWithin(start: .max - 3, size: .max))
    #expect(!isWithin(width: .max, size: .max))
    #expect(!isWithin(width: .max / 4, height: 2, size: .max))
    #expect(!isWithin(width: -1, height: 1, size: 10))
    #expect(!isWithin(start: .min, size: .min))
    let last = Int.max / 1024
    #expect(FileBlock.blocks(of: Int.max - 4..<Int.max) == last..<last + 1)
    #expect(FileBlock.blocks(of: 1024..<2048) == 1..<2)
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
