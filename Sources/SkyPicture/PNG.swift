import CPNG
import Foundation

extension Canvas {
  /// The canvas as a PNG.
  ///
  /// - Throws: ``Picture/CodingError`` if libpng fails.
  func png() throws -> Data { try PNG.data(of: bytes, width: width, height: height, isGray: false) }
}

enum PNG {
  /// A PNG, made with libpng's simplified API (libpng manual 1.6, section IV).
  ///
  /// - Parameters:
  ///   - bytes: the pixels from the upper left one, row by row: red, green and blue, or only one byte if
  ///     `isGray`.
  /// - Throws: ``Picture/CodingError`` if libpng fails.
  static func data(of bytes: [UInt8], width: Int, height: Int, isGray: Bool) throws -> Data {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(width)
    image.height = png_uint_32(height)
    // Without the flag for colour, a pixel is a byte.
    image.format = isGray ? 0 : png_uint_32(PNG_FORMAT_FLAG_COLOR)
    // PNG's filters help with smooth pictures. Without them, noise takes half the bytes and half
    // the time.
    image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
    defer { png_image_free(&image) }
    // The size is a bound for libpng's PNG_IMAGE_PNG_SIZE_MAX, a macro that Swift does not import.
    // With it, the picture is not compressed twice, first for its size only. Memory that is not
    // touched costs nothing.
    let raw = bytes.count + height
    var size = png_alloc_size_t(raw + raw / 4 + 4096)
    var data = Data(count: Int(size))
    let written = data.withUnsafeMutableBytes { memory in
      bytes.withUnsafeBytes { pixels in
        png_image_write_to_memory(
          &image, memory.baseAddress, &size, 0, pixels.baseAddress,
          png_int_32(isGray ? width : 3 * width), nil)
      }
    }
    guard written != 0 else {
      let message = withUnsafeBytes(of: image.message) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw Picture.CodingError(
        fault: "a picture of \(width) × \(height) pixels cannot be coded (libpng: \(message))",
        nextStep: "see whether this system has memory enough, or do without the picture")
    }
    return data.prefix(Int(size))
  }
}
