package import Foundation
package import SkyNetCore

/// Turns values into messages' bodies and back: JSON, with bulk bytes beside it.
package struct BodyCoder: Sendable {
  private let registry: ScanRegistry
  /// For bodies without bulk bytes; making a decoder takes longer than some of them.
  private let plainDecoder: JSONDecoder

  package init(registry: ScanRegistry) {
    self.registry = registry
    plainDecoder = JSONDecoder()
    plainDecoder.userInfo[.scanRegistry] = registry
    // `Pixels` of no bytes have a place among them too.
    plainDecoder.userInfo[.bulkReader] = BulkReader(Data())
  }

  package func encode(_ value: some Encodable) throws -> (body: Data, bulk: Data) {
    let bulk = BulkWriter()
    let encoder = JSONEncoder()
    encoder.userInfo[.bulkWriter] = bulk
    return (try encoder.encode(value), bulk.bytes)
  }

  package func decode<Value: Decodable>(_ type: Value.Type, from message: Message) throws -> Value {
    guard !message.bulk.isEmpty else { return try plainDecoder.decode(type, from: message.body) }
    return try decoder(for: message).decode(type, from: message.body)
  }

  /// The argument at an index of an array of them. The array is gone through anew for each, as
  /// their types become known one at a time.
  package func decodeArgument<Value: Decodable>(
    _ type: Value.Type, at index: Int, from message: Message
  ) throws -> Value {
    let decoder = decoder(for: message)
    decoder.userInfo[.argumentIndex] = index
    return try decoder.decode(ArgumentAt<Value>.self, from: message.body).value
  }

  private func decoder(for message: Message) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo[.scanRegistry] = registry
    decoder.userInfo[.bulkReader] = BulkReader(message.bulk)
    return decoder
  }
}

private struct ArgumentAt<Value: Decodable>: Decodable {
  private struct Skipped: Decodable {
    init(from decoder: any Decoder) {}
  }

  let value: Value

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let index = decoder.userInfo[.argumentIndex] as? Int ?? 0
    for _ in 0..<index { _ = try container.decode(Skipped.self) }
    value = try container.decode(Value.self)
  }
}

extension CodingUserInfoKey {
  // A constant text is always a valid key.
  static let scanRegistry = CodingUserInfoKey(rawValue: "skynet.scanRegistry")!
  static let argumentIndex = CodingUserInfoKey(rawValue: "skynet.argumentIndex")!
}
