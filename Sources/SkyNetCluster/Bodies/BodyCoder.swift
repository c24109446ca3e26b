package import Foundation
package import SkyNetCore

/// Turns values into messages' bodies and back: JSON, with bulk bytes beside it.
///
/// To find their way through a task's types took Foundation's coders a third of what it cost to hand
/// it out. So tasks and results, objects of few members, most of them plain, are put together from
/// their parts here, and taken apart again; only what a scan's author defined, and is not plain
/// itself, is left to the coders. All other values, and what of these looks otherwise than SkyNet
/// writes it, goes through them as a whole. The two ways read and write the same.
package struct BodyCoder: Sendable {
  let registry: ScanRegistry
  let settings = SettingsMemory()
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
    var parts = PartEncoder()
    let isWritten =
      if let task = value as? ScanTask {
        task.write(to: &parts)
      } else if let result = value as? ScanResult {
        result.write(to: &parts)
      } else {
        false
      }
    return isWritten ? (parts.json.data, parts.bulk) : try encodeWhole(value)
  }

  func encodeWhole(_ value: some Encodable) throws -> (body: Data, bulk: Data) {
    var whole = PartEncoder()
    return (try whole.encode(value), whole.bulk)
  }

  package func decode<Value: Decodable>(_ type: Value.Type, from message: Message) throws -> Value {
    if type == ScanTask.self, let task = try decodeTask(from: message) as? Value { return task }
    if type == ScanResult.self, let result = try decodeResult(from: message) as? Value {
      return result
    }
    return try decodeWhole(type, from: message)
  }

  /// ``decode(_:from:)`` of a task. A caller that knows the type spares the cast to it, which takes a while.
  func decodeTask(from message: Message) throws -> ScanTask {
    let parts = PartDecoder(coder: self, bulk: message.bulk)
    return try message.body.withJSONText { ScanTask($0, of: parts) }
      ?? decodeWhole(ScanTask.self, from: message)
  }

  /// ``decode(_:from:)`` of a result; see ``decodeTask(from:)``.
  func decodeResult(from message: Message) throws -> ScanResult {
    let parts = PartDecoder(coder: self, bulk: message.bulk)
    return try message.body.withJSONText { ScanResult($0, of: parts) }
      ?? decodeWhole(ScanResult.self, from: message)
  }

  package func decodeWhole<Value: Decodable>(
    _ type: Value.Type, from message: Message
  ) throws -> Value {
    try decoder(for: message.bulk).decode(type, from: message.body)
  }

  /// A decoder of what came with these bulk bytes. It belongs to others too, and is not changed.
  func decoder(for bulk: Data) -> JSONDecoder {
    guard !bulk.isEmpty else { return plainDecoder }
    let decoder = JSONDecoder()
    decoder.userInfo[.scanRegistry] = registry
    decoder.userInfo[.bulkReader] = BulkReader(bulk)
    return decoder
  }
}

extension CodingUserInfoKey {
  // A constant text is always a valid key.
  static let scanRegistry = CodingUserInfoKey(rawValue: "skynet.scanRegistry")!
}
