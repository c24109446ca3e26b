import CResolver
import Foundation
import SkyNetCore

/// The addresses by which other machines may reach this one.
package enum MachineAddresses {
  /// The addresses of the interfaces that are up, as ``ordered(_:routed:)`` has them. Empty if there are none.
  package static var all: [String] {
    ordered(interfaces { _, address in address }, routed: routed)
  }

  /// Orders addresses: first the one that has the way out of this network, then others of IPv4, then those of IPv6.
  /// Addresses that hold on one link only are there if there are no others, and those of the loopback interface if
  /// there are none of these either. They come without an interface: that of the machine that uses one counts.
  static func ordered(_ addresses: [PeerAddress], routed: PeerAddress?) -> [String] {
    let kinds = Dictionary(grouping: addresses.sorted()) {
      $0.isLoopback ? 2 : $0.isLinkLocal ? 1 : 0
    }
    let best = kinds.min { $0.key < $1.key }?.value ?? []
    var seen: Set<String> = []
    return (best.filter { $0 == routed } + best).map(\.hostAnywhere)
      .filter { seen.insert($0).inserted }
  }

  /// The number of the loopback interface; `nil` if the machine has none that is up.
  static var loopbackInterface: UInt32? {
    interfaces { name, address in address.isLoopback ? if_nametoindex(name) : nil }.first
  }

  /// What `choose` makes of each address of each interface that is up.
  private static func interfaces<Choice>(
    _ choose: (UnsafePointer<CChar>, PeerAddress) -> Choice?
  ) -> [Choice] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    return sequence(first: list) { $0?.pointee.ifa_next }.compactMap { entry in
      guard let entry = entry?.pointee, CInt(bitPattern: entry.ifa_flags) & CInt(IFF_UP) != 0,
        let address = PeerAddress(entry.ifa_addr)
      else { return nil }
      return choose(entry.ifa_name, address)
    }
  }

  /// The address from which packets leave this machine's network; `nil` if there is no way out.
  ///
  /// Nothing is sent: connecting a UDP socket only looks for the route, to an address for documentation (RFC 5737).
  private static var routed: PeerAddress? {
    let descriptor = socket(AF_INET, datagramType, 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(9).bigEndian
    address.sin_addr.s_addr = UInt32(0xC000_0201).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard connect(descriptor, address, size) == 0, getsockname(descriptor, address, &size) == 0
        else { return nil }
        return PeerAddress(address)
      }
    }
  }

  #if canImport(Glibc)
    private static let datagramType = CInt(SOCK_DGRAM.rawValue)
  #else
    private static let datagramType = SOCK_DGRAM
  #endif
}
