// What this file codes is frozen by the version of `SourceScan.kind`.

import Foundation
package import SkyDetection
import SkyFITS
package import SkyNetCore

/// A rectangle of an image, with its pixels.
package struct ImagePatch: Codable, Hashable, Sendable {
  package var rectangle: PixelRectangle
  /// The pixels, row by row, in the image's coding; none if the sector names a file that has them, or if the
  /// system keeps them.
  package var pixels: BulkBytes
  /// How the pixels are packed on their way; `nil` if they are not.
  package var packing: PixelPacking?
  /// The pixels' weights, in the weight map's coding; `nil` if there is no weight map.
  package var weights: BulkBytes?

  package init(_ rectangle: PixelRectangle, pixels: BulkBytes, weights: BulkBytes? = nil) {
    self.rectangle = rectangle
    self.pixels = pixels
    self.weights = weights
  }

  /// The number of pixels. The patch must be one that this process made: the rectangle of a
  /// received patch may be too large to multiply.
  var pixelCount: Int { rectangle.width * rectangle.height }

  /// - Throws: ``InvalidScan`` if the place, the size and the bytes do not fit together, or if the pixels are
  ///   packed.
  func check(_ settings: SourceScan.Settings) throws {
    guard packing == nil else { throw InvalidScan("\(rectangle) has packed pixels") }
    try checkPlace(settings)
    try check(pixels, settings.coding.format)
    guard (weights == nil) == (settings.weightCoding == nil) else {
      throw InvalidScan("\(rectangle) has weights although the image has none, or the reverse")
    }
    if let weights, let coding = settings.weightCoding { try check(weights, coding.format) }
  }

  /// - Throws: ``InvalidScan`` if the patch is too large, or not within the image.
  func checkPlace(_ settings: SourceScan.Settings) throws {
    let sides = 1...SectorGrid.maximumPatchSide
    guard sides.contains(rectangle.width), sides.contains(rectangle.height) else {
      throw InvalidScan(
        "\(rectangle); 1 to \(SectorGrid.maximumPatchSide) a side are allowed")
    }
    guard rectangle.isWithin(width: settings.grid.width, height: settings.grid.height) else {
      throw InvalidScan(
        "\(rectangle), in an image of \(settings.grid.width) × \(settings.grid.height)")
    }
  }

  private func check(_ pixels: BulkBytes, _ format: PixelCoding.Format) throws {
    let expected = rectangle.width * rectangle.height * format.bytesPerPixel
    guard pixels.bytes.count == expected else {
      throw InvalidScan(
        "\(rectangle) of \(format.rawValue) has \(pixels.bytes.count) bytes, must have \(expected)")
    }
  }

  /// The patch of a part of the rectangle, which must be within it. The patch must be checked.
  func part(_ part: PixelRectangle, _ settings: SourceScan.Settings) -> ImagePatch {
    ImagePatch(
      part, pixels: BulkBytes(cut(pixels.bytes, part, settings.coding.format)),
      weights: weights.flatMap { weights in
        settings.weightCoding.map { BulkBytes(cut(weights.bytes, part, $0.format)) }
      })
  }

  private func cut(
    _ bytes: Data, _ part: PixelRectangle, _ format: PixelCoding.Format
  ) -> Data {
    let size = format.bytesPerPixel
    var cut = Data(capacity: part.width * part.height * size)
    for row in part.rows {
      let start =
        bytes.startIndex
        + ((row - rectangle.y) * rectangle.width + part.x - rectangle.x) * size
      cut.append(bytes[start..<start + part.width * size])
    }
    return cut
  }

  /// The pixels' values. A pixel without weight has no value.
  func plane(_ settings: SourceScan.Settings) -> Plane {
    var plane = Plane(
      width: rectangle.width, height: rectangle.height,
      values: settings.coding.values(of: pixels.bytes))
    guard let weights, let coding = settings.weightCoding else { return plane }
    plane.weigh(by: coding.values(of: weights.bytes), as: settings.weighting)
    return plane
  }
}
