/// Made-up FITS files, as bytes.
enum SampleFITS {
  /// A header of these cards, with END, in whole blocks.
  static func header(_ cards: [String]) -> [UInt8] {
    let text = (cards + ["END"]).map { $0 + String(repeating: " ", count: 80 - $0.utf8.count) }
    return filled(Array(text.joined().utf8), with: 0x20)
  }

  static func card(_ keyword: String, _ value: String) -> String {
    let name = keyword + String(repeating: " ", count: 8 - keyword.utf8.count)
    return name + "= " + String(repeating: " ", count: max(0, 20 - value.utf8.count)) + value
  }

  /// The header of a unit with 16-bit numbers.
  static func unit(
    _ axes: [Int], bits: Int = 16, isFirst: Bool = true, _ more: [(String, String)] = []
  ) -> [UInt8] {
    header(
      [
        card(isFirst ? "SIMPLE" : "XTENSION", isFirst ? "T" : "'IMAGE   '"),
        card("BITPIX", "\(bits)"), card("NAXIS", "\(axes.count)"),
      ] + axes.enumerated().map { card("NAXIS\($0.offset + 1)", "\($0.element)") }
        + more.map { card($0.0, $0.1) })
  }

  /// An image of 16-bit numbers in a file of its own.
  static func image(_ width: Int = 40, _ height: Int = 50, value: UInt8 = 7) -> [UInt8] {
    unit([width, height])
      + filled([UInt8](repeating: value, count: width * height * 2), with: 0)
  }

  private static func filled(_ bytes: [UInt8], with byte: UInt8) -> [UInt8] {
    bytes + [UInt8](repeating: byte, count: (2880 - bytes.count % 2880) % 2880)
  }
}
