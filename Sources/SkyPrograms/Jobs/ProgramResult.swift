import Foundation
import SkyNetCore

extension ProgramSettings.Form {
  /// - Throws: `UnmendableFailure` if the bytes are not of this form.
  func check(_ bytes: Data) throws(UnmendableFailure) {
    switch self {
    case .bytes: break
    case .text:
      if let place = bytes.withUnsafeBytes({ $0.endOfUTF8 }) {
        throw UnmendableFailure(
          "its output is no text, as byte \(place + 1) is not UTF-8: --output 'FOLDER/{name}.txt' keeps any bytes, as files"
        )
      }
    case .json:
      guard Self.value(bytes) != nil else {
        throw UnmendableFailure(
          "its output is not one JSON value: leave --json-output out for texts, or give --output for any bytes"
        )
      }
    }
  }

  /// The sector's result, of bytes of this form.
  func result(_ bytes: Data) -> any Encodable & Sendable {
    switch self {
    case .text, .bytes: String(decoding: bytes, as: UTF8.self)
    case .json: JSONResult(value: Self.value(bytes) ?? .null, outputBytes: bytes.count)
    }
  }

  private static func value(_ bytes: Data) -> JSONValue? {
    try? JSONDecoder().decode(JSONValue.self, from: bytes)
  }
}

/// A result that knows how many bytes its output had.
package protocol SizedResult {
  var outputBytes: Int { get }
}

extension String: SizedResult {
  package var outputBytes: Int { utf8.count }
}

/// A result of JSON, which stands for itself.
struct JSONResult: Encodable, Sendable, SizedResult {
  let value: JSONValue
  let outputBytes: Int

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension UnsafeRawBufferPointer {
  /// Where the first bytes are that are not UTF-8; `nil` if all are.
  fileprivate var endOfUTF8: Int? {
    guard String(validating: self, as: UTF8.self) == nil else { return nil }
    var (parser, rest, place) = (UTF8.ForwardParser(), makeIterator(), 0)
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { place += scalar.count }
    return place
  }
}

/// Any JSON value.
enum JSONValue: Codable, Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case unsigned(UInt)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(UInt.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }
}
