import SkyDetection
import SkyFITS

/// An image's values, averaged over squares of pixels.
struct AveragedPixels {
  /// The number of pixels that are read at a time, but at least a row: 4 MB of values.
  static let pixelsPerBand = 1 << 20

  let width: Int
  /// The averages, row by row, beginning with the image's first row; NaN where no pixel of a square
  /// has a value.
  private(set) var values: [Float] = []

  var hasBlanks: Bool { values.contains(where: \.isNaN) }

  /// Reads the image in bands of rows.
  ///
  /// - Parameter side: the side of a square, in pixels. Squares at the far borders may be smaller.
  /// - Throws: ``FITSError`` if the image cannot be read; `CancellationError` if the task is
  ///   cancelled.
  init(of image: FITSImage, side: Int) async throws {
    width = (image.width + side - 1) / side
    values.reserveCapacity(width * ((image.height + side - 1) / side))
    var sums = RowSums(width: width, side: side)
    let rowsPerBand = max(1, Self.pixelsPerBand / image.width)
    for first in stride(from: 0, to: image.height, by: rowsPerBand) {
      try Task.checkCancellation()
      let rows = first..<min(first + rowsPerBand, image.height)
      let band = try await image.values(
        in: PixelRectangle(x: 0, y: first, width: image.width, height: rows.count))
      guard side > 1 else {
        values += band
        continue
      }
      for row in rows {
        let start = (row - first) * image.width
        sums.add(band[start..<start + image.width])
        if (row + 1).isMultiple(of: side) || row == image.height - 1 { values += sums.take() }
      }
    }
  }
}

/// The sums of a row of squares, over the rows of pixels that were added so far.
private struct RowSums {
  private let side: Int
  private var sums: [Double]
  private var counts: [Int32]

  init(width: Int, side: Int) {
    self.side = side
    sums = [Double](repeating: 0, count: width)
    counts = [Int32](repeating: 0, count: width)
  }

  mutating func add(_ row: ArraySlice<Float>) {
    var (square, next) = (0, side)
    for (x, value) in row.enumerated() {
      if x == next { (square, next) = (square + 1, next + side) }
      guard !value.isNaN else { continue }
      sums[square] += Double(value)
      counts[square] += 1
    }
  }

  /// Returns the means, and resets the sums.
  mutating func take() -> [Float] {
    // 0/0 is NaN, which stands for no value.
    let means = sums.indices.map { Float(sums[$0] / Double(counts[$0])) }
    for index in sums.indices { (sums[index], counts[index]) = (0, 0) }
    return means
  }
}
