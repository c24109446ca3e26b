import SkyNetCore
import Synchronization

/// A node that is advertised here, and is of another cluster.
package struct ForeignNode: Hashable, Sendable {
  package let name: String
  /// The address to reach it at; `nil` if none is known.
  package let host: String?
  /// The fingerprint of its cluster's key, of several the newest; `nil` if it does not encrypt.
  package let fingerprint: String?
  /// The account that it runs under, if it runs on this machine; `nil` if it does not, or that is not known.
  package let account: LocalAccount?

  package init(
    name: String, host: String?, fingerprint: String?, account: LocalAccount? = nil
  ) {
    self.name = name
    self.host = host
    self.fingerprint = fingerprint
    self.account = account
  }

  package init(_ peer: DiscoveredPeer) {
    self.init(
      name: peer.name, host: peer.endpoints.first?.host, fingerprint: peer.fingerprints.first,
      account: LocalAccount(listeningAt: peer.endpoints))
  }
}

/// The nodes of other clusters that discovery reports at present.
package final class ForeignNodes: Sendable {
  /// The most nodes that are kept. Anybody on the network can advertise as many as they like.
  private static let limit = 256

  private let own: @Sendable () -> [String]
  private let nodes = Mutex<[String: ForeignNode]>([:])

  /// - Parameter own: the fingerprints of this process's own cluster at present, newest first.
  package init(own: @escaping @Sendable () -> [String]) { self.own = own }

  /// The fingerprint of this process's own cluster, of several the newest; `nil` if it does not encrypt.
  package var ownFingerprint: String? { own().first }

  /// Notes a peer. Returns whether it was not known.
  @discardableResult
  func found(_ peer: DiscoveredPeer) -> Bool {
    nodes.withLock { nodes in
      guard nodes.count < Self.limit || nodes[peer.name] != nil else { return false }
      return nodes.updateValue(ForeignNode(peer), forKey: peer.name) == nil
    }
  }

  /// The peer is gone, or is of this process's own cluster now.
  func lost(_ name: String) { nodes.withLock { _ = $0.removeValue(forKey: name) } }

  /// The nodes, by name.
  package var all: [ForeignNode] {
    nodes.withLock { $0.values.sorted { $0.name < $1.name } }
  }
}
