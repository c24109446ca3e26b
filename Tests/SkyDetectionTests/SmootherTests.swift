import SkyNetCore
import Testing

@testable import SkyDetection

@Suite("Smoothing")
struct SmootherTests {
  private func smooth(_ plane: Plane, _ kernel: SmoothingKernel = .usual) -> [[Float]] {
    var smoother = Smoother(plane, kernel: kernel)
    var row = [Float](repeating: -1, count: plane.width)
    return (0..<plane.height).map { number in
      smoother.smooth(row: number, into: &row)
      return row
    }
  }

  private func noise(width: Int, height: Int) -> Plane {
    var random = SplitMix64(seed: 11)
    let values = (0..<width * height).map { _ in
      random.next() % 10 == 0 ? Float.nan : Float.random(in: -100...100, using: &random)
    }
    return Plane(width: width, height: height, values: values)
  }

  /// The default kernel with a ring of zeros, which the general method smooths with.
  private let ringed = SmoothingKernel(
    width: 5, height: 5,
    weights: [
      0, 0, 0, 0, 0,
      0, 1, 2, 1, 0,
      0, 2, 4, 2, 0,
      0, 1, 2, 1, 0,
      0, 0, 0, 0, 0,
    ], isNormalised: true)

  @Test("The fast and the general method agree")
  func methods() {
    for (width, height) in [(37, 23), (1, 5), (5, 1), (2, 2)] {
      let plane = noise(width: width, height: height)
      let (usual, general) = (smooth(plane).joined(), smooth(plane, ringed).joined())
      for (usual, general) in zip(usual, general) {
        #expect(abs(usual - general) < 1e-4)
      }
    }
  }

  /// The expected values are those of source-extractor 2.25's filtered image, for this kernel and
  /// one bright pixel. The last weight is that of the first pixel.
  @Test("A kernel is laid on the image without turning it about")
  func orientation() {
    let kernel = SmoothingKernel(width: 3, height: 3, weights: [1, 2, 3, 4, 5, 6, 7, 8, -10])
    var plane = Plane(width: 5, height: 5, values: [Float](repeating: 0, count: 25))
    plane.values[12] = 1000
    let filtered: [[Float]] = [
      [0, 0, 0, 0, 0],
      [0, -10000, 8000, 7000, 0],
      [0, 6000, 5000, 4000, 0],
      [0, 3000, 2000, 1000, 0],
      [0, 0, 0, 0, 0],
    ]
    #expect(smooth(plane, kernel) == filtered)
  }

  @Test("Any kernel counts pixels outside of the plane and without a value as zero")
  func outsideAndBlank() {
    let row = SmoothingKernel(width: 3, height: 1, weights: [1, 10, 100])
    let three = Plane(width: 3, height: 1, values: [1, .nan, 2])
    #expect(smooth(three, row) == [[10, 201, 20]])
    let column = SmoothingKernel(width: 1, height: 5, weights: [1, 10, 100, 1000, 10000])
    let upright = Plane(width: 1, height: 3, values: [1, 2, 3])
    #expect(smooth(upright, column) == [[32100], [3210], [321]])
    let wide = SmoothingKernel(width: 31, height: 31, weights: [Float](repeating: 1, count: 961))
    let small = Plane(width: 2, height: 2, values: [1, 2, 4, 8])
    #expect(smooth(small, wide) == [[15, 15], [15, 15]])
    #expect(smooth(Plane(width: 2, height: 1, values: [7, .nan]), .none) == [[7, 0]])
  }

  @Test("An infinite pixel affects only pixels with a weight for it")
  func infinitePixel() {
    var plane = Plane(width: 5, height: 1, values: [1, 1, 1, 1, 1])
    plane.values[4] = .infinity
    let smoothed = smooth(plane, SmoothingKernel(width: 3, height: 1, weights: [1, 1, 0]))
    #expect(smoothed == [[1, 2, 2, 2, .infinity]])
  }

  /// A patch that has all pixels under the kernel has the same bits as the image.
  @Test("A patch is smoothed like the whole image")
  func patch() {
    var random = SplitMix64(seed: 5)
    let weights = (0..<35).map { _ in Float.random(in: -1...1, using: &random) }
    let kernel = SmoothingKernel(width: 7, height: 5, weights: weights, isNormalised: true)
    let image = noise(width: 60, height: 40)
    let (columns, rows) = (13..<44, 9..<31)
    let patch = Plane(
      width: columns.count, height: rows.count,
      values: rows.flatMap { row in columns.map { image.values[row * image.width + $0] } })
    let (whole, part) = (smooth(image, kernel), smooth(patch, kernel))
    for row in rows.dropFirst(kernel.reach).dropLast(kernel.reach) {
      for column in columns.dropFirst(kernel.reach).dropLast(kernel.reach) {
        let (one, other) = (whole[row][column], part[row - 9][column - 13])
        #expect(one.bitPattern == other.bitPattern)
      }
    }
  }
}
