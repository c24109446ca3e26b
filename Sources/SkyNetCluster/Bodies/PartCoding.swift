import Foundation
import SkyNetCore

/// Writes the parts of one message, one after another. It makes a `JSONEncoder` only if a part needs one.
struct PartEncoder {
  var json = PlainJSON()
  private var made: (encoder: JSONEncoder, writer: BulkWriter)?
  private let writtenBulk: Data

  /// - Parameter beginning: what was written before. Further parts then have no bulk bytes.
  init(after beginning: WrittenOutput? = nil) {
    json = beginning?.json ?? PlainJSON()
    writtenBulk = beginning?.bulk ?? Data()
  }

  /// The bulk bytes of all parts.
  var bulk: Data { made?.writer.bytes ?? writtenBulk }

  /// Adds a value's JSON. Returns whether that was possible. It is not for a value that encodes nothing, which
  /// is an error by itself, but an empty object as a member of another value.
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
    if let value = text.plain(type) { return value }
    // A decoder guesses the encoding of a text by its first bytes, and might guess another one for a part than
    // for the whole message.
    guard let first = text.first, first < 0x80, !text.prefix(4).contains(0) else { return nil }
    return try? coder.decoder(for: bulk).decode(type, from: Data(text))
  }

  func scan(of kind: JSONText) -> (any Scan)? { coder.registry.scan(writtenAs: kind) }
}
