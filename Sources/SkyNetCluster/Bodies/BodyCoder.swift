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
    plainDecoder = .ofValues()
    // A value of no bulk bytes refers to some, too.
    plainDecoder.userInfo[.bulkReader] = BulkReader(Data())
  }

  /// - Throws: `CallFailure` if the message is larger than a peer takes; what `value` throws.
  package func encode<Value: MessageBody>(_ value: Value, as kind: FrameKind) throws -> Message {
    var body = BodyWriter()
    try value.write(to: &body)
    try body.checkSize(of: Value.content)
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
    let decoder = JSONDecoder.ofValues()
    decoder.userInfo[.bulkReader] = BulkReader(bulk)
    return decoder
  }
}

/// What the body of a call or of its answer holds. A `Codable` value is coded by Foundation.
package protocol MessageBody: Sendable {
  /// What a body of this type has, for people who read that it is too large.
  static var content: String { get }
  func write(to body: inout BodyWriter) throws
  init(from message: Message, by coder: BodyCoder) throws
}

extension MessageBody {
  package static var content: String { "a message" }
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
  /// Whether bulk bytes are only counted.
  private let isMeasure: Bool

  /// - Parameter isMeasure: whether the body is not sent, but shows whether it could be.
  init(isMeasure: Bool = false) { self.isMeasure = isMeasure }

  var bulk: Data { made?.bulk.bytes ?? Data() }

  /// Whether a value can be sent, as far as it says itself.
  static func hasRoom(for value: Any) -> Bool {
    guard let bound = (value as? any SizedValue)?.sizeBound else { return false }
    return bound.json < WireLimits().body / 2 && bound.bulk <= WireLimits().bulk
  }

  /// - Throws: `CallFailure` if a peer would take the body for too large, however often it came.
  func checkSize(of content: String) throws(CallFailure) {
    let (limits, bulk) = (WireLimits(), made?.bulk.count ?? 0)
    guard json.bytes.count > limits.body || bulk > limits.bulk else { return }
    let (count, limit, what, advice) =
      json.bytes.count > limits.body
      ? (
        json.bytes.count, limits.body, "JSON", "put numbers into BulkBytes, or cut smaller sectors"
      )
      : (bulk, limits.bulk, "bulk", "cut smaller sectors")
    throw CallFailure(
      .tooLarge,
      "\(content): \(count) bytes of \(what), of which at most \(limit) can be sent: \(advice)")
  }

  mutating func add(_ value: some Encodable) throws {
    if json.add(plain: value) { return }
    let encoder = made?.encoder ?? makeEncoder()
    // A value that encodes nothing is an error by itself, but an empty object as a part of another value.
    json.add(
      json: try (try? encoder.encode(value)) ?? encoder.encode([value]).dropFirst().dropLast())
  }

  /// - Parameter content: what the value is, for people.
  /// - Throws: `CallFailure` if it cannot be coded: nor can it be at another attempt.
  mutating func add(_ value: some Encodable, called content: String) throws(CallFailure) {
    do {
      try add(value)
    } catch {
      throw CallFailure(.unmendable, "\(content) cannot be sent: \(error)".bounded)
    }
  }

  private mutating func makeEncoder() -> JSONEncoder {
    let (encoder, bulk) = (JSONEncoder.ofValues(), BulkWriter(isMeasure: isMeasure))
    encoder.userInfo[.bulkWriter] = bulk
    made = (encoder, bulk)
    return encoder
  }
}
