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

  /// Adds a string of the sixteen hexadecimal digits of a number.
  mutating func add(key: StaticString, hexadecimal number: UInt64) {
    add(key: key)
    add(syntax: "\"")
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digits in
      for place in 0..<16 {
        digits[place] = .hexadecimalDigit(of: UInt8(truncatingIfNeeded: number >> (60 - 4 * place)))
      }
      bytes.append(contentsOf: digits)
    }
    add(syntax: "\"")
  }

  /// Adds a number of seconds exactly. Most are a whole number of nanoseconds, as clocks count these, and are written
  /// without a formatter.
  mutating func add(key: StaticString, seconds: Double) {
    add(key: key)
    let nanoseconds = (seconds * 1e9).rounded()
    guard seconds.sign == .plus, nanoseconds < 1e15, nanoseconds / 1e9 == seconds else {
      return add(json: seconds.description.utf8)
    }
    let (whole, rest) = UInt64(nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    add(digits: whole, atLeast: 1)
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    add(digits: rest, atLeast: 9)
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
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

  /// Adds a number of seconds with three decimals: `1.002`. One above 10^12 is cut to that, and one below 0 to 0.
  package mutating func add(millisecondsOf seconds: Double) {
    let (whole, rest) = UInt64((min(max(0, seconds), 1e12) * 1000).rounded())
      .quotientAndRemainder(dividingBy: 1000)
    add(digits: whole, atLeast: 1)
    bytes.append(UInt8(ascii: "."))
    add(digits: rest, atLeast: 3)
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
      case _ where scalar.isControl: add(escapeOf: scalar)
      case "<" where inScript: add(escapeOf: scalar)
      default: bytes.append(contentsOf: scalar.utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Adds `\u202e`, for one of the first 65,536 scalars.
  package mutating func add(escapeOf scalar: Unicode.Scalar) {
    add(syntax: "\\u")
    for place in stride(from: 12, through: 0, by: -4) {
      bytes.append(.hexadecimalDigit(of: UInt8(truncatingIfNeeded: scalar.value >> place)))
    }
  }

  package consuming func take(into bytes: inout [UInt8]) { swap(&bytes, &self.bytes) }

  /// Adds a string in quotation marks. Returns `false`, and adds nothing, if a character would have to be
  /// escaped.
  package mutating func add(text: String) -> Bool {
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
  fileprivate static func hexadecimalDigit(of number: UInt8) -> UInt8 {
    let digit = number & 0xF
    return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}

// MARK: Members of objects, and arrays

extension PlainJSON {
  /// Adds `"key":`, after a comma unless it comes first in its object.
  package mutating func add(key: StaticString, isFirst: Bool = false) {
    // All at once: each addition to the bytes looks whether they have room.
    let (start, count) = (isFirst ? 0 : 1, key.utf8CodeUnitCount)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: start + count + 3) { text in
      if !isFirst { text[0] = UInt8(ascii: ",") }
      text[start] = UInt8(ascii: "\"")
      text.baseAddress?.advanced(by: start + 1).update(from: key.utf8Start, count: count)
      text[start + count + 1] = UInt8(ascii: "\"")
      text[start + count + 2] = UInt8(ascii: ":")
      bytes.append(contentsOf: text)
    }
  }

  /// Adds `"word":` for a word of the run's ``RunWords``, whose letters need no escapes.
  package mutating func add(word: String, isFirst: Bool = false) {
    add(syntax: isFirst ? "\"" : ",\"")
    add(json: word.utf8)
    add(syntax: "\":")
  }

  package mutating func add(word: String, _ value: String) {
    add(word: word)
    add(string: value)
  }

  package mutating func add(key: StaticString, _ value: Int, isFirst: Bool = false) {
    add(key: key, isFirst: isFirst)
    add(number: value)
  }

  package mutating func add(key: StaticString, _ value: String?, isFirst: Bool = false) {
    add(key: key, isFirst: isFirst)
    if let value { add(string: value) } else { add(syntax: "null") }
  }

  /// Adds a number with at most six decimals; `null` if it is not finite.
  package mutating func add(key: StaticString, _ value: Double?, isFirst: Bool = false) {
    add(key: key, isFirst: isFirst)
    if let value, value.isFinite { add(microsecondsOf: value) } else { add(syntax: "null") }
  }

  package mutating func add(key: StaticString, isTrue: Bool) {
    add(key: key)
    add(syntax: isTrue ? "true" : "false")
  }

  package mutating func add(key: StaticString, _ values: [String]) {
    add(key: key)
    add(values) { $0.add(string: $1) }
  }

  package mutating func add<Elements: Sequence>(
    _ elements: Elements, _ body: (inout PlainJSON, Elements.Element) -> Void
  ) {
    add(syntax: "[")
    var isFirst = true
    for element in elements {
      if !isFirst { add(syntax: ",") }
      isFirst = false
      body(&self, element)
    }
    add(syntax: "]")
  }

  package mutating func add(numbers: some Sequence<Int>) {
    add(numbers) { $0.add(number: $1) }
  }
}
