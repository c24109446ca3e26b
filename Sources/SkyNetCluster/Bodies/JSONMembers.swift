import Foundation

/// The members of a JSON object, in any order. It is valid only as long as the object's text.
struct JSONMembers {
  private let keys: [StaticString]
  /// In the order of the keys.
  private var values: [JSONText?]
  /// The place of the key that comes next if all keep their order, as their writers do.
  private var next = 0

  /// - Parameter keys: those of the members to take, in the usual order. Others are skipped.
  /// - Throws: `DecodingError` if the text is not one object, or if one of the members comes twice.
  init(_ text: JSONText, _ keys: [StaticString]) throws {
    self.keys = keys
    values = Array(repeating: nil, count: keys.count)
    var cursor = JSONCursor(text: text)
    try cursor.take("{")
    if !cursor.skip("}") {
      repeat {
        let key = try cursor.key()
        try cursor.take(":")
        try add(key, try cursor.value())
      } while cursor.skip(",")
      try cursor.take("}")
    }
    guard cursor.isAtEnd() else { throw DecodingError.body("it goes on after its object") }
  }

  private mutating func add(_ key: JSONText, _ value: JSONText) throws {
    if let place = keys[next...].firstIndex(where: { key.is($0) })
      ?? keys[..<next].firstIndex(where: { key.is($0) })
    {
      guard values[place] == nil else { throw DecodingError.body("\(keys[place]) comes twice") }
      values[place] = value
      next = place + 1
      return
    }
    // What is skipped has to be JSON, and its key may not be one of the others with an escape.
    guard key.allSatisfy(\.isPlain),
      (try? JSONSerialization.jsonObject(with: Data(value), options: .fragmentsAllowed)) != nil
    else { throw DecodingError.body("it has a member that cannot be read") }
  }

  /// The text of a member's value; `nil` if the object has no such member.
  subscript(key: StaticString) -> JSONText? {
    key.withUTF8Buffer { key in keys.firstIndex { JSONText(key).is($0) }.flatMap { values[$0] } }
  }
}

extension DecodingError {
  /// A body is not what its reader expects.
  static func body(_ fault: String) -> DecodingError {
    .dataCorrupted(Context(codingPath: [], debugDescription: fault))
  }
}

/// A place in a text. A read at the end of the text stays within bounds and gives zero, which JSON never has.
private struct JSONCursor {
  let text: JSONText
  var place = 0

  private var here: UInt8 { place < text.count ? text[place] : 0 }

  mutating func isAtEnd() -> Bool {
    skipSpace()
    return place == text.count
  }

  private mutating func skipSpace() {
    while here.isJSONSpace { place += 1 }
  }

  /// Skips a character, after white space. Returns whether it was there.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard here == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  mutating func take(_ character: Unicode.Scalar) throws {
    guard skip(character) else { throw DecodingError.body("no \(character) at byte \(place)") }
  }

  /// A key, without its quotation marks.
  mutating func key() throws -> JSONText {
    skipSpace()
    let start = place
    guard here == UInt8(ascii: "\""), skipString() else {
      throw DecodingError.body("no key at byte \(start)")
    }
    return text.part(start + 1..<place - 1)
  }

  /// The text of a value. Only the end of the value is searched for: its reader finds the errors in it.
  mutating func value() throws -> JSONText {
    skipSpace()
    let start = place
    guard skipValue(), place > start else {
      throw DecodingError.body("no value at byte \(start)")
    }
    return text.part(start..<place)
  }

  private mutating func skipValue() -> Bool {
    var depth = 0
    while place < text.count {
      switch here {
      case UInt8(ascii: "\""):
        guard skipString() else { return false }
        if depth == 0 { return true }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return true }
        depth -= 1
        place += 1
        if depth == 0 { return true }
      case let byte where depth == 0 && (byte == UInt8(ascii: ",") || byte.isJSONSpace): return true
      default: place += 1
      }
    }
    return false
  }

  private mutating func skipString() -> Bool {
    place += 1
    while place < text.count {
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
}

extension UInt8 {
  /// Whether this is white space in JSON (RFC 8259, section 2).
  fileprivate var isJSONSpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D
  }
}
