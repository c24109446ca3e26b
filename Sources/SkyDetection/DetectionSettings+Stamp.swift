// What this file codes is frozen by the version of `SourceScan.kind`.

extension DetectionSettings {
  /// The size of the stamps that a catalogue has of its sources (VIGNET): rectangles of the image about the sources'
  /// centres, without other sources' pixels.
  public struct Stamp: Codable, Hashable, Sendable {
    /// In pixels, from 1 to ``mostSide``.
    public var width: Int
    public var height: Int

    /// The longest side, in pixels. A source's message has a bit for each pixel of its stamp.
    public static let mostSide = 512

    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    package var pixelCount: Int { width * height }

    /// The number of bytes that have a bit for each pixel.
    package var maskBytes: Int { (pixelCount + 7) / 8 }

    /// The pixels of a source's stamp. Columns and rows count from 0, and may be outside of the image.
    package func box(of source: Source) -> PixelBox {
      func range(_ center: Double, _ count: Int) -> Range<Int> {
        // As in SExtractor. A source's centre is in the image, so the number fits.
        let first = Int(center - 1 + 0.49999) - count / 2
        return first..<first + count
      }
      return PixelBox(columns: range(source.x, width), rows: range(source.y, height))
    }

    /// How far a stamp extends beyond the component of its source, in pixels: half of its side, and a few pixels for a
    /// centre at the component's edge.
    package var reach: Int { max(width, height) / 2 + 5 }

    /// - Throws: ``InvalidScan`` if a side is out of its range.
    package func check() throws {
      let sides = 1...Self.mostSide
      guard sides.contains(width), sides.contains(height) else {
        throw InvalidScan(
          "VIGNET(\(width),\(height)): 1 to \(Self.mostSide) pixels a side are allowed")
      }
    }
  }

  /// Whether sources have measures whose pixels may be farther away than the margin.
  package var measuresBeyondMargin: Bool { measuresByShape || stamp != nil }
}

extension Source {
  /// Which pixels of a source's stamp belong to other sources.
  public struct StampMask: Codable, Hashable, Sendable {
    /// A bit for each pixel, row by row; the lowest bit of a byte is that of its first pixel.
    package var bits: [UInt8]

    package init(bits: [UInt8]) { self.bits = bits }

    package init(_ stamp: DetectionSettings.Stamp) {
      bits = [UInt8](repeating: 0, count: stamp.maskBytes)
    }

    /// Whether the pixel with an index belongs to another source.
    package subscript(index: Int) -> Bool { bits[index / 8] >> (index % 8) & 1 == 1 }

    mutating func insert(_ index: Int) { bits[index / 8] |= 1 << UInt8(index % 8) }

    /// Whether the bits can be those of a stamp.
    package func isSound(_ stamp: DetectionSettings.Stamp) -> Bool {
      bits.count == stamp.maskBytes
        && (stamp.pixelCount..<8 * bits.count).allSatisfy { !self[$0] }
    }
  }
}
