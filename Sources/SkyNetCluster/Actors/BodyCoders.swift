import Foundation
import SkyNetCore

/// Encodes one message's body as JSON, with its bulk bytes beside it.
struct BodyEncoder {
  func encode(_ value: some Encodable) throws -> (body: Data, bulk: Data) {
    let bulk = BulkWriter()
    let encoder = JSONEncoder()
    encoder.userInfo[.bulkWriter] = bulk
    return (try encoder.encode(value), bulk.bytes)
  }
}

/// Decodes one message's body from JSON and the bulk bytes beside it.
struct BodyDecoder {
  let registry: ScanRegistry
  let bulk: Data

  func decode<Value: Decodable>(
    _ type: Value.Type, from body: Data, index: Int = 0
  ) throws -> Value {
    let decoder = JSONDecoder()
    decoder.userInfo[.scanRegistry] = registry
    decoder.userInfo[.bulkReader] = BulkReader(bulk)
    decoder.userInfo[.argumentIndex] = index
    return try decoder.decode(type, from: body)
  }
}

extension CodingUserInfoKey {
  // A constant text is always a valid key.
  static let scanRegistry = CodingUserInfoKey(rawValue: "skynet.scanRegistry")!
  static let argumentIndex = CodingUserInfoKey(rawValue: "skynet.argumentIndex")!
}
