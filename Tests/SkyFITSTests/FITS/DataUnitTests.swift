import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// A header can say any number.
@Suite struct DataUnitTests {
  @Test func anImageEndsWithItsLastBlock() {
    #expect(DataUnit.size(axes: [100, 50], bitpix: -32) == 20_000)
    #expect(DataUnit.end(start: 2880, size: 20_000) == 8 * 2880)
    #expect(DataUnit.end(start: 2880, size: 2880) == 2 * 2880)
    #expect(DataUnit.end(start: 0, size: 0) == 0)
    #expect(DataUnit.size(heapStart: 800, heapSize: 3000) == 3800)
  }

  @Test(
    arguments: [
      ([-1, 5], 16), ([1 << 40, 1 << 40], 8), ([.max, 1], 16), ([2, .min], 8), ([2, 8], .min),
    ] as [([Int], Int)])
  func anImageThatIsLargerThanAnyFileHasNoSize(axes: [Int], bitpix: Int) {
    #expect(DataUnit.size(axes: axes, bitpix: bitpix) == nil)
  }

  @Test(
    arguments: [(-1, 10), (10, -1), (Int.max, 1), (1, .max), (.min, .min), (.max - 2000, 0)])
  func whatEndsBeyondAnyFileHasNoEnd(start: Int, size: Int) {
    #expect(DataUnit.end(start: start, size: size) == nil)
  }

  @Test(arguments: [(-1, 10), (10, -1), (Int.max, 1), (1, .max), (.min, .min)])
  func aHeapThatEndsBeyondAnyFileHasNoSize(start: Int, size: Int) {
    #expect(DataUnit.size(heapStart: start, heapSize: size) == nil)
  }
}
