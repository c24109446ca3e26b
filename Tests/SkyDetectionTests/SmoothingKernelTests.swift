import Testing

@testable import SkyDetection

@Suite("Smoothing kernels")
struct SmoothingKernelTests {
  @Test("A kernel's size has limits")
  func sizes() throws {
    func check(_ width: Int, _ height: Int, count: Int) throws {
      let weights = [Float](repeating: 1, count: count)
      try SmoothingKernel(width: width, height: height, weights: weights).check()
    }
    try check(31, 31, count: 961)
    for (width, height) in [(33, 1), (1, 33), (0, 1), (-1, -1), (4, 3)] {
      #expect(throws: InvalidScan.self) { try check(width, height, count: max(0, width * height)) }
    }
    #expect(throws: InvalidScan("8 weights for a smoothing kernel of 3 × 3; 9 are needed")) {
      try check(3, 3, count: 8)
    }
  }
}
