package import Foundation
import SkyDetection

/// Writes numbers and texts one after the other, the least significant byte first.
package struct ByteWriter {
  package private(set) var bytes = Data()

  package init() {}

  package mutating func write(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func write(_ number: Double) { write(number.bitPattern) }

  /// A text, after the number of its bytes.
  package mutating func write(_ text: String) {
    write(UInt32(clamping: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }
}

/// Reads what was written. It believes nothing: what is missing is an error, and what is read is the
/// caller's to check.
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

  /// A text; what is not UTF-8 in it becomes replacement characters.
  ///
  /// - Parameter limit: how many bytes it may have.
  /// - Throws: ``InvalidScan`` if it has more, or there are too few bytes.
  package mutating func text(atMost limit: Int) throws -> String {
    let count = Int(try read(UInt32.self))
    guard count <= limit else { throw InvalidScan("a text of \(count) bytes") }
    guard bytes.count - offset >= count else { throw InvalidScan("bytes that are cut off") }
    defer { offset += count }
    let start = bytes.startIndex + offset
    return String(decoding: bytes[start..<start + count], as: UTF8.self)
  }
}
