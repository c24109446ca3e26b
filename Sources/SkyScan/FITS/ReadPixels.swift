import CCFITSIO
import Foundation
import SkyNetCore

extension FITSHandle {
  /// The pixels of a rectangle of the current image, row by row, little-endian, in the format the
  /// layout says.
  func pixels(in rectangle: PixelRectangle, layout: FITSLayout) throws -> Pixels {
    switch (layout.coding.format, layout.bitpix) {
    case (.uint8, _):
      return Pixels(Data(try read(rectangle, layout, TBYTE, zero: UInt8(0))))
    case (.int16, _):
      let values = try read(rectangle, layout, TSHORT, zero: Int16(0)).map { $0.littleEndian }
      return Pixels(values.withUnsafeBufferPointer { Data(buffer: $0) })
    case (.float32, Int(FLOAT_IMG)):
      let values = try read(rectangle, layout, TFLOAT, zero: Float(0), blank: Float.nan)
      return Pixels(floatBytes(values))
    case (.float32, _):
      // By way of Double, since CFITSIO gives up at the first value beyond the range of Float,
      // where the conversion gives infinity and the scan leaves that pixel out.
      let values = try read(rectangle, layout, TDOUBLE, zero: 0.0, blank: Double.nan)
      return Pixels(floatBytes(values.map { Float($0) }))
    }
  }

  private func floatBytes(_ values: [Float]) -> Data {
    values.map { $0.bitPattern.littleEndian }.withUnsafeBufferPointer { Data(buffer: $0) }
  }

  /// Without `blank`, CFITSIO looks for no blank pixels.
  private func read<Value: BitwiseCopyable>(
    _ rectangle: PixelRectangle, _ layout: FITSLayout, _ type: CInt, zero: Value,
    blank: Value? = nil
  ) throws -> [Value] {
    var first = [CLong](repeating: 1, count: layout.axisCount)
    var last = first
    var step = first
    first[0] = rectangle.x + 1
    first[1] = rectangle.y + 1
    last[0] = rectangle.x + rectangle.width
    last[1] = rectangle.y + rectangle.height
    var values = [Value](repeating: zero, count: rectangle.width * rectangle.height)
    var status: CInt = 0
    var anyBlank: CInt = 0
    // fits_read_subset in C.
    if var blank {
      ffgsv(file, type, &first, &last, &step, &blank, &values, &anyBlank, &status)
    } else {
      ffgsv(file, type, &first, &last, &step, nil, &values, &anyBlank, &status)
    }
    guard status == 0 else {
      throw error(
        status,
        doing: "reading \(rectangle.width) × \(rectangle.height) pixels from column "
          + "\(rectangle.x + 1), row \(rectangle.y + 1)")
    }
    return values
  }
}
