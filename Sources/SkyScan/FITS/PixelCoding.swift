import Foundation
import SkyNetCore

/// How pixels travel: as the numbers the image stores where those are small, row by row,
/// little-endian, together with what makes physical values of them.
///
/// The value of a stored number is `zero + scale × number`; there is none where the number equals
/// `blank` or is not finite (FITS Standard 4.0, 4.4.2.5: BZERO, BSCALE, BLANK).
public struct PixelCoding: Codable, Hashable, Sendable {
  /// The type of the numbers.
  public enum Format: String, Codable, Sendable {
    case uint8, int16, float32

    public var bytesPerPixel: Int {
      switch self {
      case .uint8: 1
      case .int16: 2
      case .float32: 4
      }
    }
  }

  /// A value beyond this, either way, is taken for a mark and not a measurement, and left out as
  /// if it were blank.
  public static let largestValue: Float = 1e30

  public var format: Format
  public var scale: Double
  public var zero: Double
  /// The number that stands for no value; only integers have one.
  public var blank: Int?

  public init(format: Format, scale: Double = 1, zero: Double = 0, blank: Int? = nil) {
    self.format = format
    self.scale = scale
    self.zero = zero
    self.blank = blank
  }

  /// The values of the pixels, NaN where there is none.
  func values(of pixels: Pixels) -> [Float] {
    let count = pixels.bytes.count / format.bytesPerPixel
    return pixels.bytes.withUnsafeBytes { bytes in
      switch format {
      case .uint8:
        return scaled(count) { bytes[$0] }
      case .int16:
        return scaled(count) {
          Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))
        }
      case .float32:
        return values(count) {
          let bits = bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)
          return zero + scale * Double(Float(bitPattern: UInt32(littleEndian: bits)))
        }
      }
    }
  }

  private func scaled<Stored: FixedWidthInteger>(
    _ count: Int, _ stored: (Int) -> Stored
  ) -> [Float] {
    guard let blank = blank.flatMap(Stored.init(exactly:)) else {
      return values(count) { zero + scale * Double(stored($0)) }
    }
    return values(count) {
      let number = stored($0)
      return number == blank ? .nan : zero + scale * Double(number)
    }
  }

  @inline(__always)
  private func values(_ count: Int, _ value: (Int) -> Double) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      for index in 0..<count {
        let value = Float(value(index))
        buffer[index] = abs(value) <= Self.largestValue ? value : .nan
      }
      initialized = count
    }
  }
}
