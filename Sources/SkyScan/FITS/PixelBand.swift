import Foundation
import SkyNetCore

/// Whole rows of an image, as they were read.
struct PixelBand {
  /// Wider images are read sector by sector, so that this much memory is enough.
  static let maximumBytes = 64 << 20

  let rectangle: PixelRectangle
  let bytesPerPixel: Int
  let pixels: Pixels

  /// Whether all rows of a part of the image are in it.
  func holds(_ part: PixelRectangle) -> Bool {
    part.y >= rectangle.y && part.y + part.height <= rectangle.y + rectangle.height
  }

  /// The pixels of a part of the image, all of whose rows it must hold.
  func pixels(in part: PixelRectangle) -> Pixels {
    var bytes = Data(capacity: part.width * part.height * bytesPerPixel)
    for row in part.y - rectangle.y..<part.y - rectangle.y + part.height {
      let start = pixels.bytes.startIndex + (row * rectangle.width + part.x) * bytesPerPixel
      bytes.append(pixels.bytes[start..<start + part.width * bytesPerPixel])
    }
    return Pixels(bytes)
  }
}
