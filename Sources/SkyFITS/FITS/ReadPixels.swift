import CCFITSIO
import Foundation
import SkyDetection

extension FITSHandle {
  /// Reads the pixels of a rectangle of the current image to the beginning of the memory: row by
  /// row, little-endian, in the layout's format.
  ///
  /// - Throws: ``FITSError`` if the file cannot be read, the memory is too small, or the rectangle
  ///   is not within the image.
  func read(
    _ rectangle: PixelRectangle, _ layout: FITSLayout, to memory: UnsafeMutableRawBufferPointer
  ) throws {
    guard rectangle.isWithin(width: layout.width, height: layout.height),
      rectangle.width * rectangle.height * layout.coding.format.bytesPerPixel <= memory.count
    else { throw error(NEG_BYTES, doing: "reading \(rectangle)") }
    switch (layout.coding.format, layout.bitpix) {
    case (.uint8, _): try read(rectangle, layout, TBYTE, memory, blank: nil as UInt8?)
    case (.int16, _):
      try read(rectangle, layout, TSHORT, memory, blank: nil as Int16?)
      makeLittleEndian(memory, count: rectangle.width * rectangle.height, UInt16.self)
    case (.float32, Int(FLOAT_IMG)):
      try read(rectangle, layout, TFLOAT, memory, blank: Float.nan.bitPattern)
      makeLittleEndian(memory, count: rectangle.width * rectangle.height, UInt32.self)
    case (.float32, _): try readByDouble(rectangle, layout, to: memory)
    }
  }

  /// Reads floats by way of Double. CFITSIO fails at the first value beyond the range of Float,
  /// while a conversion from Double gives infinity, and the scan leaves that pixel out.
  private func readByDouble(
    _ rectangle: PixelRectangle, _ layout: FITSLayout, to memory: UnsafeMutableRawBufferPointer
  ) throws {
    let rowsAtOnce = max(1, Self.doublesAtOnce / rectangle.width)
    let values = UnsafeMutableBufferPointer<Double>.allocate(
      capacity: rectangle.width * min(rowsAtOnce, rectangle.height))
    defer { values.deallocate() }
    var written = 0
    for row in stride(from: rectangle.y, to: rectangle.y + rectangle.height, by: rowsAtOnce) {
      var part = rectangle
      part.y = row
      part.height = min(rowsAtOnce, rectangle.y + rectangle.height - row)
      try read(part, layout, TDOUBLE, UnsafeMutableRawBufferPointer(values), blank: Double.nan)
      for value in values.prefix(part.width * part.height) {
        memory.storeBytes(
          of: Float(value).bitPattern.littleEndian, toByteOffset: 4 * written, as: UInt32.self)
        written += 1
      }
    }
  }

  private static let doublesAtOnce = 1 << 20

  /// Reads values in the machine's byte order. With `blank: nil`, CFITSIO does not look for blank
  /// pixels.
  private func read<Value: BitwiseCopyable>(
    _ rectangle: PixelRectangle, _ layout: FITSLayout, _ type: CInt,
    _ memory: UnsafeMutableRawBufferPointer, blank: Value?
  ) throws {
    var first = [CLong](repeating: 1, count: layout.axisCount)
    var last = first
    var step = first
    first[0] = rectangle.x + 1
    first[1] = rectangle.y + 1
    last[0] = rectangle.x + rectangle.width
    last[1] = rectangle.y + rectangle.height
    var status: CInt = 0
    var anyBlank: CInt = 0
    // fits_read_subset in C.
    if var blank {
      ffgsv(file, type, &first, &last, &step, &blank, memory.baseAddress, &anyBlank, &status)
    } else {
      ffgsv(file, type, &first, &last, &step, nil, memory.baseAddress, &anyBlank, &status)
    }
    guard status == 0 else {
      throw error(
        status,
        doing: "reading \(rectangle.width) × \(rectangle.height) pixels from column "
          + "\(rectangle.x + 1), row \(rectangle.y + 1)")
    }
  }

  private func makeLittleEndian<Value: FixedWidthInteger>(
    _ memory: UnsafeMutableRawBufferPointer, count: Int, _: Value.Type
  ) {
    #if _endian(big)
      for index in 0..<count {
        let offset = index * MemoryLayout<Value>.size
        let value = memory.load(fromByteOffset: offset, as: Value.self)
        memory.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
      }
    #endif
  }
}
