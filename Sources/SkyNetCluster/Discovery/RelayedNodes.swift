import SkyNetCore
import Synchronization

/// The nodes that connected peers relay connections to. Each tells of them in its pings.
final class RelayedNodes: Discovery {
  fileprivate struct State {
    /// The peers that were found, by their names here.
    var found: [String: DiscoveredPeer] = [:]
    var watchers: [AsyncStream<DiscoveryEvent>.Continuation] = []
  }

  private let state = Mutex(State())

  /// A peer relays connections to these nodes from now on, and to no others.
  ///
  /// - Parameters:
  ///   - relay: the peer that relays.
  ///   - endpoint: where to connect to that peer.
  func update(_ relay: Hello, at endpoint: Endpoint, _ nodes: [RelayedNode]) {
    let present = Dictionary(
      nodes.map { node in
        (
          Self.name(of: node, through: endpoint),
          DiscoveredPeer(
            name: Self.name(of: node, through: endpoint), endpoints: [endpoint],
            incarnation: node.incarnation, fingerprint: node.fingerprint,
            relay: relay.incarnation)
        )
      }, uniquingKeysWith: { first, _ in first })
    state.withLock { state in
      let former = state.found.filter { $0.value.relay == relay.incarnation }
      for name in former.keys where present[name] == nil {
        state.found[name] = nil
        state.report(.lost(name: name))
      }
      for (name, peer) in present where former[name] != peer {
        state.found[name] = peer
        state.report(.found(peer))
      }
    }
  }

  /// Names are for people, so two nodes may have the same one.
  private static func name(of node: RelayedNode, through relay: Endpoint) -> String {
    "\(node.name) (\(node.incarnation.description.prefix(8))) through \(relay)"
  }

  func events() -> AsyncStream<DiscoveryEvent> {
    let (stream, watcher) = AsyncStream.makeStream(of: DiscoveryEvent.self)
    state.withLock { state in
      for peer in state.found.values { watcher.yield(.found(peer)) }
      state.watchers.append(watcher)
    }
    return stream
  }
}

extension RelayedNodes.State {
  fileprivate mutating func report(_ event: DiscoveryEvent) {
    watchers.removeAll { if case .terminated = $0.yield(event) { true } else { false } }
  }
}
