import Foundation

/// A piece of JSON inside a message. It is valid only during the closure that it is passed to. All code in this
/// folder keeps its indices within bounds.
package typealias JSONText = UnsafeRawBufferPointer

extension Data {
  /// Calls a closure with the bytes as a piece of JSON.
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

  /// Calls a closure for each member of an object, with the key, without its quotation marks, and the text of
  /// the value. Only the end of a value is searched for: the value's reader finds the errors in it.
  ///
  /// - Parameter take: returns whether to continue.
  /// - Returns: whether this text is one object without spaces between its parts, and `take` has returned
  ///   `true` for all members. If not, the text may still be JSON, and a decoder has to read it.
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

/// A place in a text. A read at the end of the text stays within bounds and gives zero, which JSON never has.
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
