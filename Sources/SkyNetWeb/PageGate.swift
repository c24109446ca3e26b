import SkyNetCore
import SkyNetHTTP

/// Decides which requests may see a page.
///
/// Loopback alone protects neither from other accounts of the machine nor from the web: a site whose name is
/// made to point to 127.0.0.1 is of the same origin to a browser (DNS rebinding), so that the name in `Host`
/// counts. And a page of another origin may send requests, with the cookie if it is on another port of this
/// host; the browser says so in `Sec-Fetch-Site`. Such a page may lead to this one (`Sec-Fetch-Dest: document`), of
/// which it sees nothing then.
struct PageGate: Sendable {
  enum Decision: Equatable {
    /// The client has the token or its cookie.
    case open
    /// The client has the token in the address, and gets it as a cookie, for requests that have none there.
    case openWithCookie(String)
    /// The same for the page itself, whose address is to have no token.
    case redirectWithCookie(String)
    case closed(status: Int, reason: String)
  }

  let token: AccessToken
  /// The names by which the page may be called, beside addresses.
  private let names: Set<String>
  private let cookie: String

  /// - Parameter names: the names by which the page may be called, beside addresses, `localhost`, and the host that
  ///   it is served at.
  init(token: AccessToken, at endpoint: Endpoint, names: [String]) {
    self.token = token
    self.names = Set((names + [endpoint.host, "localhost"]).map { $0.lowercased() })
    // Cookies know no ports, and several pages may be open on one machine.
    cookie = "skynet-\(endpoint.port)"
  }

  func decide(_ request: WebRequest) -> Decision {
    guard let host = request.host, isOwn(host) else {
      return .closed(
        status: 403,
        reason:
          "this page is not served under that name: use the address that \(ProgramName.text) printed, or give the "
          + "command that name with --web-host")
    }
    if token.matches(request.query("token")) {
      // A browser that another program or page leads here sends no strict cookie to where it is redirected.
      let cookie = "\(cookie)=\(token.text); Path=/; HttpOnly; SameSite=Lax"
      return request.path == "/" ? .redirectWithCookie(cookie) : .openWithCookie(cookie)
    }
    let site = request.header("Sec-Fetch-Site") ?? "none"
    let isVisit = request.path == "/" && request.header("Sec-Fetch-Dest") == "document"
    guard token.matches(request.cookie(cookie)), ["none", "same-origin"].contains(site) || isVisit
    else {
      return .closed(
        status: 403,
        reason:
          "this page needs its token: open the address with ?token= that \(ProgramName.text) printed, in a browser "
          + "that keeps cookies"
      )
    }
    return .open
  }

  /// Whether a `Host` is an address, or one of the names. An address cannot be made to point elsewhere.
  private func isOwn(_ host: String) -> Bool {
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return false }
      return isPort(host[host.index(after: end)...])
        && host[..<end].dropFirst().utf8.allSatisfy { ":.".utf8.contains($0) || $0.isHexadecimal }
    }
    let name = host.prefix { $0 != ":" }
    guard isPort(host[name.endIndex...]) else { return false }
    return names.contains(name.lowercased()) || isIPv4(name)
  }

  private func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil
  }

  private func isIPv4(_ name: Substring) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { $0.utf8.allSatisfy(\.isDigit) && UInt8($0) != nil }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isHexadecimal: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}
