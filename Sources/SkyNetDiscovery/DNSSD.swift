public import SkyNetCluster

/// DNS-SD in the local network: advertises nodes and finds them, with the system's daemon (on
/// Linux Avahi, by its libdns_sd).
///
/// It says where a peer may be, and is no failure detector: a host that loses power stays
/// advertised for up to 75 minutes. While the daemon is missing, each stream says so once, and
/// takes up its work when the daemon is there. Where the process may open no more files at the first
/// use, each stream says so, and ends.
public struct DNSSD: Discovery, Advertiser {
  private let type: ServiceType

  /// - Parameter serviceType: A type as registered for DNS-SD, with its protocol.
  public init(serviceType: String = "_skynet._tcp") {
    type = ServiceType(name: serviceType)
  }

  /// Checks that a node can be advertised under that name. What `advertise` is given must pass.
  public static func validate(name: String) throws(InvalidServiceName) {
    try ServiceName.validate(name)
  }

  /// Each name is sighted once, by however many interfaces it is heard; again when its addresses,
  /// port, slots or incarnation turn out to have changed. What was sighted before the daemon went
  /// away stays so, until a new daemon had five seconds to hear of it.
  public func events() -> AsyncStream<DiscoveryEvent> {
    ServiceThread.events(of: type)
  }

  /// Withdrawn when the stream's end or cancellation returns. If the name is taken, a number is
  /// added: `a #2`.
  ///
  /// - Precondition: The name is one that `validate` lets pass, and the port is in 1…65535.
  public func advertise(_ advertisement: Advertisement) -> AsyncStream<AdvertisementEvent> {
    precondition((1...65535).contains(advertisement.port), "the port to advertise is not known")
    do {
      try Self.validate(name: advertisement.name)
    } catch {
      preconditionFailure(error.description)
    }
    return ServiceThread.advertise(advertisement, as: type)
  }
}
