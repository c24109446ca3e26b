import Foundation

/// A piece of JSON, as it stands in a message; it lives no longer than the closure that it is
/// handed to. Indices are within bounds wherever it is looked into here.
package typealias JSONText = UnsafeRawBufferPointer

extension Data {
  /// Hands out the bytes as a piece of text.
  func withJSONText<Result>(_ body: (JSONText) throws -> Result) rethrows -> Result {
    try withUnsafeBytes(body)
  }
}

extension JSONText {
  func `is`(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { self.is(JSONText($0)) }
  }

  func `is`(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { self.is($0) } }

  private func `is`(_ other: JSONText) -> Bool {
    guard count == other.count else { return false }
    guard let here = baseAddress, let there = other.baseAddress else { return count == 0 }
    return memcmp(here, there, count) == 0
  }

  func part(_ places: Range<Int>) -> JSONText { JSONText(rebasing: self[places]) }

  /// Goes over the members of an object, and hands out each key, without its quotation marks, and
  /// each value as the text it is. A value is looked at only for where it ends: its reader finds
  /// what is wrong in it.
  ///
  /// - Parameter take: returns whether to go on.
  /// - Returns: whether this is one object without a space between its parts, and all was taken. If
  ///   not, the text may still be JSON, and a decoder has to read it.
  func forEachMember(_ take: (_ key: JSONText, _ value: JSONText) -> Bool) -> Bool {
    var cursor = Cursor(text: self)
    guard cursor.skip("{") else { return false }
    if cursor.skip("}") { return cursor.isAtEnd }
    while true {
      let keyStart = cursor.place + 1
      guard cursor.skipString(), cursor.here == UInt8(ascii: ":") else { return false }
      let key = part(keyStart..<cursor.place - 1)
      cursor.place += 1
      let valueStart = cursor.place
      guard cursor.skipValue(), take(key, part(valueStart..<cursor.place)) else { return false }
      if cursor.skip("}") { return cursor.isAtEnd }
      guard cursor.skip(",") else { return false }
    }
  }
}

/// A place in a text. Every look is within bounds: at the end there is a zero, which no JSON has.
private struct Cursor {
  let text: JSONText
  var place = 0

  var isAtEnd: Bool { place == text.count }

  var here: UInt8 { place < text.count ? text[place] : 0 }

  mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard here == UInt8(ascii: byte) else { return false }
    place += 1
    return true
  }

  mutating func skipString() -> Bool {
    guard skip("\"") else { return false }
    while !isAtEnd {
      switch here {
      case UInt8(ascii: "\""):
        place += 1
        return true
      // An escaped character does not end the string.
      case UInt8(ascii: "\\"): place = min(place + 2, text.count)
      default: place += 1
      }
    }
    return false
  }

  mutating func skipValue() -> Bool {
    let start = place
    var depth = 0
    while !isAtEnd {
      switch here {
      case UInt8(ascii: "\""):
        guard skipString() else { return false }
        if depth == 0 { return true }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return place > start }
        depth -= 1
        place += 1
        if depth == 0 { return true }
      case UInt8(ascii: ",") where depth == 0: return place > start
      default: place += 1
      }
    }
    return false
  }
}
