import NIOHTTP1

/// A request, as far as a server needs it that only shows something.
package struct WebRequest: Sendable {
  /// The path without its query, and without a server's name, as it was sent.
  package let path: String
  /// What the client calls this server, with the port if it said one; `nil` if it said nothing.
  package let host: String?
  private let query: Substring
  private let headers: HTTPHeaders

  package init(target: String, host: String?, headers: [String: String] = [:]) {
    let hosts = host.map { [("Host", $0)] } ?? []
    self.init(target: target, headers: HTTPHeaders(hosts + headers.map { ($0, $1) }))
  }

  init(target: String, headers: HTTPHeaders) {
    let target = Self.withoutServer(target)
    let mark = target.firstIndex(of: "?") ?? target.endIndex
    path = String(target[..<mark])
    query = target[mark...].dropFirst()
    host = headers.first(name: "Host")
    self.headers = headers
  }

  /// A target that names the server too, as a proxy gets it, is the rest of it (RFC 9112, 3.2.2).
  private static func withoutServer(_ target: String) -> Substring {
    guard target.lowercased().hasPrefix("http://") else { return target[...] }
    let rest = target.dropFirst("http://".count).drop { $0 != "/" && $0 != "?" }
    return rest.first == "/" ? rest : "/" + rest
  }

  /// The value of a query item, with percent signs as they were sent; `nil` if there is none of this name.
  package func query(_ name: String) -> String? {
    value(of: name, in: query, separator: "&")
  }

  package func header(_ name: String) -> String? {
    let values = headers[name]
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  package func cookie(_ name: String) -> String? {
    // A browser sends one header; a cookie of this name for a longer path would come first.
    value(of: name, in: headers["Cookie"].joined(separator: ";")[...], separator: ";")
  }

  private func value(of name: String, in list: Substring, separator: Character) -> String? {
    for item in list.split(separator: separator) {
      let parts = item.drop { $0 == " " }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }
}
