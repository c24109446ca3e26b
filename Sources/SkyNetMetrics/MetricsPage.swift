import Foundation
package import SkyNetCluster

/// What the server of `--metrics` answers: `/metrics` for a Prometheus, and `/health` for load balancers and
/// supervisors. It knows no sockets; the server has refused other methods than GET and HEAD.
package struct MetricsPage: Sendable {
  package struct Request: Sendable {
    let path: String
    /// The Host and Authorization headers.
    let host: String?
    let authorization: String?

    package init(path: String, host: String?, authorization: String?) {
      self.path = path
      self.host = host
      self.authorization = authorization
    }
  }

  package struct Reply: Hashable, Sendable {
    package let status: Int
    package let contentType: String
    package let body: String
    package var headers: [String: String] = [:]

    init(
      _ status: Int, _ body: String, contentType: String = "text/plain; charset=utf-8",
      headers: [String: String] = [:]
    ) {
      self.status = status
      self.body = body
      self.contentType = contentType
      self.headers = headers
    }
  }

  /// Which clients may ask for the metrics.
  package enum Access: Sendable {
    /// Any client that reaches this machine's loopback address. A page in a browser here does too, if its name
    /// leads to this address; so the Host header has to name it.
    case loopback
    case token(BearerToken)
  }

  private let scrape: SharedScrape
  private let access: Access
  private let health: @Sendable () async -> Health

  /// - Parameter health: whether the process takes work, asked for each time.
  package init(
    _ registry: PrometheusRegistry, access: Access, clock: any ClusterClock = SteadyClock(),
    health: @escaping @Sendable () async -> Health
  ) {
    scrape = SharedScrape(registry, clock: clock)
    self.access = access
    self.health = health
  }

  package func reply(to request: Request) async -> Reply {
    if case .loopback = access, !Self.namesLoopback(request.host) {
      return Reply(
        403,
        "this address is asked for by another name: use 127.0.0.1, or give the command --metrics-token\n"
      )
    }
    var hasToken = false
    if case .token(let token) = access {
      hasToken = token.matches(authorization: request.authorization)
    }
    switch request.path {
    case "/health": return await health().reply(whole: hasToken)
    case "/metrics":
      if case .token = access, !hasToken {
        return Reply(
          401, "a bearer token is needed\n",
          headers: ["WWW-Authenticate": "Bearer realm=\"skynet metrics\""])
      }
      return Reply(200, await scrape.text, contentType: PrometheusText.contentType)
    case "/": return Reply(200, "/metrics\n/health\n")
    default: return Reply(404, "there are /metrics and /health\n")
    }
  }

  /// Whether a host, such as that of a Host header, names this machine's loopback address. `nil` does, as only
  /// browsers, which send the header, are to be kept away.
  package static func namesLoopback(_ host: String?) -> Bool {
    guard let host else { return true }
    let name: Substring
    if host.first == "[" {
      name = host.dropFirst().prefix { $0 != "]" }
    } else if host.count(where: { $0 == ":" }) > 1 {
      name = host[...]
    } else {
      name = host.prefix { $0 != ":" }
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isIPv4 = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil } && parts[0] == "127"
    return isIPv4 || name == "::1" || name.lowercased() == "localhost"
  }
}

/// Whether a process takes work, in the words of `/health`.
package struct Health: Hashable, Sendable {
  package let state: String
  package let takesWork: Bool
  /// The client that asked it to take none, if one has. Only those that show the token are told.
  package let drainedBy: String?

  package init(_ state: String, takesWork: Bool, drainedBy: String? = nil) {
    self.state = state
    self.takesWork = takesWork
    self.drainedBy = drainedBy
  }

  package static let ready = Health("ready", takesWork: true)
  package static let draining = Health("draining", takesWork: false)

  fileprivate func reply(whole: Bool) -> MetricsPage.Reply {
    let client = (whole ? drainedBy : nil).flatMap { try? JSONEncoder().encode($0) }
      .map { ",\"drainedBy\":" + String(decoding: $0, as: UTF8.self) }
    return MetricsPage.Reply(
      takesWork ? 200 : 503, "{\"status\":\"\(state)\"\(client ?? "")}\n",
      contentType: "application/json")
  }
}
