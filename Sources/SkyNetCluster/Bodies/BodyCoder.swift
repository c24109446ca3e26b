package import Foundation
package import SkyNetCore

/// Turns values into bodies of messages, and back. A body is JSON, with bulk bytes beside it.
///
/// Foundation's coders took a third of the time that it cost to hand out a task, most of it to look up types.
/// So this coder writes and reads tasks and results member by member. It leaves to Foundation only the members
/// whose types a scan's author defined, unless these are plain numbers or strings. Foundation codes all other
/// values as a whole, and also a task or a result whose JSON has another form than SkyNet writes. The two ways
/// read and write the same JSON.
package struct BodyCoder: Sendable {
  let registry: ScanRegistry
  let settings = SettingsMemory()
  /// The decoder of bodies without bulk bytes. To make a decoder takes longer than to decode some bodies.
  private let plainDecoder: JSONDecoder

  package init(registry: ScanRegistry) {
    self.registry = registry
    plainDecoder = JSONDecoder()
    plainDecoder.userInfo[.scanRegistry] = registry
    // A value of no bulk bytes refers to some, too.
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

  /// Decodes a task like ``decode(_:from:)``, but without the cost of a cast to the type.
  func decodeTask(from message: Message) throws -> ScanTask {
    let parts = PartDecoder(coder: self, bulk: message.bulk)
    return try message.body.withJSONText { ScanTask($0, of: parts) }
      ?? decodeWhole(ScanTask.self, from: message)
  }

  /// Decodes a result like ``decode(_:from:)``, but without the cost of a cast to the type.
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

  /// A decoder for a body that came with these bulk bytes. The decoder may be shared with the readers of other
  /// messages, so a caller must not change it.
  func decoder(for bulk: Data) -> JSONDecoder {
    guard !bulk.isEmpty else { return plainDecoder }
    let decoder = JSONDecoder()
    decoder.userInfo[.scanRegistry] = registry
    decoder.userInfo[.bulkReader] = BulkReader(bulk)
    return decoder
  }
}

extension CodingUserInfoKey {
  // Any string is a valid key.
  static let scanRegistry = CodingUserInfoKey(rawValue: "skynet.scanRegistry")!
}
