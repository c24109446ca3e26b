import Foundation
import SkyDetection
import SkyFITS
import SkyNetCore

/// The pixels of the sources' stamps. Systems tell which of them belong to other sources; their values take more room
/// than a message has, and this process has the image.
extension ImageJob {
  /// The most pixels that are read at a time, unless a stamp's rows have more.
  private static let bandPixels = 1 << 22
  /// The most pixels of all stamps: they are in memory until the catalogue is written.
  private static let mostPixels = 1 << 30

  /// The values over the background of the pixels in sources' stamps, row by row and source by source. A pixel that
  /// belongs to another source, has no value, or is outside of the image is NaN.
  ///
  /// - Throws: `FITSError` if the image or its weights cannot be read; `InvalidScan` if the stamps are too many;
  ///   `CancellationError` if the task is cancelled.
  func stampPixels(of sources: [Source]) async throws -> [Float] {
    guard let stamp = settings.stamp, let background else { return [] }
    guard sources.count * stamp.pixelCount <= Self.mostPixels else {
      throw InvalidScan(
        "VIGNET(\(stamp.width),\(stamp.height)) of \(sources.count) sources has more than "
          + "\(Self.mostPixels) pixels; ask for a smaller one")
    }
    var pixels = [Float](repeating: .nan, count: sources.count * stamp.pixelCount)
    let boxes = sources.map(stamp.box)
    var rest = sources.indices.sorted { boxes[$0].rows.lowerBound < boxes[$1].rows.lowerBound }[...]
    while let first = rest.first {
      let start = boxes[first].rows.lowerBound
      let end = start + max(stamp.height, Self.bandPixels / image.width)
      let inside = rest.prefix { boxes[$0].rows.upperBound <= end }
      rest = rest.dropFirst(inside.count)
      let rows = (start..<end).clamped(to: 0..<image.height)
      guard !rows.isEmpty else { continue }
      let band = PixelRectangle(x: 0, y: rows.lowerBound, width: image.width, height: rows.count)
      let values = try await shownValues(in: band, over: background)
      for source in inside {
        let mask = sources[source].stampMask
        let (box, place) = (boxes[source], source * stamp.pixelCount)
        for row in box.rows.clamped(to: rows) {
          for column in box.columns.clamped(to: 0..<image.width) {
            let index =
              (row - box.rows.lowerBound) * stamp.width + column - box.columns.lowerBound
            if mask?[index] == true { continue }
            pixels[place + index] = values[(row - band.y) * band.width + column]
          }
        }
      }
    }
    return pixels
  }

  /// The values of some rows over the background, with those that interpolation gives pixels of weight 0. As in
  /// SExtractor, such a pixel shows its own value if it gets none.
  private func shownValues(
    in band: PixelRectangle, over background: Background
  ) async throws -> [Float] {
    // What interpolation gives a pixel depends on pixels as far away as that.
    let margin = settings.detection.interpolates ? settings.detection.reach : 0
    let read = settings.grid.grown(band, by: margin)
    let pixels = BulkBytes(try await image.pixels(in: read))
    var values = try values(
      ImagePatch(read, pixels: pixels), over: background, interpolates: false)
    if let weights, settings.detection.interpolates {
      let weighted = ImagePatch(
        read, pixels: pixels, weights: BulkBytes(try await weights.pixels(in: read)))
      let filled = try self.values(weighted, over: background, interpolates: true)
      for (index, value) in filled.enumerated() where !value.isNaN { values[index] = value }
    }
    let start = (band.y - read.y) * read.width
    return Array(values[start..<start + band.width * band.height])
  }

  private func values(
    _ patch: ImagePatch, over background: Background, interpolates: Bool
  ) throws -> [Float] {
    var detection = settings.detection
    detection.interpolates = interpolates
    var plane = patch.plane(settings)
    try plane.flatten(
      over: background.patch(of: patch.rectangle), at: patch.rectangle, detection)
    return plane.values
  }
}
