import Foundation
package import SkyNetCore

/// Turns values into bodies of messages, and back. A body is JSON, with bulk bytes beside it.
///
/// Foundation's coders took a third of the time that it cost to hand out a task, most of it to look up types.
/// So tasks and results are written and read member by member. Foundation codes only the members whose types a
/// scan's author defined, unless these are plain numbers or strings, and all other bodies.
package struct BodyCoder: Sendable {
  let registry: ScanRegistry
  let settings = SettingsMemory()
  /// The decoder of bodies without bulk bytes. To make a decoder takes longer than to decode some bodies.
  private let plainDecoder: JSONDecoder

  package init(registry: ScanRegistry) {
    self.registry = registry
    plainDecoder = JSONDecoder()
    // A value of no bulk bytes refers to some, too.
    plainDecoder.userInfo[.bulkReader] = BulkReader(Data())
  }

  package func encode(_ value: some MessageBody, as kind: FrameKind) throws -> Message {
    var body = BodyWriter()
    try value.write(to: &body)
    return Message(kind, body: body.json.data, bulk: body.bulk)
  }

  package func decode<Value: MessageBody>(
    _ type: Value.Type, from message: Message
  ) throws -> Value {
    try Value(from: message, by: self)
  }

  /// Decodes a value from its JSON, which is a whole body or a part of one.
  func decode<Value: Decodable>(
    _ type: Value.Type, from text: JSONText, bulk: Data
  ) throws -> Value {
    if let value = text.plain(type) { return value }
    // A decoder guesses the encoding of a text by its first bytes, and might guess another one for a part than
    // for the whole body.
    guard let first = text.first, first < 0x80, !text.prefix(4).contains(0) else {
      throw DecodingError.body("a value is empty, or not UTF-8")
    }
    return try decoder(for: bulk).decode(type, from: Data(text))
  }

  /// A decoder for values that came with these bulk bytes. It may be shared with the readers of other messages,
  /// so a caller must not change it.
  private func decoder(for bulk: Data) -> JSONDecoder {
    guard !bulk.isEmpty else { return plainDecoder }
    let decoder = JSONDecoder()
    decoder.userInfo[.bulkReader] = BulkReader(bulk)
    return decoder
  }
}

/// What the body of a call or of its answer holds. A `Codable` value is coded by Foundation.
package protocol MessageBody: Sendable {
  func write(to body: inout BodyWriter) throws
  init(from message: Message, by coder: BodyCoder) throws
}

extension MessageBody where Self: Codable {
  package func write(to body: inout BodyWriter) throws { try body.add(self) }

  package init(from message: Message, by coder: BodyCoder) throws {
    self = try message.body.withUnsafeBytes {
      try coder.decode(Self.self, from: $0, bulk: message.bulk)
    }
  }
}

extension Int: MessageBody {}
extension Incarnation: MessageBody {}
extension RelayTicket: MessageBody {}
extension SystemStatus: MessageBody {}

/// Writes the parts of one body, one after another. It makes a `JSONEncoder` only if a part needs one.
package struct BodyWriter: Sendable {
  var json = PlainJSON()
  private var made: (encoder: JSONEncoder, bulk: BulkWriter)?

  var bulk: Data { made?.bulk.bytes ?? Data() }

  mutating func add(_ value: some Encodable) throws {
    if json.add(plain: value) { return }
    let encoder = made?.encoder ?? makeEncoder()
    // A value that encodes nothing is an error by itself, but an empty object as a part of another value.
    json.add(
      json: try (try? encoder.encode(value)) ?? encoder.encode([value]).dropFirst().dropLast())
  }

  private mutating func makeEncoder() -> JSONEncoder {
    let (encoder, bulk) = (JSONEncoder(), BulkWriter())
    encoder.userInfo[.bulkWriter] = bulk
    made = (encoder, bulk)
    return encoder
  }
}
