// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

/// A node that has dialled another one, which relays connections to it.
package struct RelayedNode: Hashable, Codable, Sendable {
  /// The most nodes that one process tells of, so that a ping has room for them.
  package static let limit = 256

  /// Its name, for people.
  package let name: String
  package let incarnation: Incarnation
  /// The fingerprint of the key by which it has dialled.
  package let fingerprint: String?

  package init(name: String, incarnation: Incarnation, fingerprint: String?) {
    self.name = name
    self.incarnation = incarnation
    self.fingerprint = fingerprint
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decodeName(forKey: .name)
    incarnation = try container.decode(Incarnation.self, forKey: .incarnation)
    fingerprint =
      container.contains(.fingerprint)
      ? try container.decodeLine(atMost: 64, forKey: .fingerprint) : nil
  }
}
