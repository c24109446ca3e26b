// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

/// The body of a ping: what its sender has others know of, beside being alive.
package struct PingBody: Hashable, Sendable {
  /// The engagements that run in the sender.
  package let engagements: [EngagementSummary]
  /// The nodes that the sender relays connections to.
  package let relayed: [RelayedNode]

  /// Leaves out what is over the limits.
  package init(engagements: [EngagementSummary] = [], relayed: [RelayedNode] = []) {
    self.engagements = Array(engagements.prefix(EngagementSummary.limit))
    self.relayed = Array(relayed.prefix(RelayedNode.limit))
  }
}

extension PingBody: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    engagements =
      try container.decodeIfPresent([EngagementSummary].self, forKey: .engagements) ?? []
    guard engagements.count <= EngagementSummary.limit else {
      throw DecodingError.dataCorruptedError(
        forKey: .engagements, in: container,
        debugDescription: "\(engagements.count) engagements of one process")
    }
    relayed = try container.decodeIfPresent([RelayedNode].self, forKey: .relayed) ?? []
    guard relayed.count <= RelayedNode.limit else {
      throw DecodingError.dataCorruptedError(
        forKey: .relayed, in: container,
        debugDescription: "\(relayed.count) nodes behind one process")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(engagements, forKey: .engagements)
    if !relayed.isEmpty { try container.encode(relayed, forKey: .relayed) }
  }

  private enum CodingKeys: CodingKey {
    case engagements, relayed
  }
}
