// What this file codes is frozen by the version of `SourceScan.kind`.

package import Foundation
import SkyDetection

/// The coding in which pixels are sent to systems: row by row, little-endian, and as the numbers
/// that the image stores where these are small; with the factors that give their values.
///
/// The value of a stored number is `number × scale + zero`, where each operand and each result is
/// rounded to 32 bits, as in SExtractor. A pixel has no value if its number equals `blank` or is
/// not finite (FITS Standard 4.0, 4.4.2.5: BZERO, BSCALE, BLANK).
package struct PixelCoding: Codable, Hashable, Sendable {
  /// The type of the numbers.
  package enum Format: String, Codable, Sendable {
    case uint8, int16, float32

    package var bytesPerPixel: Int {
      switch self {
      case .uint8: 1
      case .int16: 2
      case .float32: 4
      }
    }
  }

  /// A value that is at most this is a mark and not a measurement, so the pixel has no value, as if
  /// it were blank. SExtractor marks pixels in this way.
  package static let mark: Float = -1e30

  package var format: Format
  package var scale: Double
  package var zero: Double
  /// The number that stands for a pixel without a value. Only integers have one.
  package var blank: Int?

  package init(format: Format, scale: Double = 1, zero: Double = 0, blank: Int? = nil) {
    self.format = format
    self.scale = scale
    self.zero = zero
    self.blank = blank
  }

  /// The pixels' values; NaN where a pixel has none.
  package func values(of pixels: Data) -> [Float] {
    let count = pixels.count / format.bytesPerPixel
    return pixels.withUnsafeBytes { bytes in
      switch format {
      case .uint8:
        return scaled(count) { bytes[$0] }
      case .int16:
        if blank.flatMap(Int16.init(exactly:)) == nil, let shift = wholeShift {
          return shifted(count, bytes, by: shift)
        }
        return scaled(count) {
          Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))
        }
      case .float32:
        return values(count) {
          let bits = bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)
          return Float(bitPattern: UInt32(littleEndian: bits))
        }
      }
    }
  }

  /// Converts most cameras' images: without rounding and range checks, and several numbers at a
  /// time.
  private func shifted(
    _ count: Int, _ bytes: UnsafeRawBufferPointer, by shift: Int32
  ) -> [Float] {
    typealias Stored = SIMD8<Int16>
    return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      let values = UnsafeMutableRawBufferPointer(buffer)
      HugePages.prefer(for: values)
      let whole = count - count % Stored.scalarCount
      for index in stride(from: 0, to: whole, by: Stored.scalarCount) {
        let stored = bytes.loadUnaligned(fromByteOffset: 2 * index, as: Stored.self)
        let numbers = SIMD8<Int32>(truncatingIfNeeded: stored.littleEndian) &+ shift
        values.storeBytes(of: SIMD8<Float>(numbers), toByteOffset: 4 * index, as: SIMD8<Float>.self)
      }
      for index in whole..<count {
        let stored = bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)
        buffer[index] = Float(Int32(Int16(littleEndian: stored)) &+ shift)
      }
      initialized = count
    }
  }

  /// The number to add to each stored number, if nothing else is to be done and its sums with
  /// 16-bit numbers are exact as floats; otherwise `nil`.
  private var wholeShift: Int32? {
    scale == 1 && abs(zero) < 8_388_608 ? Int32(exactly: zero) : nil
  }

  private func scaled<Stored: FixedWidthInteger>(
    _ count: Int, _ stored: (Int) -> Stored
  ) -> [Float] {
    guard let blank = blank.flatMap(Stored.init(exactly:)) else {
      return values(count) { Float(stored($0)) }
    }
    return values(count) {
      let number = stored($0)
      return number == blank ? .nan : Float(number)
    }
  }

  /// The values of stored numbers.
  @inline(__always)
  private func values(_ count: Int, _ number: (Int) -> Float) -> [Float] {
    let (scale, zero) = (Float(scale), Float(zero))
    return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      HugePages.prefer(for: UnsafeMutableRawBufferPointer(buffer))
      for index in 0..<count {
        let value = number(index) * scale + zero
        buffer[index] = value > Self.mark && value < .infinity ? value : .nan
      }
      initialized = count
    }
  }
}

extension SIMD8<Int16> {
  /// The numbers, read from bytes with the least significant one first.
  fileprivate var littleEndian: SIMD8<Int16> {
    #if _endian(big)
      (self &<< 8) | ((self &>> 8) & 0xff)
    #else
      self
    #endif
  }
}
