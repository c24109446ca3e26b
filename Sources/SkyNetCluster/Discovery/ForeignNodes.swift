import Foundation
import SkyNetCore

/// A node that is advertised here, and is of another cluster.
package struct ForeignNode: Hashable, Sendable {
  package let name: String
  /// The address to reach it at; `nil` if none is known.
  package let host: String?
  /// The fingerprint of its cluster's key, of several the newest; `nil` if it does not encrypt.
  package let fingerprint: String?
  /// The account that it runs under, if it runs on this machine; `nil` if it does not, or that is not known.
  package internal(set) var account: LocalAccount?
}

extension ForeignNode {
  /// Its account is not known yet: to look it up takes files, and perhaps a directory service.
  init(_ peer: DiscoveredPeer) {
    self.init(
      name: peer.name, host: peer.endpoints.first?.host, fingerprint: peer.fingerprints.first)
  }
}

/// The nodes of other clusters that discovery reports at present.
package struct ForeignNodes: Sendable {
  /// The most nodes that are kept. Anybody on the network can advertise as many as they like.
  private static let limit = 256

  private var nodes: [String: ForeignNode] = [:]

  /// Returns whether the peer was not known.
  @discardableResult
  mutating func found(_ peer: DiscoveredPeer) -> Bool {
    guard nodes.count < Self.limit || nodes[peer.name] != nil else { return false }
    return nodes.updateValue(ForeignNode(peer), forKey: peer.name) == nil
  }

  mutating func note(_ account: LocalAccount, of name: String) { nodes[name]?.account = account }

  /// The peer is gone, or is of this process's own cluster now.
  mutating func lost(_ name: String) { nodes[name] = nil }

  package var all: [ForeignNode] { nodes.values.sorted { $0.name < $1.name } }
}

/// An account of this machine.
package struct LocalAccount: Hashable, Sendable {
  /// Its name; `uid 1000` if it has none here.
  package let name: String
  /// Whether this process runs under it.
  package let isOwn: Bool
}

extension LocalAccount {
  /// The account whose process listens at one of these endpoints; `nil` if none is an address of this machine, or the
  /// kernel does not tell.
  init?(listeningAt endpoints: [Endpoint]) {
    guard let port = endpoints.first(where: Self.isHere)?.port,
      let id = ["tcp", "tcp6"].lazy.compactMap({ table -> uid_t? in
        (try? String(contentsOfFile: "/proc/self/net/\(table)", encoding: .utf8)).flatMap {
          Self.listener(on: port, in: $0)
        }
      }).first
    else { return nil }
    let entry = getpwuid(id)?.pointee.pw_name
    self.init(name: entry.map { String(cString: $0) } ?? "uid \(id)", isOwn: id == geteuid())
  }

  /// The number of the account that listens on a port, as a table of the kernel's sockets has it: rows of the socket's
  /// number, its address, the peer's, its state (`0A` listens), two columns of queues, one of retransmits, the account.
  static func listener(on port: Int, in table: String) -> uid_t? {
    for row in table.split(separator: "\n").dropFirst() {
      let columns = row.split(separator: " ")
      guard columns.count > 7, columns[3] == "0A",
        let digits = columns[1].split(separator: ":").last, Int(digits, radix: 16) == port
      else { continue }
      return uid_t(columns[7])
    }
    return nil
  }

  /// Whether an address is one of this machine's: only to such an address can a socket be bound.
  private static func isHere(_ endpoint: Endpoint) -> Bool {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(endpoint.host, nil, &hints, &list) == 0, let entry = list?.pointee else {
      return false
    }
    defer { freeaddrinfo(list) }
    let descriptor = socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return bind(descriptor, entry.ai_addr, entry.ai_addrlen) == 0
  }
}
