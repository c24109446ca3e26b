import CCFITSIO
import Foundation
import SkyNetCore

extension FITSHandle {
  /// The pixels of a rectangle of the current image, row by row, little-endian, in the format the
  /// layout says.
  func pixels(in rectangle: PixelRectangle, layout: FITSLayout) throws -> Pixels {
    switch (layout.coding.format, layout.bitpix) {
    case (.uint8, _): return Pixels(try read(rectangle, layout, TBYTE, UInt8.self))
    case (.int16, _):
      return Pixels(try read(rectangle, layout, TSHORT, Int16.self) { $0.littleEndian })
    case (.float32, Int(FLOAT_IMG)):
      return Pixels(
        try read(rectangle, layout, TFLOAT, UInt32.self, blank: Float.nan.bitPattern) {
          $0.littleEndian
        })
    case (.float32, _):
      // By way of Double, since CFITSIO gives up at the first value beyond the range of Float,
      // where the conversion gives infinity and the scan leaves that pixel out.
      let values = try read(rectangle, layout, TDOUBLE, Double.self, blank: .nan)
      return values.withUnsafeBytes { bytes in
        let bits = bytes.bindMemory(to: Double.self).map { Float($0).bitPattern.littleEndian }
        return Pixels(bits.withUnsafeBytes { Data($0) })
      }
    }
  }

  /// Reads values into their own bytes, and changes the order of those where the machine has another.
  /// Without `blank`, CFITSIO looks for no blank pixels.
  private func read<Value: BitwiseCopyable>(
    _ rectangle: PixelRectangle, _ layout: FITSLayout, _ type: CInt, _: Value.Type,
    blank: Value? = nil, _ littleEndian: (Value) -> Value = { $0 }
  ) throws -> Data {
    var first = [CLong](repeating: 1, count: layout.axisCount)
    var last = first
    var step = first
    first[0] = rectangle.x + 1
    first[1] = rectangle.y + 1
    last[0] = rectangle.x + rectangle.width
    last[1] = rectangle.y + rectangle.height
    var bytes = Data(count: rectangle.width * rectangle.height * MemoryLayout<Value>.stride)
    var status: CInt = 0
    var anyBlank: CInt = 0
    bytes.withUnsafeMutableBytes { (bytes) -> Void in
      // fits_read_subset in C.
      if var blank {
        ffgsv(file, type, &first, &last, &step, &blank, bytes.baseAddress, &anyBlank, &status)
      } else {
        ffgsv(file, type, &first, &last, &step, nil, bytes.baseAddress, &anyBlank, &status)
      }
      #if _endian(big)
        for (index, value) in bytes.bindMemory(to: Value.self).enumerated() {
          bytes.storeBytes(
            of: littleEndian(value), toByteOffset: index * MemoryLayout<Value>.stride,
            as: Value.self)
        }
      #endif
    }
    guard status == 0 else {
      throw error(
        status,
        doing: "reading \(rectangle.width) × \(rectangle.height) pixels from column "
          + "\(rectangle.x + 1), row \(rectangle.y + 1)")
    }
    return bytes
  }
}
