import NIOCore
import NIOPosix
import SkyNetCore

/// The places that a link-local IPv6 address without an interface stands for: that address on each of this machine's
/// links.
///
/// People copy such an address from another machine, and files and records bring it from there, while each machine has
/// its own names for its interfaces.
struct LinkLocalPlaces: Resolver, Sendable {
  private let places: [SocketAddress]
  private let eventLoop: any EventLoop

  /// - Returns: `nil` if the endpoint's host is another address or a name, or this machine has no link-local address of
  ///   its own.
  init?(_ endpoint: Endpoint, _ eventLoop: any EventLoop) {
    guard let there = try? SocketAddress(ipAddress: endpoint.host, port: endpoint.port),
      there.isLinkLocal
    else { return nil }
    let links = ((try? System.enumerateDevices()) ?? []).filter { $0.address?.isLinkLocal == true }
    places = Set(links.map(\.name)).sorted().flatMap { link in
      let place = Endpoint(host: "\(endpoint.host)%\(link)", port: endpoint.port)
      return (try? ListeningAddresses.lookUp(place)) ?? []
    }
    guard !places.isEmpty else { return nil }
    self.eventLoop = eventLoop
  }

  func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    eventLoop.makeSucceededFuture(places)
  }

  func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    eventLoop.makeSucceededFuture([])
  }

  func cancelQueries() {}
}

extension ClientBootstrap {
  /// Lets a connection to this endpoint be tried on each link that it may be on; the first that is made counts.
  func onAnyLink(to endpoint: Endpoint, _ group: any EventLoopGroup) -> ClientBootstrap {
    LinkLocalPlaces(endpoint, group.next()).map { resolver($0) } ?? self
  }
}
