import SkyDetection
import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyPicture

@Suite("The picture's scale")
struct PictureScaleTests {
  @Test(
    "Binning and enlargement are integers",
    arguments: [
      (4096, 4096, 1, 1), (4097, 10, 2, 1), (8192, 1, 2, 1), (1 << 20, 1 << 20, 256, 1),
      (1024, 1024, 1, 1), (513, 513, 1, 1), (512, 300, 1, 2), (1, 1, 1, 1024),
    ])
  func factors(width: Int, height: Int, binning: Int, enlargement: Int) {
    let scale = PictureScale(width: width, height: height, maximumSide: 4096)
    #expect(scale.binning == binning && scale.enlargement == enlargement)
    #expect(scale.width <= 4096 && scale.height <= 4096)
    #expect(scale.width * binning >= width * enlargement)
    // Every pixel of the picture shows a pixel of the image.
    #expect(scale.column(0) == 0 && scale.row(scale.height - 1) == 0)
    #expect(scale.column(scale.width - 1) < width && scale.row(0) < height)
  }

  @Test("A point's place in the picture is in its pixel")
  func places() {
    let larger = PictureScale(width: 256, height: 100, maximumSide: 4096)
    #expect(larger.enlargement == 4)
    // The middle of the first pixel, which is 4 pixels wide at the lower left.
    #expect(larger.place(x: 1, y: 1) == (2, 398))
    let smaller = PictureScale(width: 10, height: 9, maximumSide: 5)
    // The corner between four squares, in a picture of 5 × 5 pixels.
    #expect(smaller.place(x: 2.5, y: 2.5) == (1, 4))
    #expect(smaller.column(1) == 2 && smaller.row(3) == 2)
  }

  @Test("Squares of pixels are averaged without their missing values")
  func averages() async throws {
    let folder = try TemporaryFolder()
    let image = try await floatImage(
      folder, width: 5, [1, 3, 5, 7, 9, 1, 3, .nan, 7, .nan, 2, 4, 8, 6, .nan])
    let averaged = try await AveragedPixels(of: image, side: 2)
    #expect(averaged.width == 3 && averaged.values.count == 6)
    #expect(averaged.values.prefix(5) == [2, 19.0 / 3, 9, 3, 7])
    #expect(averaged.values[5].isNaN && averaged.hasBlanks)
  }
}
