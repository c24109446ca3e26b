public import struct Foundation.UUID

/// The real identity of a process, made when it starts; its name is for people. A system that
/// restarts is another incarnation, and answers from the old one are ignored.
public struct Incarnation: Hashable, Sendable {
  public let uuid: UUID

  public init() { uuid = UUID() }

  public init(uuid: UUID) { self.uuid = uuid }
}

extension Incarnation: Comparable {
  /// Any order will do, as long as it is one.
  public static func < (a: Incarnation, b: Incarnation) -> Bool { a.uuid < b.uuid }
}

extension Incarnation: LosslessStringConvertible {
  public init?(_ description: String) {
    guard let uuid = UUID(uuidString: description) else { return nil }
    self.uuid = uuid
  }

  public var description: String { uuid.uuidString }
}

extension Incarnation: Codable {
  public init(from decoder: any Decoder) throws {
    uuid = try decoder.singleValueContainer().decode(UUID.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uuid)
  }
}
