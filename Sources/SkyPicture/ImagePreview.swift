package import Foundation
package import SkyDetection
import Synchronization

/// A small grey picture of an image, made of its pixels as they are read.
///
/// Its memory is at most 4 MiB, and 1 MiB for the last PNG, however large the image is.
package final class ImagePreview: Sendable {
  /// The picture's longest side, in pixels, at most.
  package static let maximumSide = 1024
  /// The version of a complete picture, and the version before the first pixel.
  package static let (wholeVersion, noVersion) = (10, 0)

  private struct State {
    /// The means of squares of pixels, row by row from the image's first row; NaN where none is known.
    var values: [Float]
    var known = 0
    var latest: (known: Int, png: Data)?
  }

  /// How many of the image's pixels, along each axis, a pixel of the picture stands for.
  package let scale: Int
  package let width: Int
  package let height: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - width: the image's width, in pixels.
  ///   - height: its height.
  package init(width: Int, height: Int) {
    scale = max(1, (max(width, height) + Self.maximumSide - 1) / Self.maximumSide)
    self.width = (width + scale - 1) / scale
    self.height = (height + scale - 1) / scale
    state = Mutex(
      State(values: [Float](repeating: .nan, count: self.width * self.height)))
  }

  /// A number that grows, at most ten times, when more of the picture is known.
  package var version: Int {
    state.withLock { $0.known * Self.wholeVersion / max(1, $0.values.count) }
  }

  /// Takes pixels, row by row; NaN where one has no value.
  package func add(_ rectangle: PixelRectangle, _ pixels: [Float]) {
    guard rectangle.width > 0, rectangle.height > 0,
      pixels.count == rectangle.width * rectangle.height
    else { return }
    let columns = rectangle.x / scale...(rectangle.x + rectangle.width - 1) / scale
    let rows = rectangle.y / scale...(rectangle.y + rectangle.height - 1) / scale
    guard columns.lowerBound >= 0, columns.upperBound < width, rows.lowerBound >= 0,
      rows.upperBound < height
    else { return }
    for row in rows {
      let means = columns.map { mean(column: $0, row: row, of: rectangle, pixels) }
      state.withLock { state in
        for (column, mean) in zip(columns, means) where !mean.isNaN {
          let place = row * width + column
          if state.values[place].isNaN { state.known += 1 }
          state.values[place] = mean
        }
      }
    }
  }

  /// The mean of the part of a square that is in the rectangle; NaN if no pixel there has a value.
  private func mean(
    column: Int, row: Int, of rectangle: PixelRectangle, _ pixels: [Float]
  ) -> Float {
    let xs = range(column, from: rectangle.x, count: rectangle.width)
    let ys = range(row, from: rectangle.y, count: rectangle.height)
    return pixels.withUnsafeBufferPointer { pixels in
      var (sum, count) = (Float(0), Float(0))
      for y in ys {
        for x in xs {
          let value = pixels[y * rectangle.width + x]
          if !value.isNaN { (sum, count) = (sum + value, count + 1) }
        }
      }
      return count > 0 ? sum / count : .nan
    }
  }

  /// The square's pixels along an axis, counted from the rectangle's first one.
  private func range(_ square: Int, from first: Int, count: Int) -> Range<Int> {
    max(0, square * scale - first)..<min(count, (square + 1) * scale - first)
  }

  /// The picture as a PNG of one byte a pixel, with the image's last row on top; `nil` if nothing of it is
  /// known. What is not known is black.
  ///
  /// - Throws: ``Picture/CodingError`` if libpng fails.
  package func png() throws -> Data? {
    let (values, known, latest) = state.withLock { ($0.values, $0.known, $0.latest) }
    if let latest, latest.known == known { return latest.png }
    guard known > 0 else { return nil }
    let stretch = Stretch(values)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count)
    for row in (0..<height).reversed() {
      for value in values[row * width..<(row + 1) * width] {
        bytes.append(value.isNaN ? 0 : UInt8((255 * stretch(value)).rounded()))
      }
    }
    let png = try PNG.data(of: bytes, width: width, height: height, isGray: true)
    state.withLock { $0.latest = (known, png) }
    return png
  }
}
