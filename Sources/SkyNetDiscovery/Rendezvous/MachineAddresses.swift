import SkyNetCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The addresses at which other machines may reach this one.
enum MachineAddresses {
  /// The addresses of a node that listens on this host; with `nil`, on all of the machine's. May block.
  static func listening(on host: String?) -> [String] {
    guard let host, host != "0.0.0.0", host != "::", host != "*" else { return routable() }
    let place = Endpoint(host: host, port: 0)
    if place.hasLiteralHost { return [host] }
    return (try? SystemResolver().lookUp(.endpoint(place)).endpoints.map(\.host)) ?? []
  }

  /// The addresses of all interfaces that are up, IPv4 first. Link-local addresses are left out, as other machines
  /// need the name of their own interface to use one. If there are no others, those of the loopback interface.
  static func routable() -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var (routable, loopback) = ([PeerAddress](), [PeerAddress]())
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      let flags = CInt(bitPattern: entry.ifa_flags)
      guard flags & up != 0, let address = PeerAddress(entry.ifa_addr), !address.isLinkLocal else {
        continue
      }
      if flags & isLoopback != 0 { loopback.append(address) } else { routable.append(address) }
    }
    return Set(routable.isEmpty ? loopback : routable).sorted().map(\.host)
  }

  private static let up = CInt(IFF_UP)
  private static let isLoopback = CInt(IFF_LOOPBACK)
}
