import Foundation
import SkyDetection

/// The rectangle of an image that is in memory.
struct PixelBand {
  let rectangle: PixelRectangle
  let bytesPerPixel: Int

  /// Whether the rectangle contains a part of the image.
  func holds(_ part: PixelRectangle) -> Bool { rectangle.holds(part) }

  /// The pixels of a part of the image, which the rectangle must contain.
  func pixels(in part: PixelRectangle, of memory: PixelMemory) -> Data {
    var bytes = Data(capacity: part.width * part.height * bytesPerPixel)
    let stored = memory.bytes.bindMemory(to: UInt8.self)
    for row in part.y - rectangle.y..<part.y - rectangle.y + part.height {
      let start = (row * rectangle.width + part.x - rectangle.x) * bytesPerPixel
      let end = start + part.width * bytesPerPixel
      bytes.append(UnsafeBufferPointer(rebasing: stored[start..<end]))
    }
    return bytes
  }
}
