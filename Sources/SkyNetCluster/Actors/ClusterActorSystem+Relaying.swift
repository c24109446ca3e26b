import SkyNetCore
import Synchronization

/// What the local actor needs to relay connections, and to meet others where they are relayed.
extension ClusterActorSystem {
  /// Joins connections that peers open to this process; `nil` if it relays none.
  var relay: (any Relay)? { state.withLock { $0.relay } }

  /// From now on this process relays connections to the nodes that have dialled it.
  func setRelay(_ relay: (any Relay)?) { state.withLock { $0.relay = relay } }

  /// The nodes that have dialled this process, if it relays connections.
  var relayedNodes: [RelayedNode] {
    relay == nil ? [] : peers.compactMap(\.relayedNode).sorted { $0.incarnation < $1.incarnation }
  }

  /// Where this process has dialled a peer; `nil` if it has not.
  func dialledEndpoint(of peer: Incarnation) -> Endpoint? {
    guard let link = link(to: peer), link.isDialled else { return nil }
    return Endpoint(link.remoteAddress)
  }

  /// Sets the closure that connects to a process that relays, and serves the peer that is met there.
  func setMeetingHandler(_ handler: @escaping @Sendable (RelayTicket, Endpoint) -> Void) {
    state.withLock { $0.meetingHandler = handler }
  }

  /// Meets a peer. Returns whether this process serves peers that it meets.
  func meet(_ ticket: RelayTicket, at relay: Endpoint) -> Bool {
    guard let handler = state.withLock({ $0.meetingHandler }) else { return false }
    handler(ticket, relay)
    return true
  }
}

extension ClusterActorSystem.ConnectedPeer {
  /// The peer as a node to which this process can relay connections; `nil` if it has not dialled this process, or
  /// runs no scans.
  fileprivate var relayedNode: RelayedNode? {
    guard !link.isDialled, hello.slots > 0 else { return nil }
    return RelayedNode(
      name: hello.name, incarnation: hello.incarnation, fingerprint: link.connection.fingerprint)
  }
}
