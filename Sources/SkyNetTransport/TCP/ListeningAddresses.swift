import NIOCore
import NIOPosix
import SkyNetCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What an endpoint to listen on stands for.
enum ListeningAddresses {
  /// Its addresses: the first that this machine has is to be listened on.
  ///
  /// Only names are looked up. Addresses are not, since the system's look-up would deny those of a
  /// kind that no interface has yet, as where a link has just come up.
  ///
  /// - Throws: `IOError` if there is no such name.
  static func of(_ endpoint: Endpoint) async throws -> [SocketAddress] {
    let port = endpoint.port
    if endpoint.isEverywhere {
      // A socket on the former takes IPv4 too.
      return try ["::", "0.0.0.0"].map { try SocketAddress(ipAddress: $0, port: port) }
    }
    if let address = try? SocketAddress(ipAddress: endpoint.host, port: port) { return [address] }
    return try await NIOThreadPool.singleton.runIfActive { try lookUp(endpoint) }
  }

  /// Blocks while the name is looked up.
  private static func lookUp(_ endpoint: Endpoint) throws -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = tcp
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(endpoint.host, "\(endpoint.port)", &hints, &list)
    guard code == 0 else { throw IOError(errnoCode: code, reason: "getaddrinfo") }
    defer { freeaddrinfo(list) }
    return sequence(state: list) { next -> addrinfo? in
      defer { next = next?.pointee.ai_next }
      return next?.pointee
    }.compactMap { entry in
      guard let address = UnsafeRawPointer(entry.ai_addr) else { return nil }
      return switch entry.ai_family {
      case AF_INET: SocketAddress(address.load(as: sockaddr_in.self), host: endpoint.host)
      case AF_INET6: SocketAddress(address.load(as: sockaddr_in6.self), host: endpoint.host)
      default: nil
      }
    }
  }

  #if canImport(Glibc)
    private static let tcp = CInt(SOCK_STREAM.rawValue)
  #else
    private static let tcp = SOCK_STREAM
  #endif
}
