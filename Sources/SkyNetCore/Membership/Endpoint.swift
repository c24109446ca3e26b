/// The host and port where a peer may listen. The host is a name, an IPv4 or an IPv6 address.
public struct Endpoint: Hashable, Sendable {
  /// A name, or an address without brackets; `*` of ``everywhere(port:)``.
  public let host: String
  /// 1…65535 for a peer; 0 asks for any free port when listening.
  public let port: Int

  /// Makes an endpoint of parts, which are not checked.
  public init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// All addresses of this machine, to listen on: those of IPv6 and IPv4 if it has both, else those
  /// of the one that it has.
  public static func everywhere(port: Int) -> Endpoint { Endpoint(host: "*", port: port) }

  /// Whether this is ``everywhere(port:)``.
  public var isEverywhere: Bool { host == "*" }

  /// Whether the host is an address that only programs of the same machine reach.
  package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

  /// What people are told where the host's name is not known; empty for most names.
  package var hintIfUnknown: String {
    guard host.lowercased().hasSuffix(".local") else { return "" }
    return
      " (a name in .local is known only where libnss-mdns is installed, while its machine is up)"
  }
}

extension Endpoint: LosslessStringConvertible {
  /// Reads `host:port` or `[IPv6]:port`; `nil` if either part is missing, the host has brackets
  /// of its own, or the port is not in 1…65535.
  public init?(_ description: String) {
    guard let colon = description.lastIndex(of: ":"),
      let port = Int(description[description.index(after: colon)...]), (1...65535).contains(port)
    else { return nil }
    var host = description[..<colon]
    if host.first == "[", host.last == "]" {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    // Brackets in a host would be read as the brackets around an IPv6 address.
    guard !host.isEmpty, !host.contains(where: { "[]".contains($0) }) else { return nil }
    self.init(host: String(host), port: port)
  }

  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
