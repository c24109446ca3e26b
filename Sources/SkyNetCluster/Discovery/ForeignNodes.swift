import SkyNetCore

/// A node that is advertised here, and is of another cluster.
package struct ForeignNode: Hashable, Sendable {
  package let name: String
  /// The address to reach it at; `nil` if none is known.
  package let host: String?
  /// The fingerprint of its cluster's key, of several the newest; `nil` if it does not encrypt.
  package let fingerprint: String?
  /// The account that it runs under, if it runs on this machine; `nil` if it does not, or that is not known.
  package internal(set) var account: LocalAccount?

  package init(
    name: String, host: String?, fingerprint: String?, account: LocalAccount? = nil
  ) {
    self.name = name
    self.host = host
    self.fingerprint = fingerprint
    self.account = account
  }

  /// Its account is not known yet: to look it up takes files, and perhaps a directory service.
  init(_ peer: DiscoveredPeer) {
    self.init(
      name: peer.name, host: peer.endpoints.first?.host, fingerprint: peer.fingerprints.first)
  }
}

/// The nodes of other clusters that discovery reports at present.
package struct ForeignNodes: Sendable {
  /// The most nodes that are kept. Anybody on the network can advertise as many as they like.
  private static let limit = 256

  private var nodes: [String: ForeignNode] = [:]

  /// Notes a peer. Returns whether it was not known.
  @discardableResult
  mutating func found(_ peer: DiscoveredPeer) -> Bool {
    guard nodes.count < Self.limit || nodes[peer.name] != nil else { return false }
    return nodes.updateValue(ForeignNode(peer), forKey: peer.name) == nil
  }

  /// The account of a node is known now.
  mutating func note(_ account: LocalAccount, of name: String) { nodes[name]?.account = account }

  /// The peer is gone, or is of this process's own cluster now.
  mutating func lost(_ name: String) { nodes[name] = nil }

  /// The nodes, by name.
  package var all: [ForeignNode] { nodes.values.sorted { $0.name < $1.name } }
}
