public import struct Foundation.UUID

/// The identity of a process, made when it starts. (Its name is only for people.) A process that
/// restarts is another incarnation, and answers from the old one are ignored.
public struct Incarnation: Hashable, Sendable {
  /// The random UUID that tells the process from all others.
  public let uuid: UUID

  /// Makes a new identity, with a random UUID.
  public init() { uuid = UUID() }

  /// Makes the identity with this UUID, as another process has told it.
  public init(uuid: UUID) { self.uuid = uuid }

  /// The UUID as two words: comparing and hashing these is several times quicker than with sixteen
  /// bytes.
  private var words: (UInt64, UInt64) {
    withUnsafeBytes(of: uuid.uuid) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }

  public static func == (a: Incarnation, b: Incarnation) -> Bool { a.words == b.words }

  public func hash(into hasher: inout Hasher) {
    let words = words
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}

extension Incarnation: Comparable {
  /// An arbitrary but fixed order.
  public static func < (a: Incarnation, b: Incarnation) -> Bool { a.uuid < b.uuid }
}

extension Incarnation: LosslessStringConvertible, Codable, TextCoded {
  package static let otherText = "no UUID"

  /// Reads a UUID; `nil` if the text is none.
  public init?(_ description: String) {
    guard let uuid = UUID(uuidString: description) else { return nil }
    self.uuid = uuid
  }

  public var description: String { uuid.uuidString }
}
