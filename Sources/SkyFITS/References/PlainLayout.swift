// What this file codes is frozen by the version of `SourceScan.kind`.

package import SkyDetection
package import SkyFiles

/// Where a file holds the pixels of an image that it stores as they are sent to systems, except for
/// the byte order.
package struct PlainLayout: Hashable, Sendable {
  /// The byte where the pixels begin.
  package let start: Int
  package let width: Int
  package let height: Int
  package let format: PixelCoding.Format

  /// The numbers may come from anywhere: see ``isWithin(size:)``.
  package init(start: Int, width: Int, height: Int, format: PixelCoding.Format) {
    (self.start, self.width, self.height) = (start, width, height)
    self.format = format
  }

  /// Whether all pixels are in a file of that many bytes. If not, no bytes and blocks may be asked for.
  package func isWithin(size: Int) -> Bool {
    let (row, isRowBeyond) = width.multipliedReportingOverflow(by: format.bytesPerPixel)
    let (bytes, isBeyond) = row.multipliedReportingOverflow(by: height)
    return !isRowBeyond && !isBeyond && width >= 0 && height >= 0
      && start >= 0 && start <= size && bytes <= size - start
  }

  /// The file's bytes with the pixels of the rectangle in one row.
  func bytes(ofRow row: Int, in rectangle: PixelRectangle) -> Range<Int> {
    let first = start + (row * width + rectangle.x) * format.bytesPerPixel
    return first..<first + rectangle.width * format.bytesPerPixel
  }
}

// MARK: Blocks

/// A file's blocks of 1024 bytes, numbered from its beginning; the last one may be shorter.
///
/// With larger blocks, a copy's blocks that hold the rows of a sector would have several times the
/// bytes of the sector. With smaller ones, their digests would.
package enum FileBlock {
  package static let size = 1024

  static func blocks(of bytes: Range<Int>) -> Range<Int> {
    // Not by a sum: the bytes may end at the greatest number.
    let (whole, rest) = bytes.upperBound.quotientAndRemainder(dividingBy: size)
    return bytes.lowerBound / size..<whole + (rest > 0 ? 1 : 0)
  }
}

extension PlainLayout {
  /// Rows whose pixels are in consecutive blocks, which are read together.
  struct Run: Equatable {
    var rows: Range<Int>
    var blocks: Range<Int>
  }

  /// No row is added to a run that has this many blocks.
  private static let blocksAtOnce = 256

  /// The runs that hold the rectangle's pixels. Neighbouring runs may share a block.
  func runs(of rectangle: PixelRectangle) -> [Run] {
    var runs: [Run] = []
    for row in rectangle.rows {
      let blocks = FileBlock.blocks(of: bytes(ofRow: row, in: rectangle))
      if let last = runs.last, last.blocks.count < Self.blocksAtOnce,
        blocks.lowerBound <= last.blocks.upperBound
      {
        runs[runs.count - 1].rows = last.rows.lowerBound..<row + 1
        runs[runs.count - 1].blocks = last.blocks.lowerBound..<blocks.upperBound
      } else {
        runs.append(Run(rows: row..<row + 1, blocks: blocks))
      }
    }
    return runs
  }

  /// The blocks that hold pixels of the rectangles, in the file's order, each once.
  package func blocks(of rectangles: [PixelRectangle]) -> [Range<Int>] {
    let ranges = rectangles.flatMap { runs(of: $0).map(\.blocks) }
      .sorted { $0.lowerBound < $1.lowerBound }
    return ranges.reduce(into: []) { merged, range in
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
  }

  /// Blocks that hold pixels of the rectangles, picked by numbers that the key and the seed give. A
  /// block may be picked more than once.
  package func randomBlocks(
    _ count: Int, of rectangles: [PixelRectangle], key: DigestKey, seed: [Int]
  ) -> [Int] {
    guard !rectangles.isEmpty else { return [] }
    return (0..<count).map { index in
      var number = key.number(for: seed + [index])
      func pick(below limit: Int) -> Int {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: UInt64(limit))
        number = quotient
        return Int(remainder)
      }
      let rectangle = rectangles[pick(below: rectangles.count)]
      let bytes = bytes(ofRow: rectangle.y + pick(below: rectangle.height), in: rectangle)
      return (bytes.lowerBound + pick(below: bytes.count)) / FileBlock.size
    }
  }
}
