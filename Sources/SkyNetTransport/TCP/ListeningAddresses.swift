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

/// The socket addresses of an endpoint to listen on.
enum ListeningAddresses {
  /// The addresses to try in this order; a listener takes the first that this machine has.
  ///
  /// Only names are looked up. A literal address is not, since `getaddrinfo` denies addresses of a family that
  /// no interface has yet, for instance while a link comes up.
  ///
  /// - Throws: `IOError` if the name is not known.
  static func of(_ endpoint: Endpoint) async throws -> [SocketAddress] {
    let port = endpoint.port
    if endpoint.isEverywhere {
      // A socket on `::` takes IPv4 connections too.
      return try ["::", "0.0.0.0"].map { try SocketAddress(ipAddress: $0, port: port) }
    }
    if let address = try? SocketAddress(ipAddress: endpoint.host, port: port) { return [address] }
    return try await NIOThreadPool.singleton.runIfActive { try lookUp(endpoint) }
  }

  /// Looks up the endpoint's name. Blocks meanwhile, unless it is a literal address.
  static func lookUp(_ endpoint: Endpoint) throws -> [SocketAddress] {
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
