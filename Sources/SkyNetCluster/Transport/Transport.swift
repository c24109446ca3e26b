/// How a node or an engagement reaches its peers, and which peers it trusts.
///
/// `Transport.tcp(_:)` of SkyNetTransport is the cluster's own network. For tests, SkyNetTestKit's
/// `InMemoryNetwork` makes transports that stay inside the process.
public struct Transport: Sendable {
  package let peers: any PeerTransport

  package init(_ peers: any PeerTransport) { self.peers = peers }
}
