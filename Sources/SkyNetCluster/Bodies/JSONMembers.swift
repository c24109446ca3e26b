import Foundation

/// The members of a JSON object, in any order. It is valid only during the closure that it is passed to.
struct JSONMembers {
  private let keys: JSONKeys
  /// In the order of the keys. A member that is missing has no address.
  private let values: UnsafeMutableBufferPointer<JSONText>

  /// Reads an object, and passes its members to the closure.
  ///
  /// - Parameter keys: those of the members to take. Others are skipped.
  /// - Throws: `DecodingError` if the text is not one object, or if one of the members comes twice; what the closure
  ///   throws.
  static func read<Value>(
    _ text: JSONText, _ keys: JSONKeys, _ body: (JSONMembers) throws -> Value
  ) throws -> Value {
    // On the stack, as each message has some.
    try withUnsafeTemporaryAllocation(of: JSONText.self, capacity: keys.count) { values in
      values.initialize(repeating: JSONText(start: nil, count: 0))
      let members = JSONMembers(keys: keys, values: values)
      try members.fill(from: text)
      return try body(members)
    }
  }

  private func fill(from text: JSONText) throws {
    var cursor = JSONCursor(text: text)
    // The place of the key that comes next if all keep their order, as their writers do.
    var next = 0
    try cursor.take("{")
    if !cursor.skip("}") {
      repeat {
        if let place = cursor.skip(oneOf: keys, from: next) {
          try cursor.take(":")
          guard values[place].baseAddress == nil else {
            throw DecodingError.body("\(keys.name(place)) comes twice")
          }
          values[place] = try cursor.value()
          next = place + 1
        } else {
          let key = try cursor.key()
          try cursor.take(":")
          let value = try cursor.value()
          // What is skipped has to be JSON, and its key may not be one of the others with an escape.
          guard key.allSatisfy(\.isPlain),
            (try? JSONSerialization.jsonObject(with: Data(value), options: .fragmentsAllowed))
              != nil
          else { throw DecodingError.body("it has a member that cannot be read") }
        }
      } while cursor.skip(",")
      try cursor.take("}")
    }
    guard cursor.isAtEnd() else { throw DecodingError.body("it goes on after its object") }
  }

  /// The text of a member's value; `nil` if the object has no such member.
  subscript(key: some BodyKey) -> JSONText? {
    let value = values[key.rawValue]
    return value.baseAddress == nil ? nil : value
  }
}

/// The keys of one sort of body, in the order in which their members are written. A case's name is the key.
protocol BodyKey: RawRepresentable, CaseIterable, Sendable where RawValue == Int {
  static var all: JSONKeys { get }
}

/// Keys of an object, each in quotation marks.
struct JSONKeys: Sendable {
  private let bytes: [UInt8]
  private let places: [Range<Int>]

  init<Key: BodyKey>(_ keys: Key.Type) {
    var (bytes, places) = ([UInt8](), [Range<Int>]())
    for (place, key) in keys.allCases.enumerated() {
      precondition(key.rawValue == place, "keys are numbered in their order")
      let start = bytes.count
      bytes += Array("\"\(key)\"".utf8)
      places.append(start..<bytes.count)
    }
    (self.bytes, self.places) = (bytes, places)
  }

  var count: Int { places.count }

  func name(_ place: Int) -> String { String(decoding: bytes[places[place]], as: UTF8.self) }

  /// The length of the first of these keys from `next` on, or else of the others, that a text begins with, and the key's
  /// place; `nil` if it begins with none.
  @inline(__always)
  func first(in text: JSONText, from next: Int) -> (place: Int, length: Int)? {
    bytes.withUnsafeBytes { bytes in
      for turn in 0..<places.count {
        let place = next + turn < places.count ? next + turn : next + turn - places.count
        let key = places[place]
        // The first letters tell most keys apart.
        if text.count >= key.count, text[1] == bytes[key.lowerBound + 1],
          memcmp(text.baseAddress!, bytes.baseAddress! + key.lowerBound, key.count) == 0
        {
          return (place, key.count)
        }
      }
      return nil
    }
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

  /// Skips the one of these keys that stands here, and returns its place; `nil` if none does. Those from `next` on are
  /// tried first.
  mutating func skip(oneOf keys: JSONKeys, from next: Int) -> Int? {
    skipSpace()
    guard let (key, length) = keys.first(in: text.part(place..<text.count), from: next) else {
      return nil
    }
    place += length
    return key
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
