import Foundation
import SkyDetection

/// The pixels of an image that lie in its file as they travel, but for the order of their bytes. No
/// library is needed to read them, so the process that wants them does so itself: from a reader process
/// they would come through memory that the two share, of which the system finds each page twice.
///
/// Where they are, the file's reader has said. That is believed only as far as the file reaches; any
/// bytes are pixels.
struct PlainPixels {
  let file: InputFile
  let layout: FITSLayout
  /// The byte of the file where they begin.
  let start: Int

  /// - Returns: `nil` if they are compressed, or are converted when they are read, or if the file is not
  ///   so long.
  init?(_ layout: FITSLayout, of file: InputFile) {
    let size = layout.width * layout.height * layout.coding.format.bytesPerPixel
    guard let start = layout.plainStart, layout.isStoredAsItTravels, start + size <= file.size
    else {
      return nil
    }
    (self.file, self.layout, self.start) = (file, layout, start)
  }

  /// Reads the pixels of a rectangle to the beginning of memory that holds them, row by row,
  /// little-endian.
  ///
  /// - Throws: ``FITSError`` if the file cannot be read, or has become shorter.
  func read(_ rectangle: PixelRectangle, to memory: UnsafeMutableRawBufferPointer) throws {
    let bytesPerPixel = layout.coding.format.bytesPerPixel
    // Whole rows lie one after the other.
    let isWhole = rectangle.width == layout.width
    let rows = isWhole ? 1 : rectangle.height
    let size = rectangle.width * bytesPerPixel * (isWhole ? rectangle.height : 1)
    for row in 0..<rows {
      let pixel = (rectangle.y + row) * layout.width + rectangle.x
      try file.read(
        UnsafeMutableRawBufferPointer(rebasing: memory[row * size..<(row + 1) * size]),
        at: start + pixel * bytesPerPixel)
    }
    makeLittleEndian(UnsafeMutableRawBufferPointer(rebasing: memory[..<(rows * size)]))
  }

  private func makeLittleEndian(_ bytes: UnsafeMutableRawBufferPointer) {
    switch layout.coding.format {
    case .uint8: break
    case .int16:
      for index in bytes.bindMemory(to: UInt16.self).indices {
        let stored = bytes.load(fromByteOffset: 2 * index, as: UInt16.self)
        bytes.storeBytes(
          of: UInt16(bigEndian: stored).littleEndian, toByteOffset: 2 * index, as: UInt16.self)
      }
    case .float32:
      for index in bytes.bindMemory(to: UInt32.self).indices {
        let stored = bytes.load(fromByteOffset: 4 * index, as: UInt32.self)
        bytes.storeBytes(
          of: Self.number(UInt32(bigEndian: stored)).littleEndian, toByteOffset: 4 * index,
          as: UInt32.self)
      }
    }
  }

  /// A float's bits as CFITSIO gives them, so that an image has the same values compressed or not: what
  /// is not finite is one NaN, and what is nearer to 0 than the normal numbers is 0.
  private static func number(_ bits: UInt32) -> UInt32 {
    let exponent = bits & 0x7f80_0000
    if exponent == 0x7f80_0000 { return Float.nan.bitPattern }
    return exponent == 0 ? 0 : bits
  }
}

extension FITSLayout {
  /// Whether the numbers of an image that is not compressed are those that travel.
  fileprivate var isStoredAsItTravels: Bool {
    switch coding.format {
    case .uint8: bitpix == 8
    case .int16: bitpix == 16
    case .float32: bitpix == -32
    }
  }
}
