import Foundation
import SkyNetCore

/// A piece of JSON inside a message. It is valid only during the closure that it is passed to. All code in this
/// folder keeps its indices within bounds.
package typealias JSONText = UnsafeRawBufferPointer

extension JSONText {
  func `is`(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && self.is(JSONText(start: text.utf8Start, count: count))
  }

  func `is`(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { self.is($0) } }

  func `is`(_ other: JSONText) -> Bool {
    guard count == other.count else { return false }
    guard let here = baseAddress, let there = other.baseAddress else { return count == 0 }
    return here == there || memcmp(here, there, count) == 0
  }

  func part(_ places: Range<Int>) -> JSONText { JSONText(rebasing: self[places]) }

  // MARK: Values

  /// The text as a whole number of up to 18 digits.
  var wholeNumber: Int? {
    guard first == UInt8(ascii: "-") else { return digits }
    return part(1..<count).digits.map { -$0 }
  }

  /// The text as a number that may have a fraction and an exponent.
  var number: Double? {
    if let time = nanoseconds { return time }
    let end = firstIndex { !$0.isDigit && $0 != UInt8(ascii: "-") } ?? count
    guard part(0..<end).wholeNumber != nil, allSatisfy(\.isInNumbers) else { return nil }
    // Swift needs no digit after a point, but JSON does.
    if end < count, self[end] == UInt8(ascii: "."), end + 1 == count || !self[end + 1].isDigit {
      return nil
    }
    return Double(String(decoding: self, as: UTF8.self))
  }

  /// The text as a number of up to six digits with up to nine decimals, as nearly all times have.
  private var nanoseconds: Double? {
    let point = firstIndex(of: UInt8(ascii: ".")) ?? count
    guard point <= 6, count - point <= 10, count - point != 1,
      var number = part(0..<point).digits
    else { return nil }
    var scale = 1
    for byte in dropFirst(point + 1) {
      guard byte.isDigit else { return nil }
      (number, scale) = (number * 10 + Int(byte - UInt8(ascii: "0")), scale * 10)
    }
    // Both are exact, so their quotient is the number that any exact reader returns (W. D. Clinger, "How to Read
    // Floating Point Numbers Accurately", 1990).
    return Double(number) / Double(scale)
  }

  /// The text as a string of sixteen hexadecimal digits, in small letters.
  var hexadecimal: UInt64? {
    guard count == 18, first == UInt8(ascii: "\""), last == UInt8(ascii: "\"") else { return nil }
    var number: UInt64 = 0
    for byte in self[1..<17] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte & 0xF)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte & 0xF + 9)
      default: return nil
      }
    }
    return number
  }

  /// The text as a string of ASCII characters without escapes.
  var plainText: String? {
    guard count >= 2, first == UInt8(ascii: "\""), last == UInt8(ascii: "\"") else { return nil }
    let content = part(1..<count - 1)
    guard content.allSatisfy(\.isPlain) else { return nil }
    return String(decoding: content, as: UTF8.self)
  }

  /// The text as a value whose type needs no decoder; `nil` if a decoder has to read it, which also finds what is
  /// wrong.
  package func plain<Value: Decodable>(_ type: Value.Type) -> Value? {
    if type == String.self { return plainText as? Value }
    guard let type = type as? any NumberCoded.Type, let wholeNumber else { return nil }
    return type.init(jsonNumber: wholeNumber) as? Value
  }

  /// The text as a whole number without leading zeros, which JSON does not allow.
  private var digits: Int? {
    guard (1...18).contains(count), first != UInt8(ascii: "0") || count == 1 else { return nil }
    var number = 0
    for byte in self {
      guard byte.isDigit else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return number
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isInNumbers: Bool { isDigit || "+-.eE".utf8.contains(self) }

  /// Whether this is an ASCII character that JSON strings have without an escape.
  var isPlain: Bool {
    (0x20..<0x7F).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }
}
