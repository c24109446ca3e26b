package import Foundation
import SkyDetection

/// Writes numbers and texts one after the other, with the least significant byte first.
///
/// It and its reader have a method for each type of number: other modules cannot specialize a
/// generic one, whose calls for a list of sources would take longer than all else that is done with
/// the list.
package struct ByteWriter {
  private var written: [UInt8] = []

  package var bytes: Data { Data(written) }

  package init() {}

  package mutating func write(_ number: UInt8) { written.append(number) }

  package mutating func write(_ number: UInt16) { add(number) }

  package mutating func write(_ number: UInt32) { add(number) }

  package mutating func write(_ number: Int32) { add(number) }

  package mutating func write(_ number: UInt64) { add(number) }

  package mutating func write(_ number: Int64) { add(number) }

  @inline(__always)
  private mutating func add(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { written.append(contentsOf: $0) }
  }

  package mutating func write(_ number: Double) { write(number.bitPattern) }

  /// Writes a text's length in bytes, and then the text.
  package mutating func write(_ text: String) {
    write(UInt32(clamping: text.utf8.count))
    written.append(contentsOf: text.utf8)
  }
}

/// Reads what a ``ByteWriter`` wrote. Missing bytes are an error; the caller checks the values.
package struct ByteReader {
  private let bytes: [UInt8]
  private var offset = 0

  package init(_ bytes: Data) { self.bytes = Array(bytes) }

  package var isAtEnd: Bool { offset == bytes.count }

  // Each of these throws ``InvalidScan`` if there are too few bytes.

  package mutating func read(_: UInt8.Type = UInt8.self) throws -> UInt8 { try next() }

  package mutating func read(_: UInt16.Type = UInt16.self) throws -> UInt16 { try next() }

  package mutating func read(_: UInt32.Type = UInt32.self) throws -> UInt32 { try next() }

  package mutating func read(_: Int32.Type = Int32.self) throws -> Int32 { try next() }

  package mutating func read(_: UInt64.Type = UInt64.self) throws -> UInt64 { try next() }

  package mutating func read(_: Int64.Type = Int64.self) throws -> Int64 { try next() }

  @inline(__always)
  private mutating func next<Number: FixedWidthInteger>() throws -> Number {
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
    return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
  }
}
