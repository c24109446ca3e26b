import Foundation
import SkyNetCore

/// Reads the members of a body. It is valid only during the closure that it is passed to.
///
/// It reads numbers and flags itself. Foundation decodes the members whose types a scan's author defined. What is not
/// understood is an error, even where it may be JSON.
struct BodyReader {
  let coder: BodyCoder
  fileprivate let members: JSONMembers
  fileprivate let bulk: Data

  func has(_ key: StaticString) -> Bool { members[key] != nil }

  func text(_ key: StaticString) throws -> JSONText {
    guard let text = members[key] else { throw DecodingError.body("\(key) is missing") }
    return text
  }

  func value<Value: Decodable>(_ key: StaticString, as type: Value.Type) throws -> Value {
    try coder.decode(type, from: try text(key), bulk: bulk)
  }

  func number(_ key: StaticString, from least: Int) throws -> Int {
    guard let number = try text(key).wholeNumber, number >= least else {
      throw DecodingError.body("\(key) is no whole number from \(least)")
    }
    return number
  }

  func seconds(_ key: StaticString) throws -> Double {
    // Nothing takes longer than some thirty years.
    guard let seconds = try text(key).number, (0...1e9).contains(seconds) else {
      throw DecodingError.body("\(key) is no number of seconds that anything takes")
    }
    return seconds
  }

  /// Whether a member is true. If it is missing, it is false.
  func flag(_ key: StaticString) throws -> Bool {
    guard let text = members[key], !text.is("false") else { return false }
    guard text.is("true") else { throw DecodingError.body("\(key) is neither true nor false") }
    return true
  }

  /// - Throws: `CallFailure` if this process does not know the kind that the body names.
  func scan() throws -> any Scan {
    try coder.registry.scan(of: try text("kind").plainText ?? value("kind", as: String.self))
  }
}

extension BodyCoder {
  func read<Value>(
    _ keys: [StaticString], of message: Message, _ read: (BodyReader) throws -> Value
  ) throws -> Value {
    try message.body.withUnsafeBytes {
      try read(
        BodyReader(coder: self, members: try JSONMembers($0, keys), bulk: message.bulk))
    }
  }
}
