package import Foundation
import SkyDetection

/// Writes numbers and texts one after the other, with the least significant byte first.
package struct ByteWriter {
  package private(set) var bytes = Data()

  package init() {}

  package mutating func write(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func write(_ number: Double) { write(number.bitPattern) }

  /// Writes a text's length in bytes, and then the text.
  package mutating func write(_ text: String) {
    write(UInt32(clamping: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }
}

/// Reads what a ``ByteWriter`` wrote. Missing bytes are an error; the caller checks the values.
package struct ByteReader {
  private let bytes: Data
  private var offset = 0

  package init(_ bytes: Data) { self.bytes = bytes }

  package var isAtEnd: Bool { offset == bytes.count }

  /// - Throws: ``InvalidScan`` if there are too few bytes.
  package mutating func read<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws
    -> Number
  {
    let size = MemoryLayout<Number>.size
    guard bytes.count - offset >= size else { throw InvalidScan("bytes that are cut off") }
    defer { offset += size }
    return Number(
      littleEndian: bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: offset, as: Number.self)
      })
  }

  package mutating func double() throws -> Double { Double(bitPattern: try read()) }

  /// Reads a text. Bytes that are not UTF-8 become replacement characters.
  ///
  /// - Parameter limit: the largest number of bytes.
  /// - Throws: ``InvalidScan`` if the text is longer, or there are too few bytes.
  package mutating func text(atMost limit: Int) throws -> String {
    let count = Int(try read(UInt32.self))
    guard count <= limit else { throw InvalidScan("a text of \(count) bytes") }
    guard bytes.count - offset >= count else { throw InvalidScan("bytes that are cut off") }
    defer { offset += count }
    let start = bytes.startIndex + offset
    return String(decoding: bytes[start..<start + count], as: UTF8.self)
  }
}
