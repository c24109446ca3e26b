public import struct Foundation.Data

/// Bulk bytes inside a Codable value.
///
/// In a message, the bytes travel unchanged beside the JSON, and the JSON holds only their position
/// among the message's bulk bytes. A coder without a `BulkWriter` or `BulkReader` in its
/// `userInfo` codes them as it codes `Data` (in JSON, as base64).
public struct BulkBytes: Hashable, Sendable {
  /// The bytes. Those that come from a message are a slice of its own, so that their indices need not begin at 0.
  public var bytes: Data

  /// Makes a value that holds these bytes, without a copy.
  public init(_ bytes: Data) {
    self.bytes = bytes
  }
}

extension BulkBytes: Codable {
  private enum CodingKeys: String, CodingKey {
    case offset, count
  }

  public init(from decoder: any Decoder) throws {
    guard let reader = decoder.userInfo[.bulkReader] as? BulkReader else {
      bytes = try decoder.singleValueContainer().decode(Data.self)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let offset = try container.decode(Int.self, forKey: .offset)
    let count = try container.decode(Int.self, forKey: .count)
    guard let slice = reader.slice(offset: offset, count: count) else {
      throw DecodingError.dataCorruptedError(
        forKey: .count, in: container,
        debugDescription:
          "\(count) bytes from \(offset) are not within the message's \(reader.bytes.count), "
          + "or belong to others too")
    }
    bytes = slice
  }

  public func encode(to encoder: any Encoder) throws {
    guard let writer = encoder.userInfo[.bulkWriter] as? BulkWriter else {
      var container = encoder.singleValueContainer()
      return try container.encode(bytes)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(writer.append(bytes), forKey: .offset)
    try container.encode(bytes.count, forKey: .count)
  }
}
