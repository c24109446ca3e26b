/// The type of a column's numbers in binary tables, with its letter in TFORMn (FITS Standard 4.0,
/// section 7.3.3).
enum NumberType: Character, Sendable {
  case int16 = "I"
  case int32 = "J"
  case float32 = "E"
  case float64 = "D"

  /// ECSV's name for the type.
  var datatype: String {
    switch self {
    case .int16: "int16"
    case .int32: "int32"
    case .float32: "float32"
    case .float64: "float64"
    }
  }
}

extension NumberType {
  /// The number of bytes of a number.
  var size: Int {
    switch self {
    case .int16: 2
    case .int32, .float32: 4
    case .float64: 8
    }
  }

  /// The number that a table has for another one.
  func stored(_ value: Double) -> Double {
    switch self {
    case .int16: Double(Int16(clamping: whole(value)))
    case .int32: Double(Int32(clamping: whole(value)))
    case .float32: Double(Float(value))
    case .float64: value
    }
  }

  /// Stores a number's bytes, the most significant one first.
  func store(_ value: Double, in bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
    func store<Bits: FixedWidthInteger & BitwiseCopyable>(_ bits: Bits) {
      bytes.storeBytes(of: bits.bigEndian, toByteOffset: offset, as: Bits.self)
    }
    switch self {
    case .int16: store(Int16(clamping: whole(value)))
    case .int32: store(Int32(clamping: whole(value)))
    case .float32: store(Float(value).bitPattern)
    case .float64: store(value.bitPattern)
    }
  }

  private func whole(_ value: Double) -> Int { Int(exactly: value.rounded(.towardZero)) ?? 0 }
}
