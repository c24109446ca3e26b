/// A key of a terminal.
enum Key: Hashable {
  case character(Character)
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, tab, escape, backspace, interrupt

  /// The keys in bytes that a terminal has sent together. Sequences that are no known key are passed over.
  static func keys(_ bytes: [UInt8]) -> [Key] {
    var (keys, rest) = ([Key](), bytes[...])
    while let byte = rest.popFirst() {
      switch byte {
      case 0x03: keys.append(.interrupt)
      case 0x08, 0x7F: keys.append(.backspace)
      case 0x09: keys.append(.tab)
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x1B: if let key = sequence(&rest) { keys.append(key) }
      case 0x20..<0x7F: keys.append(.character(Character(Unicode.Scalar(byte))))
      default: break
      }
    }
    return keys
  }

  /// The key after an escape (ECMA-48's CSI, and SS3 of keypads); an escape alone is the key itself.
  private static func sequence(_ rest: inout ArraySlice<UInt8>) -> Key? {
    guard let first = rest.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else {
      return .escape
    }
    rest.removeFirst()
    var parameters: [UInt8] = []
    while let byte = rest.popFirst() {
      guard (0x40...0x7E).contains(byte) else {
        parameters.append(byte)
        continue
      }
      return named(byte, String(decoding: parameters, as: UTF8.self))
    }
    return nil
  }

  private static func named(_ final: UInt8, _ parameters: String) -> Key? {
    switch (Character(Unicode.Scalar(final)), parameters) {
    case ("A", _): .up
    case ("B", _): .down
    case ("C", _): .right
    case ("D", _): .left
    case ("H", _), ("~", "1"), ("~", "7"): .home
    case ("F", _), ("~", "4"), ("~", "8"): .end
    case ("~", "5"): .pageUp
    case ("~", "6"): .pageDown
    case ("M", _): .enter
    default: nil
    }
  }
}
