import Foundation
import SkyNetCore

/// A value whose JSON is an object of few members, most of them plain.
///
/// To find their way through a task's types takes Foundation's coders longer than all else that is
/// done to hand it out. So its object is written and read here, and only what a scan's author
/// defined, and is not plain itself, is left to them.
protocol PartwiseCoded: Codable {
  /// Writes the same object as the value's `encode(to:)`. Returns `false` if that has to do it.
  func write(to parts: inout PartEncoder) -> Bool

  /// Reads the object; `nil` if that is left to `init(from:)`, which also says what is wrong.
  init?(_ text: JSONText, of parts: PartDecoder)
}

/// Writes the parts of one message, one after another. It makes an encoder only if one is needed.
struct PartEncoder {
  var json = PlainJSON()
  private var made: (encoder: JSONEncoder, writer: BulkWriter)?

  /// The bulk bytes of all parts.
  var bulk: Data { made?.writer.bytes ?? Data() }

  /// Adds a value's JSON. Returns whether that was possible: a value that encodes nothing is an
  /// empty object as a member, and an error by itself.
  mutating func add(_ value: some Encodable) -> Bool {
    if json.add(plain: value) { return true }
    guard let encoded = try? encode(value) else { return false }
    json.add(json: encoded)
    return true
  }

  mutating func encode(_ value: some Encodable) throws -> Data {
    let encoder = made?.encoder ?? make()
    return try encoder.encode(value)
  }

  private mutating func make() -> JSONEncoder {
    let (encoder, writer) = (JSONEncoder(), BulkWriter())
    encoder.userInfo[.bulkWriter] = writer
    made = (encoder, writer)
    return encoder
  }
}

/// Decodes the parts of one message.
struct PartDecoder {
  let coder: BodyCoder
  let bulk: Data

  func decode<Value: Decodable>(_ type: Value.Type, from text: JSONText) -> Value? {
    text.plain(type) ?? (try? coder.decoder(for: bulk).decode(type, from: Data(text)))
  }

  func scan(of kind: JSONText) -> (any Scan)? { coder.registry.scan(writtenAs: kind) }
}
