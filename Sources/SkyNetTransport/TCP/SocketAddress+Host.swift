import NIOCore
import SkyNetCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension SocketAddress {
  /// The address as an endpoint's host: one of IPv4 as people write it, also where a socket of both families gives it
  /// as one of IPv6, and a link-local one with its interface, `fe80::1%eth0`. `nil` if it is of neither family.
  var host: String? {
    guard let ipAddress else { return nil }
    let mapped = "::ffff:"
    if ipAddress.hasPrefix(mapped), ipAddress.contains(".") {
      return String(ipAddress.dropFirst(mapped.count))
    }
    return isLinkLocal ? hostWithInterface ?? ipAddress : ipAddress
  }

  private var hostWithInterface: String? {
    withSockAddr { address, size in
      var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let code = getnameinfo(
        address, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
      guard code == 0 else { return nil }
      return String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  /// `address:port`, with an IPv6 address in brackets.
  var spelledOut: String {
    guard let host, let port else { return description }
    return Endpoint(host: host, port: port).description
  }

  /// Whether it is an address of IPv6 that holds on one link only: `fe80::` to `febf::` (RFC 4291).
  var isLinkLocal: Bool {
    guard case .v6 = self, let ipAddress else { return false }
    return ipAddress.hasPrefix("fe") && ipAddress.dropFirst(2).first.map("89ab".contains) == true
      && ipAddress.dropFirst(4).first == ":"
  }
}
