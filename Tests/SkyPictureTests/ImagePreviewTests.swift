import Foundation
import SkyDetection
import Testing

@testable import SkyPicture

@Suite("Previews of images")
struct ImagePreviewTests {
  private func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRectangle {
    PixelRectangle(x: x, y: y, width: width, height: height)
  }

  /// The pixels of a grey PNG, from the upper left one.
  private func grayPixels(of png: Data) throws -> [UInt8] {
    // Bit depth and colour type (PNG, section 11.2.1).
    #expect(Array(png[24..<26]) == [8, 0])
    let canvas = try #require(decoded(png))
    return stride(from: 0, to: canvas.bytes.count, by: 3).map { canvas.bytes[$0] }
  }

  @Test("A large image is made smaller, and a small one is not")
  func size() {
    let large = ImagePreview(width: 3000, height: 500)
    #expect(large.scale == 3 && large.width == 1000 && large.height == 167)
    let small = ImagePreview(width: 1024, height: 7)
    #expect(small.scale == 1 && small.width == 1024 && small.height == 7)
  }

  @Test("Pixels are shown where they are, with the last row on top, at ten versions at most")
  func place() throws {
    let preview = ImagePreview(width: 2, height: 10)
    #expect(preview.version == 0)
    #expect(try preview.png() == nil)
    preview.add(rectangle(0, 0, 2, 1), [0, 1000])
    #expect(preview.version == 1)
    preview.add(rectangle(0, 1, 2, 9), [Float](repeating: 0, count: 18))
    #expect(preview.version == 10)
    let gray = try grayPixels(of: try #require(try preview.png()))
    #expect(gray.count == 20 && gray[19] == 255 && gray.count { $0 > 0 } == 1)
  }

  @Test("A pixel of the preview is the mean of its square, also where sectors meet in it")
  func means() throws {
    // A side of 2048 makes squares of two by two.
    let preview = ImagePreview(width: 2048, height: 2)
    preview.add(rectangle(0, 0, 3, 2), [0, 0, .nan, 0, 0, .nan])
    preview.add(rectangle(3, 0, 2045, 2), [Float](repeating: 100, count: 2 * 2045))
    let gray = try grayPixels(of: try #require(try preview.png()))
    #expect(gray.count == 1024 && gray[0] == 0)
    #expect(gray[1] == 255 && gray[1023] == 255)
  }

  @Test("What is not within the image, or not all there, is left out")
  func wrongRectangles() throws {
    let preview = ImagePreview(width: 10, height: 10)
    preview.add(rectangle(8, 8, 4, 4), [Float](repeating: 1, count: 16))
    preview.add(rectangle(0, 0, 4, 4), [1, 2, 3])
    preview.add(rectangle(0, 0, 0, 0), [])
    preview.add(rectangle(0, 0, 10, 10), [Float](repeating: .nan, count: 100))
    #expect(preview.version == 0)
    #expect(try preview.png() == nil)
  }

  @Test("The same pixels have the same picture, which is made once")
  func repetition() throws {
    let preview = ImagePreview(width: 64, height: 64)
    preview.add(rectangle(0, 0, 64, 64), (0..<4096).map { Float($0 % 97) })
    let first = try preview.png()
    preview.add(rectangle(0, 0, 32, 32), (0..<1024).map { Float(($0 / 32 * 64 + $0 % 32) % 97) })
    #expect(try preview.png() == first)
  }
}
