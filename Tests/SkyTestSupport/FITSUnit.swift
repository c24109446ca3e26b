/// One handmade header and data unit of a FITS file.
package struct FITSUnit {
  package var cards: [String]
  package var data: [UInt8]

  /// A primary unit.
  package init(bitpix: Int, axes: [Int], _ more: [(String, String)] = [], data: [UInt8]) {
    self.init(first: Self.card("SIMPLE", "T"), bitpix, axes, more, data)
  }

  /// An image extension.
  package init(extension bitpix: Int, axes: [Int], _ more: [(String, String)] = [], data: [UInt8]) {
    let counts = [("PCOUNT", "0"), ("GCOUNT", "1")]
    self.init(first: Self.card("XTENSION", "'IMAGE   '"), bitpix, axes, counts + more, data)
  }

  private init(
    first: String, _ bitpix: Int, _ axes: [Int], _ more: [(String, String)], _ data: [UInt8]
  ) {
    cards = [first, Self.card("BITPIX", "\(bitpix)"), Self.card("NAXIS", "\(axes.count)")]
    for (index, length) in axes.enumerated() {
      cards.append(Self.card("NAXIS\(index + 1)", "\(length)"))
    }
    cards += more.map { Self.card($0.0, $0.1) }
    self.data = data
  }

  /// The header and the data, each filled up to whole blocks.
  package var bytes: [UInt8] {
    let header = (cards + [Self.pad("END", to: 80)]).joined()
    return Self.blocks(Array(header.utf8), filler: 0x20) + Self.blocks(data, filler: 0)
  }

  package static func blocks(_ bytes: [UInt8], filler: UInt8) -> [UInt8] {
    bytes + [UInt8](repeating: filler, count: (2880 - bytes.count % 2880) % 2880)
  }

  private static func card(_ keyword: String, _ value: String) -> String {
    let padding = String(repeating: " ", count: max(0, 20 - value.count))
    return pad(pad(keyword, to: 8) + "= " + padding + value, to: 80)
  }

  private static func pad(_ text: String, to length: Int) -> String {
    text + String(repeating: " ", count: max(0, length - text.count))
  }
}

/// The bytes of numbers as FITS stores them.
package func bigEndian<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
  numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}

package func bigEndian(_ numbers: [Float]) -> [UInt8] { bigEndian(numbers.map(\.bitPattern)) }

package func bigEndian(_ numbers: [Double]) -> [UInt8] { bigEndian(numbers.map(\.bitPattern)) }
