import SkyNetCore

/// The nodes that connected peers relay connections to. Each tells of them in its pings.
actor RelayedNodes: EngineActor, Discovery {
  nonisolated let executor: any EngineExecutor
  /// The peers that were found, by their names here.
  private var found: [String: DiscoveredPeer] = [:]
  private var watchers: [AsyncStream<DiscoveryEvent>.Continuation] = []

  init(on executor: any EngineExecutor) { self.executor = executor }

  /// A peer at this endpoint relays connections to these nodes from now on, and to no others.
  func update(_ relay: Hello, at endpoint: Endpoint, _ nodes: [RelayedNode]) {
    let present = Dictionary(
      nodes.map { node in
        // Names are for people, so two nodes may have the same one.
        let id = node.incarnation.description.prefix(8)
        var peer = DiscoveredPeer(
          name: "\(node.name) (\(id)) through \(endpoint)", endpoints: [endpoint],
          incarnation: node.incarnation, fingerprints: node.fingerprint.map { [$0] } ?? [])
        peer.relay = relay.incarnation
        return (peer.name, peer)
      }, uniquingKeysWith: { first, _ in first })
    let former = found.filter { $0.value.relay == relay.incarnation }
    for name in former.keys where present[name] == nil {
      found[name] = nil
      report(.lost(name: name))
    }
    for (name, peer) in present where former[name] != peer {
      found[name] = peer
      report(.found(peer))
    }
  }

  private func report(_ event: DiscoveryEvent) {
    watchers.removeAll { if case .terminated = $0.yield(event) { true } else { false } }
  }

  nonisolated func events() -> AsyncStream<DiscoveryEvent> {
    let (stream, watcher) = AsyncStream.makeStream(of: DiscoveryEvent.self)
    tell { nodes in
      for peer in nodes.found.values { watcher.yield(.found(peer)) }
      nodes.watchers.append(watcher)
    }
    return stream
  }
}
