public import SkyNetCore

/// A peer that discovery has found, with its endpoints. Only a connection shows whether the peer is there.
public struct DiscoveredPeer: Hashable, Sendable {
  /// The name that the peer is advertised under, or its address if it was named by hand. All events about a
  /// peer carry the same name.
  public var name: String
  /// Where to reach the peer, best first; never empty.
  public var endpoints: [Endpoint]
  /// The peer's incarnation; `nil` if it was not advertised.
  public var incarnation: Incarnation?
  /// How many scans the peer runs at a time; `nil` if that was not advertised.
  public var slots: Int?
  /// The version of the protocol that the peer speaks; `nil` if nothing was advertised.
  public var protocolVersion: Int?
  /// The fingerprints of all keys that the peer holds, newest first; empty if the peer does not encrypt, or nothing
  /// was advertised.
  public var fingerprints: [String]
  /// The connected peer through which this one is reached, at that peer's endpoints; `nil` if it is reached directly.
  package var relay: Incarnation?

  /// Makes a peer that is reached directly. What it was not advertised with may be left out.
  public init(
    name: String, endpoints: [Endpoint], incarnation: Incarnation? = nil, slots: Int? = nil,
    protocolVersion: Int? = nil, fingerprints: [String] = []
  ) {
    self.name = name
    self.endpoints = endpoints
    self.incarnation = incarnation
    self.slots = slots
    self.protocolVersion = protocolVersion
    self.fingerprints = fingerprints
  }

  /// Whether the peer may be a member of the cluster with these fingerprints: both hold a key, or neither
  /// encrypts. A peer that was named by hand advertises nothing, and always may.
  package func mayBelong(to own: [String]) -> Bool {
    guard protocolVersion != nil else { return true }
    return own.isEmpty ? fingerprints.isEmpty : fingerprints.contains { own.contains($0) }
  }
}

/// What a ``Discovery`` reports of peers.
public enum DiscoveryEvent: Hashable, Sendable {
  /// A peer has appeared, or its endpoints or other properties have changed.
  case found(DiscoveredPeer)
  /// The peer of that name is no longer advertised.
  case lost(name: String)
  /// For this reason no peer can be found at present. Yielded once, before the next `available`.
  case unavailable(reason: String)
  /// Peers can be found, for the first time or again.
  case available
}

/// A way to find peers: DNS-SD, a fixed list, or another one of the program's own.
public protocol Discovery: Sendable {
  /// Yields the present peers, and then every change, until the stream ends or its task is cancelled. Each call
  /// returns a stream of its own. When a stream ends, the cluster disconnects from its peers.
  func events() -> AsyncStream<DiscoveryEvent>

  /// The peer of this name does not answer where it was found, or no longer: its host may have other addresses
  /// now. A way to find peers that tells of such a change only when it looks looks again, and what it sees comes as
  /// an event. Others do nothing, which is the default.
  func lookAgain(for name: String)
}

extension Discovery {
  public func lookAgain(for name: String) {}
}

/// The properties of a node that it advertises to other programs.
public struct Advertisement: Hashable, Sendable {
  /// The name that the node asks for.
  public var name: String
  /// The TCP port that the node listens on.
  public var port: Int
  /// The one address that the node listens on; `nil` if it listens on all of its machine's. A node that listens on
  /// the loopback interface is not to be advertised to other machines.
  public var address: String?
  /// How many scans the node runs at a time.
  public var slots: Int
  /// The identity of the node's process.
  public var incarnation: Incarnation
  /// The version of the protocol that the node speaks.
  public var protocolVersion: Int
  /// The fingerprints of all keys that the node holds, newest first; empty if the node does not encrypt.
  public var fingerprints: [String]

  /// Makes an advertisement, by default of a node that does not encrypt and listens on all of its machine's addresses.
  public init(
    name: String, port: Int, slots: Int, incarnation: Incarnation, protocolVersion: Int,
    fingerprints: [String] = [], address: String? = nil
  ) {
    self.name = name
    self.port = port
    self.address = address
    self.slots = slots
    self.incarnation = incarnation
    self.protocolVersion = protocolVersion
    self.fingerprints = fingerprints
  }
}

/// What an ``Advertiser`` reports of a node.
public enum AdvertisementEvent: Hashable, Sendable {
  /// The node is registered under this name, which is not the one it asked for if another node has that.
  case registered(name: String)
  /// For this reason the node is not registered at present. The advertiser tries again until it is cancelled.
  /// Yielded once, before the next `registered`.
  case unavailable(reason: String)
}

/// A way to make a node known to other programs: DNS-SD, or another one of the program's own.
public protocol Advertiser: Sendable {
  /// Advertises the node until the stream ends or its task is cancelled, and then withdraws the
  /// advertisement.
  func advertise(_ advertisement: Advertisement) -> AsyncStream<AdvertisementEvent>
}

/// Peers that were named by hand: each is found once, with its address as its name, and never lost.
public struct FixedPeers: Discovery {
  /// Where to reach the peers, one endpoint for each.
  public let endpoints: [Endpoint]

  /// Makes a way to find one peer at each of these endpoints.
  public init(_ endpoints: [Endpoint]) {
    self.endpoints = endpoints
  }

  /// Yields each peer once. If the stream then ended, the cluster would disconnect from the peers.
  public func events() -> AsyncStream<DiscoveryEvent> {
    AsyncStream { events in
      for endpoint in endpoints {
        events.yield(.found(DiscoveredPeer(name: endpoint.description, endpoints: [endpoint])))
      }
    }
  }
}
