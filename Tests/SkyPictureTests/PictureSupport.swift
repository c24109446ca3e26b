import CPNG
import Foundation
import SkyDetection
import SkyFITS
import SkyTestSupport

@testable import SkyPicture

/// An open image of 32-bit floats.
func floatImage(_ folder: TemporaryFolder, width: Int, _ values: [Float]) async throws -> FITSImage
{
  let unit = FITSUnit(bitpix: -32, axes: [width, values.count / width], data: bigEndian(values))
  return try await FITSImage.open(try folder.write("image.fits", unit.bytes))
}

/// A source that has only a position and a shape.
func source(x: Double, y: Double, xx: Double, yy: Double, xy: Double = 0) -> Source {
  Source(
    component: PixelPlace(row: 0, column: 0), part: 0, x: x, y: y, xx: xx, yy: yy, xy: xy, flux: 1,
    variance: 1, isophotal: IsophotalMeasures(peak: 1, area: 5, isophotalArea: 5), xMin: 1,
    yMin: 1, xMax: 2, yMax: 2, flags: [], apertureFluxes: [])
}

/// Reads a PNG with libpng; `nil` if the data are not a PNG.
func decoded(_ data: Data) -> Canvas? {
  var image = png_image()
  image.version = png_uint_32(PNG_IMAGE_VERSION)
  defer { png_image_free(&image) }
  return data.withUnsafeBytes { bytes -> Canvas? in
    guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
      return nil
    }
    image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
    let (width, height) = (Int(image.width), Int(image.height))
    var pixels = [UInt8](repeating: 0, count: 3 * width * height)
    guard png_image_finish_read(&image, nil, &pixels, png_int_32(3 * width), nil) != 0 else {
      return nil
    }
    var canvas = Canvas(width: width, height: height, color: Color(0, 0, 0))
    for index in 0..<width * height {
      canvas[index % width, index / width] = Color(
        pixels[3 * index], pixels[3 * index + 1], pixels[3 * index + 2])
    }
    return canvas
  }
}

extension Canvas {
  /// The set of colours in a part of the canvas.
  func colors(x columns: Range<Int>, y rows: Range<Int>) -> Set<Color> {
    Set(rows.flatMap { row in columns.map { self[$0, row] } })
  }
}
