import SkyNetCore

import struct Foundation.Data

/// Writes JSON that needs no encoder: whole numbers, seconds, and strings without escapes.
///
/// An encoder takes some microseconds for each such value, most of them to look up generic types.
package struct PlainJSON {
  package private(set) var bytes: [UInt8] = []

  package init() {
    // This is enough for most tasks and results. A longer one allocates more.
    bytes.reserveCapacity(256)
  }

  /// Continues after these bytes, which it takes over without a copy.
  package init(after bytes: inout [UInt8]) { swap(&self.bytes, &bytes) }

  var data: Data { Data(bytes) }

  package mutating func add(syntax text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  package mutating func add(json: some Sequence<UInt8>) { bytes.append(contentsOf: json) }

  package mutating func add(number: Int) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    add(digits: UInt64(number.magnitude), atLeast: 1)
  }

  /// Adds the sixteen hexadecimal digits of a number, without quotation marks.
  package mutating func add(hexadecimal number: UInt64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digits in
      for place in 0..<16 {
        digits[place] = .hexadecimalDigit(of: UInt8(truncatingIfNeeded: number >> (60 - 4 * place)))
      }
      bytes.append(contentsOf: digits)
    }
  }

  /// Adds a number of seconds, rounded to microseconds.
  package mutating func add(microsecondsOf seconds: Double) {
    let micro = (seconds * 1e6).rounded()
    guard abs(micro) < 1e18 else { return add(syntax: "0") }
    if micro < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, rest) = UInt64(abs(micro)).quotientAndRemainder(dividingBy: 1_000_000)
    add(digits: whole, atLeast: 1)
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    add(digits: rest, atLeast: 6)
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
  }

  /// Adds a string in quotation marks, with escapes where JSON wants them (RFC 8259, section 7).
  package mutating func add(string: String) {
    if !add(text: string) { add(escaped: string) }
  }

  /// Adds a string that may stand in a page's script: no `<` of it can end that script.
  package mutating func add(stringInScript string: String) {
    if string.utf8.contains(UInt8(ascii: "<")) || !add(text: string) {
      add(escaped: string, inScript: true)
    }
  }

  private mutating func add(escaped string: String, inScript: Bool = false) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
      // JSON wants the escapes below U+0020; a terminal obeys the other control characters.
      case "\0"..<" ", "\u{7F}"..."\u{9F}": add(escapeOf: scalar)
      case "<" where inScript: add(escapeOf: scalar)
      default: bytes.append(contentsOf: scalar.utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Adds the escape of a character up to U+00FF.
  private mutating func add(escapeOf scalar: Unicode.Scalar) {
    add(syntax: "\\u00")
    let value = UInt8(scalar.value)
    bytes += [.hexadecimalDigit(of: value >> 4), .hexadecimalDigit(of: value)]
  }

  /// Gives the bytes away without a copy.
  package consuming func take(into bytes: inout [UInt8]) { swap(&bytes, &self.bytes) }

  /// Adds a number of seconds exactly. Most are a whole number of nanoseconds, as clocks count these, and are
  /// written without a formatter.
  mutating func add(seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded()
    guard seconds.sign == .plus, nanoseconds < 1e15, nanoseconds / 1e9 == seconds else {
      add(json: seconds.description.utf8)
      return
    }
    let (whole, rest) = UInt64(nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    add(digits: whole, atLeast: 1)
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    add(digits: rest, atLeast: 9)
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
  }

  /// Adds a string in quotation marks. Returns `false`, and adds nothing, if a character would have to be
  /// escaped.
  mutating func add(text: String) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      guard utf8.allSatisfy(\.isPlain) else { return false }
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: utf8)
      bytes.append(UInt8(ascii: "\""))
      return true
    }
  }

  /// Adds a value if its type needs no encoder. Returns whether it did.
  package mutating func add(plain value: some Encodable) -> Bool {
    if let text = value as? String { return add(text: text) }
    guard let number = (value as? any NumberCoded)?.jsonNumber else { return false }
    add(number: number)
    return true
  }

  private mutating func add(digits number: UInt64, atLeast count: Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var (rest, place) = (number, digits.count)
      repeat {
        place -= 1
        digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0 || digits.count - place < count
      bytes.append(contentsOf: digits[place...])
    }
  }
}

extension UInt8 {
  /// The hexadecimal digit of a number's lowest four bits.
  fileprivate static func hexadecimalDigit(of number: UInt8) -> UInt8 {
    let digit = number & 0xF
    return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }

  fileprivate var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Whether this is an ASCII character that JSON strings have without an escape.
  fileprivate var isPlain: Bool {
    (0x20..<0x7F).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }
}

/// Reads the same JSON as ``PlainJSON`` writes. `nil` does not mean that a text is wrong, but that a decoder
/// has to read it.
extension JSONText {
  var wholeNumber: Int? {
    guard first == UInt8(ascii: "-") else { return digits }
    return part(1..<count).digits.map { -$0 }
  }

  /// The text as a number of seconds that is not negative.
  var seconds: Double? {
    let point = firstIndex(of: UInt8(ascii: ".")) ?? count
    // A decoder has to judge whether a longer time is possible.
    guard let whole = part(0..<point).digits, whole < 1_000_000 else { return nil }
    guard point < count else { return Double(whole) }
    let decimals = part(point + 1..<count)
    // Both numbers are exact, so their quotient is the same number that a decoder returns (W. D. Clinger,
    // "How to Read Floating Point Numbers Accurately", 1990).
    guard decimals.count <= 9, let rest = decimals.number else { return nil }
    let scale = Self.powersOfTen[decimals.count]
    return Double(whole * scale + rest) / Double(scale)
  }

  private static let powersOfTen = (0...9).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// The text as a number of exactly sixteen hexadecimal digits in quotation marks.
  var hexadecimal: UInt64? {
    guard count == 18, first == UInt8(ascii: "\""), last == UInt8(ascii: "\"") else { return nil }
    var number: UInt64 = 0
    for byte in part(1..<17) {
      guard let digit = byte.hexadecimalDigit else { return nil }
      number = number << 4 | UInt64(digit)
    }
    return number
  }

  var plainText: String? {
    guard count >= 2, first == UInt8(ascii: "\""), last == UInt8(ascii: "\"") else { return nil }
    let content = part(1..<count - 1)
    guard content.allSatisfy(\.isPlain) else { return nil }
    return String(decoding: content, as: UTF8.self)
  }

  /// The text as a value whose type needs no decoder.
  package func plain<Value: Decodable>(_ type: Value.Type) -> Value? {
    if type == String.self { return plainText as? Value }
    guard let type = type as? any NumberCoded.Type, let wholeNumber else { return nil }
    return type.init(jsonNumber: wholeNumber) as? Value
  }

  /// The text as a whole number without leading zeros, which JSON does not allow.
  private var digits: Int? {
    first == UInt8(ascii: "0") && count > 1 ? nil : number
  }

  private var number: Int? {
    guard (1...18).contains(count) else { return nil }
    var number = 0
    for byte in self {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return number
  }
}
