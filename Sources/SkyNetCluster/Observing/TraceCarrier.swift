// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

import SkyNetCore
import Tracing

/// A span's context on its way to another process: the names and values that the sender's tracer writes and the
/// receiver's reads, such as `traceparent` of the W3C's Trace Context.
///
/// A scan counts for more than its span. So a context that is too large, or that cannot be read, is left out,
/// and its scan is served all the same.
struct TraceCarrier: Hashable, Sendable {
  /// How many values a context has at most, and how many bytes of text.
  static let (countLimit, byteLimit) = (16, 4096)

  private(set) var values: [String: String] = [:]

  /// Whether there is anything to send, within the limits.
  var isFit: Bool {
    !values.isEmpty && values.count <= Self.countLimit
      && values.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } <= Self.byteLimit
  }
}

extension TraceCarrier: Injector, Extractor {
  typealias Carrier = TraceCarrier

  func inject(_ value: String, forKey key: String, into carrier: inout TraceCarrier) {
    carrier.values[key] = value
  }

  func extract(key: String, from carrier: TraceCarrier) -> String? { carrier.values[key] }
}

extension TraceCarrier: Codable {
  init(from decoder: any Decoder) throws {
    values = try decoder.singleValueContainer().decode([String: String].self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }
}

extension TraceCarrier {
  /// Reads an object whose names and values have no escapes; `nil` if a decoder has to read it.
  init?(_ text: JSONText) {
    let isTaken = text.forEachMember { key, value in
      guard let value = value.plainText, key.allSatisfy(\.isPlainInKeys) else { return false }
      return values.updateValue(value, forKey: String(decoding: key, as: UTF8.self)) == nil
    }
    guard isTaken else { return nil }
  }

  /// Writes the object. Returns `false` if an encoder has to write it.
  func write(to json: inout PlainJSON) -> Bool {
    var isFirst = true
    json.add(syntax: "{")
    // In order, so that the same context is the same text.
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      if !isFirst { json.add(syntax: ",") }
      isFirst = false
      guard json.add(text: key) else { return false }
      json.add(syntax: ":")
      guard json.add(text: value) else { return false }
    }
    json.add(syntax: "}")
    return true
  }
}

extension UInt8 {
  /// Whether a key that has ended before a quotation mark has this character without an escape.
  fileprivate var isPlainInKeys: Bool { (0x20..<0x7F).contains(self) && self != UInt8(ascii: "\\") }
}
