public import SkyNetCore

/// Peers that were named by hand: each is found once, with its address as its name, and never lost.
public struct FixedPeers: Discovery {
  /// Where the peers are.
  public let endpoints: [Endpoint]

  /// - Parameter endpoints: where the peers are.
  public init(_ endpoints: [Endpoint]) {
    self.endpoints = endpoints
  }

  /// Yields each peer once. The stream ends when its task is cancelled.
  public func events() -> AsyncStream<DiscoveryEvent> {
    AsyncStream { events in
      for endpoint in endpoints {
        events.yield(.found(DiscoveredPeer(name: endpoint.description, endpoints: [endpoint])))
      }
      // The stream stays open until its task is cancelled: if it ended, the cluster would disconnect from the
      // peers.
    }
  }
}
