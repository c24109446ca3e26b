public import SkyNetCore

/// Peers named by hand: each is sighted once, under its own address, and never lost.
public struct FixedPeers: Discovery {
  public let endpoints: [Endpoint]

  public init(_ endpoints: [Endpoint]) {
    self.endpoints = endpoints
  }

  public func events() -> AsyncStream<DiscoveryEvent> {
    AsyncStream { events in
      for endpoint in endpoints {
        events.yield(.found(Sighting(name: endpoint.description, endpoints: [endpoint])))
      }
      // Left open: the peers stay sighted for as long as anyone watches.
    }
  }
}
