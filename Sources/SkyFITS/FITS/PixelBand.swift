import Foundation
import SkyDetection

/// The rectangle of an image that is in memory.
struct PixelBand {
  let rectangle: PixelRectangle
  let bytesPerPixel: Int

  /// Whether the rectangle contains a part of the image.
  func holds(_ part: PixelRectangle) -> Bool { rectangle.holds(part) }

  /// The pixels of a part of the image, which the rectangle must contain.
  ///
  /// They are copied once: data that grows by each row took a fifth of a large image's processor time.
  func pixels(in part: PixelRectangle, of memory: PixelMemory) -> Data {
    let rowBytes = part.width * bytesPerPixel
    let count = part.height * rowBytes
    guard count > 0, let stored = memory.bytes.baseAddress else { return Data() }
    let room = PixelRoom(byteCount: count)
    guard let start = room.bytes.baseAddress else { return Data() }
    for row in 0..<part.height {
      let place = (part.y + row - rectangle.y) * rectangle.width + part.x - rectangle.x
      (start + row * rowBytes).copyMemory(
        from: stored + place * bytesPerPixel, byteCount: rowBytes)
    }
    return room.take()
  }
}
