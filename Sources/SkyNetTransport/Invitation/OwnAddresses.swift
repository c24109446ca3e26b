import NIOCore
import NIOPosix

/// The addresses by which other machines may reach this one.
package enum OwnAddresses {
  /// The addresses, best first; never empty.
  package static var all: [String] {
    get async {
      let devices = (try? System.enumerateDevices()) ?? []
      return ordered(devices.compactMap { $0.address?.ipAddress }, routed: await routed)
    }
  }

  /// Orders addresses: first the one that has the way out of this network, then others of IPv4, then those of
  /// IPv6. Addresses that hold on one link only are left out, as they need the link's name. The loopback address
  /// is there only if there is no other.
  static func ordered(_ addresses: [String], routed: String?) -> [String] {
    var seen: Set<String> = []
    let own = addresses.filter { !isLocal($0) && seen.insert($0).inserted }
    let others = own.filter { $0 != routed }
    let all =
      own.filter { $0 == routed } + others.filter { !$0.contains(":") }
      + others.filter { $0.contains(":") }
    return all.isEmpty ? ["127.0.0.1"] : all
  }

  private static func isLocal(_ address: String) -> Bool {
    let address = address.lowercased()
    return address.hasPrefix("127.") || address == "::1" || address.hasPrefix("169.254.")
      || address.hasPrefix("fe80:") || address == "0.0.0.0" || address == "::"
  }

  /// The address from which packets leave this machine's network; `nil` if there is no way out.
  ///
  /// To connect a socket for datagrams sends nothing. The address is one for documentation (RFC 5737).
  private static var routed: String? {
    get async {
      guard let there = try? SocketAddress(ipAddress: "192.0.2.1", port: 9),
        let group = try? EventLoops.all(),
        let channel = try? await DatagramBootstrap(group: group).connect(to: there).get()
      else { return nil }
      defer { channel.close(promise: nil) }
      return channel.localAddress?.ipAddress
    }
  }
}
