import Foundation
import SkyNetCore

/// Writes the parts of one body, one after another. It makes a `JSONEncoder` only if a part needs one.
package struct BodyWriter: Sendable {
  var json = PlainJSON()
  private var made: (encoder: JSONEncoder, bulk: BulkWriter)?

  /// The bulk bytes of all parts.
  var bulk: Data { made?.bulk.bytes ?? Data() }

  /// Adds a value's JSON.
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
