import Foundation
import SkyDetection

/// Reads the pixels of an image whose file stores them as they are sent to systems, except for the
/// byte order. That needs no library, so the engaging process reads them itself. From a reader
/// process, they would come through shared memory, whose every page the system would have to map
/// twice.
///
/// The file's reader has reported where the pixels begin. That place is trusted only within the
/// file's length, where any bytes are valid pixels.
struct PlainPixels {
  let file: InputFile
  let layout: PlainLayout

  /// - Parameter layout: a layout within the file.
  init(_ layout: PlainLayout, of file: InputFile) {
    (self.file, self.layout) = (file, layout)
  }

  /// - Returns: `nil` if the pixels are compressed or are converted when they are read, or if the
  ///   file is too short.
  init?(_ layout: FITSLayout, of file: InputFile) {
    guard let plain = layout.plain, plain.isWithin(size: file.size) else { return nil }
    self.init(plain, of: file)
  }

  /// Reads the pixels of a rectangle to the beginning of the memory, row by row, little-endian.
  ///
  /// - Throws: ``FITSError`` if the file cannot be read, or has become shorter.
  func read(_ rectangle: PixelRectangle, to memory: UnsafeMutableRawBufferPointer) throws {
    let bytesPerPixel = layout.format.bytesPerPixel
    // Whole rows are adjacent in the file.
    let isWhole = rectangle.width == layout.width
    let rows = isWhole ? 1 : rectangle.height
    let size = rectangle.width * bytesPerPixel * (isWhole ? rectangle.height : 1)
    for row in 0..<rows {
      try file.read(
        UnsafeMutableRawBufferPointer(rebasing: memory[row * size..<(row + 1) * size]),
        at: layout.bytes(ofRow: rectangle.y + row, in: rectangle).lowerBound)
    }
    layout.format.makeLittleEndian(
      UnsafeMutableRawBufferPointer(rebasing: memory[..<(rows * size)]))
  }
}

extension PixelCoding.Format {
  /// Turns numbers as a FITS file stores them into those that travel.
  func makeLittleEndian(_ bytes: UnsafeMutableRawBufferPointer) {
    switch self {
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

  /// The bits of a float as CFITSIO returns them, so that an image has the same values compressed
  /// or not: every number that is not finite becomes one NaN, and every number closer to 0 than the
  /// normal ones becomes 0.
  private static func number(_ bits: UInt32) -> UInt32 {
    let exponent = bits & 0x7f80_0000
    if exponent == 0x7f80_0000 { return Float.nan.bitPattern }
    return exponent == 0 ? 0 : bits
  }
}

extension FITSLayout {
  /// Where the file stores the pixels as they are sent; `nil` if it stores them in another way.
  var plain: PlainLayout? {
    guard let plainStart, isStoredAsItTravels else { return nil }
    return PlainLayout(
      start: plainStart, width: width, height: height, format: coding.format)
  }

  /// Whether an uncompressed image stores its numbers as they are sent.
  fileprivate var isStoredAsItTravels: Bool {
    switch coding.format {
    case .uint8: bitpix == 8
    case .int16: bitpix == 16
    case .float32: bitpix == -32
    }
  }
}
