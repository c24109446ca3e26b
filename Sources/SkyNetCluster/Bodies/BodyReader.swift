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

  func has(_ key: some BodyKey) -> Bool { members[key] != nil }

  func text(_ key: some BodyKey) throws -> JSONText {
    guard let text = members[key] else { throw DecodingError.body("\(key) is missing") }
    return text
  }

  func value<Value: Decodable>(_ key: some BodyKey, as type: Value.Type) throws -> Value {
    try coder.decode(type, from: try text(key), bulk: bulk)
  }

  func number(_ key: some BodyKey, from least: Int) throws -> Int {
    guard let number = try text(key).wholeNumber, number >= least else {
      throw DecodingError.body("\(key) is no whole number from \(least)")
    }
    return number
  }

  func seconds(_ key: some BodyKey) throws -> Double {
    // Nothing takes longer than some thirty years.
    guard let seconds = try text(key).number, (0...1e9).contains(seconds) else {
      throw DecodingError.body("\(key) is no number of seconds that anything takes")
    }
    return seconds
  }

  /// Whether a member is true. If it is missing, it is false.
  func flag(_ key: some BodyKey) throws -> Bool {
    guard let text = members[key], !text.is("false") else { return false }
    guard text.is("true") else { throw DecodingError.body("\(key) is neither true nor false") }
    return true
  }

  /// The scan that this process has registered under the kind that a member names.
  ///
  /// - Throws: `CallFailure` if this process does not know the kind.
  func scan(_ key: some BodyKey) throws -> ScanRegistry.Entry {
    let text = try text(key)
    if let known = coder.registry.entry(named: text) { return known }
    return try coder.registry.entry(of: try value(key, as: String.self))
  }
}

extension BodyCoder {
  func read<Key: BodyKey, Value>(
    _ keys: Key.Type, of message: Message, _ read: (BodyReader) throws -> Value
  ) throws -> Value {
    try message.body.withUnsafeBytes {
      try JSONMembers.read($0, keys.all) { members in
        try read(BodyReader(coder: self, members: members, bulk: message.bulk))
      }
    }
  }
}
