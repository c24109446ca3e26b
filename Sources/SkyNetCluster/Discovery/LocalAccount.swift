import Foundation
import SkyNetCore

/// An account of this machine.
package struct LocalAccount: Hashable, Sendable {
  /// Its name; `uid 1000` if it has none here.
  package let name: String
  /// Whether this process runs under it.
  package let isOwn: Bool

  package init(name: String, isOwn: Bool) {
    self.name = name
    self.isOwn = isOwn
  }

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
