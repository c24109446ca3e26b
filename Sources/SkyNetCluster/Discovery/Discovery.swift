public import SkyNetCore

/// Where a peer may be, as its record or a person says; whether it is there, only a connection tells.
public struct Sighting: Hashable, Sendable {
  /// The name it is advertised under, or its address where it was named by hand. Events about
  /// the same peer carry the same name.
  public var name: String
  /// Where to reach it, best first; never empty.
  public var endpoints: [Endpoint]
  /// Its process, where that was advertised.
  public var incarnation: Incarnation?
  public var slots: Int?
  public var protocolVersion: Int?
  /// The fingerprint of the cluster that it trusts; `nil` if it does without encryption, or if
  /// nothing was advertised.
  public var fingerprint: String?

  public init(
    name: String, endpoints: [Endpoint], incarnation: Incarnation? = nil, slots: Int? = nil,
    protocolVersion: Int? = nil, fingerprint: String? = nil
  ) {
    self.name = name
    self.endpoints = endpoints
    self.incarnation = incarnation
    self.slots = slots
    self.protocolVersion = protocolVersion
    self.fingerprint = fingerprint
  }

  /// Whether it may be of the cluster that has this fingerprint. One that was named by hand, and
  /// advertises nothing, may always be.
  public func mayBelong(to fingerprint: String?) -> Bool {
    protocolVersion == nil || self.fingerprint == fingerprint
  }
}

public enum DiscoveryEvent: Hashable, Sendable {
  /// A peer appeared, or what is known of it changed.
  case found(Sighting)
  /// The peer of that name is no longer advertised.
  case lost(name: String)
  /// Nothing can be found just now, for the reason given. Said once, until it mends.
  case unavailable(reason: String)
  /// Peers can be found, for the first time or again.
  case available
}

/// A source of sightings.
public protocol Discovery: Sendable {
  /// Watches from the first iteration until it ends or is cancelled. Each call watches anew.
  func events() -> AsyncStream<DiscoveryEvent>
}

/// What a node says of itself.
public struct Advertisement: Hashable, Sendable {
  public var name: String
  public var port: Int
  public var slots: Int
  public var incarnation: Incarnation
  public var protocolVersion: Int
  /// What its cluster is told from others by; `nil` if it does without encryption.
  public var fingerprint: String?

  public init(
    name: String, port: Int, slots: Int, incarnation: Incarnation, protocolVersion: Int,
    fingerprint: String? = nil
  ) {
    self.name = name
    self.port = port
    self.slots = slots
    self.incarnation = incarnation
    self.protocolVersion = protocolVersion
    self.fingerprint = fingerprint
  }
}

public enum AdvertisementEvent: Hashable, Sendable {
  /// Registered, under the name given, which is the true one: another node may have had the name
  /// asked for.
  case registered(name: String)
  /// Not registered just now, for the reason given; tried again until cancelled. Said once, until
  /// it mends.
  case unavailable(reason: String)
}

/// Something that tells others about a node.
public protocol Advertiser: Sendable {
  /// Advertises from the first iteration until it ends or is cancelled, and then withdraws.
  func advertise(_ advertisement: Advertisement) -> AsyncStream<AdvertisementEvent>
}
