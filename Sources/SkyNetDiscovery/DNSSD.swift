public import SkyNetCluster

/// DNS-SD in the local network: advertises nodes and finds them, by the system's daemon (on Linux Avahi, through
/// its libdns_sd).
///
/// DNS-SD says where a peer may be, and is no failure detector: a host that loses power stays advertised for
/// up to 75 minutes. While there is no daemon, each stream yields `unavailable` once, and goes on when a
/// daemon starts. If the process may open no more files at the first use, each stream yields `unavailable`
/// and ends.
public struct DNSSD: Discovery, Advertiser {
  private let type: ServiceType

  /// - Parameter serviceType: a service type of DNS-SD with its protocol. Nodes of other types are not seen.
  public init(serviceType: String = "_skynet._tcp") {
    type = ServiceType(name: serviceType)
  }

  /// Checks that a node can be advertised under this name: 1 to 63 bytes of UTF-8 without control characters.
  ///
  /// - Throws: ``InvalidServiceName``, with the reason.
  public static func validate(name: String) throws(InvalidServiceName) {
    try ServiceName.validate(name)
  }

  /// Watches for nodes until the stream ends or its task is cancelled.
  ///
  /// A node is found once, whatever the number of interfaces that it is advertised on, and again when its
  /// addresses, port, TXT record or incarnation have changed. When the daemon goes away, the nodes found before
  /// are lost only if a new daemon has not found them within five seconds.
  public func events() -> AsyncStream<DiscoveryEvent> {
    ServiceThread.events(of: type)
  }

  /// Looks up the addresses of a node again, as the daemon tells of a new address only when it is asked.
  public func lookAgain(for name: String) {
    ServiceThread.lookAgain(for: name, of: type)
  }

  /// Advertises a node until the stream ends or its task is cancelled. If the name is taken, a number is added:
  /// `a #2`.
  ///
  /// Ending or cancelling waits until the daemon has withdrawn the advertisement, for a second at most.
  ///
  /// - Precondition: `validate` accepts the name, and the port is in 1…65535.
  public func advertise(_ advertisement: Advertisement) -> AsyncStream<AdvertisementEvent> {
    precondition((1...65535).contains(advertisement.port), "a port to advertise must be in 1…65535")
    do {
      try Self.validate(name: advertisement.name)
    } catch {
      preconditionFailure(error.description)
    }
    return ServiceThread.advertise(advertisement, as: type)
  }
}
