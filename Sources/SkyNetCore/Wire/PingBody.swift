/// The body of a ping: what its sender has others know of, beside being alive.
package struct PingBody: Hashable, Sendable, Codable {
  /// The engagements that run in the sender.
  package let engagements: [EngagementSummary]
  /// The nodes that the sender relays connections to.
  package let relayed: [RelayedNode]

  /// Leaves out what is over the limits.
  package init(engagements: [EngagementSummary] = [], relayed: [RelayedNode] = []) {
    self.engagements = Array(engagements.prefix(EngagementSummary.limit))
    self.relayed = Array(relayed.prefix(RelayedNode.limit))
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    engagements = try container.decodeList(atMost: EngagementSummary.limit, forKey: .engagements)
    relayed = try container.decodeList(atMost: RelayedNode.limit, forKey: .relayed)
  }
}

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
