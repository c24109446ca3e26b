import Foundation
import SkyNetCore

/// The JSON value that a program wrote (RFC 8259), on one line. Numbers, keys and their order are as they were written.
struct ProgramJSON: WrittenJSON, SizedResult {
  let json: String
  let outputBytes: Int

  /// - Returns: `nil` if the bytes are not one value, with white space around it at most.
  init?(_ bytes: Data) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var reader = JSONReader(bytes: Array(text.utf8))
    guard reader.readsOneValue() else { return nil }
    json = String(decoding: reader.line, as: UTF8.self)
    outputBytes = bytes.count
  }
}

/// Reads one JSON value, and keeps it without the white space between its parts. It has no recursion: programs choose the
/// depth.
private struct JSONReader {
  let bytes: [UInt8]
  var line: [UInt8] = []
  private var place = 0
  /// For each array and object that has begun: whether it is an object.
  private var open: [Bool] = []

  init(bytes: [UInt8]) {
    self.bytes = bytes
    line.reserveCapacity(bytes.count)
  }

  private var here: UInt8? { place < bytes.count ? bytes[place] : nil }

  mutating func readsOneValue() -> Bool {
    repeat {
      // Here a value begins.
      if take("{") {
        open.append(true)
        if !take("}") {
          guard takeKey() else { return false }
          continue
        }
        open.removeLast()
      } else if take("[") {
        open.append(false)
        if !take("]") { continue }
        open.removeLast()
      } else if !takeScalar() {
        return false
      }
      // Here a value has ended.
      while let isObject = open.last {
        if take(",") {
          guard !isObject || takeKey() else { return false }
          break
        }
        guard take(isObject ? "}" : "]") else { return false }
        open.removeLast()
      }
    } while !open.isEmpty
    skipSpace()
    return place == bytes.count
  }

  private mutating func takeKey() -> Bool {
    skipSpace()
    return takeString() && take(":")
  }

  private mutating func takeScalar() -> Bool {
    skipSpace()
    if here == UInt8(ascii: "\"") { return takeString() }
    for word in ["true", "false", "null"] where bytes[place...].starts(with: word.utf8) {
      keep(word.utf8.count)
      return true
    }
    return takeNumber()
  }

  private mutating func takeString() -> Bool {
    guard takeByte(in: "\"") else { return false }
    while let byte = here {
      switch byte {
      case UInt8(ascii: "\""):
        keep(1)
        return true
      case UInt8(ascii: "\\"):
        keep(1)
        if takeByte(in: "u") {
          for _ in 0..<4 { guard takeByte(in: "0123456789abcdefABCDEF") else { return false } }
        } else if !takeByte(in: "\"\\/bfnrt") {
          return false
        }
      case 0..<0x20: return false
      default: keep(1)
      }
    }
    return false
  }

  private mutating func takeNumber() -> Bool {
    _ = takeByte(in: "-")
    guard takeByte(in: "0") || takeDigits() else { return false }
    if takeByte(in: "."), !takeDigits() { return false }
    if takeByte(in: "eE") {
      _ = takeByte(in: "+-")
      return takeDigits()
    }
    return true
  }

  private mutating func takeDigits() -> Bool {
    let start = place
    while takeByte(in: "0123456789") {}
    return place > start
  }

  /// Takes a character between values, after white space.
  private mutating func take(_ character: StaticString) -> Bool {
    skipSpace()
    return takeByte(in: character)
  }

  private mutating func takeByte(in characters: StaticString) -> Bool {
    guard let here, characters.withUTF8Buffer({ $0.contains(here) }) else { return false }
    keep(1)
    return true
  }

  private mutating func keep(_ count: Int) {
    line += bytes[place..<place + count]
    place += count
  }

  private mutating func skipSpace() {
    while let here, [0x20, 0x09, 0x0A, 0x0D].contains(here) { place += 1 }
  }
}
