package import Foundation
package import SkyNetCore

/// Turns values into messages' bodies and back: JSON, with bulk bytes beside it.
///
/// Foundation's coders took a third of what it cost to hand a task out, to find their way through its
/// types. So this coder writes tasks and results member by member, and reads them so again; it leaves
/// to Foundation only those members whose types a scan's author defined, unless they are plain numbers
/// or texts. Foundation codes all other values as a whole, and also a task or result that is written
/// otherwise than SkyNet writes it. The two ways read and write the same.
package struct BodyCoder: Sendable {
  let registry: ScanRegistry
  let settings = SettingsMemory()
  /// For bodies without bulk bytes; making a decoder takes longer than some of them.
  private let plainDecoder: JSONDecoder

  package init(registry: ScanRegistry) {
    self.registry = registry
    plainDecoder = JSONDecoder()
    plainDecoder.userInfo[.scanRegistry] = registry
    // `Pixels` of no bytes refer to bulk bytes too.
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

  /// A decoder of what came with these bulk bytes. Other messages' readers use it too: do not change it.
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
