public import SkyNetCore

/// A rectangle of an image, with its pixels.
public struct SourceSector: Codable, Hashable, Sendable {
  /// The longest side of a sector, in pixels. With it a scan takes less than 256 MiB, and looks
  /// often enough whether it is cancelled: turning the bytes into values is not interrupted.
  public static let maximumSide = 4096

  /// The sector's number, from 0.
  public var number: Int
  /// The column and row of its first pixel in the image, from 0.
  public var x: Int
  public var y: Int
  /// Its size in pixels.
  public var width: Int
  public var height: Int
  public var coding: PixelCoding
  /// Its pixels, row by row, in that coding.
  public var pixels: Pixels

  public init(number: Int, rectangle: PixelRectangle, coding: PixelCoding, pixels: Pixels) {
    self.number = number
    x = rectangle.x
    y = rectangle.y
    width = rectangle.width
    height = rectangle.height
    self.coding = coding
    self.pixels = pixels
  }

  /// - Throws: ``InvalidScan`` if its place, its size and its bytes do not fit together.
  func check() throws {
    let sides = 1...Self.maximumSide
    guard sides.contains(width), sides.contains(height) else {
      throw InvalidScan(
        "a sector of \(width) × \(height) pixels; 1 to \(Self.maximumSide) a side is allowed")
    }
    let origins = 0..<FITSImage.maximumSide
    guard origins.contains(x), origins.contains(y) else {
      throw InvalidScan(
        "a sector at column \(x), row \(y); 0 to \(FITSImage.maximumSide - 1) is allowed")
    }
    let expected = width * height * coding.format.bytesPerPixel
    guard pixels.bytes.count == expected else {
      throw InvalidScan(
        "a sector of \(width) × \(height) \(coding.format.rawValue) pixels has "
          + "\(pixels.bytes.count) bytes, must have \(expected)")
    }
  }
}
