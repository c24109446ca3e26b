package import SkyNetCore

/// A way to name peers by hand.
package enum PeerReference: Hashable, Sendable {
  /// A host and a port. If the host is a name, every address that it has is a peer of its own.
  case endpoint(Endpoint)
  /// A name with SRV records (RFC 2782), such as `_skynet._tcp.scan.example`: each record has the host and the
  /// port of peers.
  case service(String)

  /// Why a text names no peer.
  package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Reads `host:port`, `[IPv6]:port`, or the name of a service, which begins with two labels like
  /// `_skynet._tcp` and has no port.
  ///
  /// - Throws: ``Fault``, which says what would be right.
  package init(_ text: String) throws(Fault) {
    let isService = text.hasPrefix("_") && text.split(separator: ".").dropFirst().first == "_tcp"
    if isService {
      guard !text.contains(":") else {
        throw Fault(
          description: "\"\(text)\" is the name of a service, whose records have the ports: leave "
            + "out the port")
      }
      guard Self.isName(text) else {
        throw Fault(description: "\"\(text)\" is not a name that a DNS server can have")
      }
      self = .service(text)
    } else if let endpoint = Endpoint(text) {
      self = .endpoint(endpoint)
    } else {
      throw Fault(
        description: "\"\(text)\" is not host:port with a port from 1 to 65535, such as "
          + "192.168.1.5:7777, nor the name of a service, such as _skynet._tcp.scan.example")
    }
  }

  /// At most 253 bytes, and labels of 1 to 63 bytes of printable ASCII; a dot may end it.
  private static func isName(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    let isAbsolute = labels.count > 1 && labels.last == ""
    return text.utf8.count <= 253
      && labels.dropLast(isAbsolute ? 1 : 0).allSatisfy { (1...63).contains($0.utf8.count) }
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

extension PeerReference: CustomStringConvertible {
  package var description: String {
    switch self {
    case .endpoint(let endpoint): endpoint.description
    case .service(let name): name
    }
  }
}
