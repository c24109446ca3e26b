import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// The headers here contain impossible numbers.
@Suite("The sizes of data units")
struct DataUnitTests {
  @Test("An image ends with its last pixel, and its unit with the last block")
  func end() {
    #expect(DataUnit.size(axes: [100, 50], bitpix: -32) == 20_000)
    #expect(DataUnit.end(start: 2880, size: 20_000) == 22_880)
    #expect(DataUnit.filled(22_880) == 8 * 2880)
    #expect(DataUnit.filled(2 * 2880) == 2 * 2880)
    #expect(DataUnit.filled(0) == 0)
    #expect(DataUnit.size(heapStart: 800, heapSize: 3000) == 3800)
  }

  @Test(
    "An image larger than any file has no size",
    arguments: [
      ([-1, 5], 16), ([1 << 40, 1 << 40], 8), ([.max, 1], 16), ([2, .min], 8), ([2, 8], .min),
    ] as [([Int], Int)])
  func tooLarge(axes: [Int], bitpix: Int) {
    #expect(DataUnit.size(axes: axes, bitpix: bitpix) == nil)
  }

  @Test(
    "A unit that would end beyond any file has no end",
    arguments: [(-1, 10), (10, -1), (Int.max, 1), (1, .max), (.min, .min)])
  func noEnd(start: Int, size: Int) {
    #expect(DataUnit.end(start: start, size: size) == nil)
    #expect(DataUnit.filled(.max - 2000) == nil)
  }

  @Test(
    "A heap that would end beyond any file has no size",
    arguments: [(-1, 10), (10, -1), (Int.max, 1), (1, .max), (.min, .min)])
  func heap(start: Int, size: Int) {
    #expect(DataUnit.size(heapStart: start, heapSize: size) == nil)
  }
}
