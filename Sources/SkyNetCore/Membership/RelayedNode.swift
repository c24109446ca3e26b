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
    name = try container.decode(String.self, forKey: .name)
    guard PeerName.isAllowed(name) else {
      throw DecodingError.dataCorruptedError(
        forKey: .name, in: container, debugDescription: "a name that cannot be")
    }
    incarnation = try container.decode(Incarnation.self, forKey: .incarnation)
    fingerprint = try container.decodeIfPresent(String.self, forKey: .fingerprint)
    guard PeerName.isShortLine(fingerprint ?? "", atMost: 64) else {
      throw DecodingError.dataCorruptedError(
        forKey: .fingerprint, in: container, debugDescription: "a fingerprint that cannot be")
    }
  }
}
