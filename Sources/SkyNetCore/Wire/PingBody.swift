// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

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
