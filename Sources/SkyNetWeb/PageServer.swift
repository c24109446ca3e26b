package import SkyNetCore
import SkyNetHTTP
import Synchronization

/// A page that is served.
package struct ServedPage: Sendable {
  /// The address that people are told, with the token.
  package let address: String
  /// How many viewers there are.
  package let viewerCount: @Sendable () -> Int
}

/// Serves a page that shows what a feed tells, to each client that has its token.
package final class PageServer<Feed: PageFeed>: Sendable {
  private let feed: Feed
  private let name: String
  private let machine: String
  private let names: [String]
  private let journal: String?
  private let token: AccessToken
  /// How long viewers have for the last message.
  private let grace: Duration
  private let endpoint: Endpoint
  private let events: SharedEvents<Feed>
  private let clock = ContinuousClock()
  private let origin: ContinuousClock.Instant
  private let viewers = Mutex(0)

  /// - Parameters:
  ///   - endpoint: where it listens; port 0 stands for any free one.
  ///   - name: the name of this process's system.
  ///   - machine: the host's name, for the address that people are told.
  ///   - names: the names by which the page may be called, beside addresses, `localhost`, and the endpoint's host. A
  ///     site whose name is among them can show the page to a browser that has the token.
  ///   - journal: the run's journal, as the user names it.
  ///   - grace: how long viewers have for the last message.
  package init(
    _ feed: Feed, at endpoint: Endpoint, name: String, machine: String, names: [String],
    journal: String? = nil, token: AccessToken = AccessToken(), grace: Duration = .milliseconds(500)
  ) {
    self.grace = grace
    self.feed = feed
    self.endpoint = endpoint
    self.name = name
    self.machine = machine
    self.names = names
    self.journal = journal
    self.token = token
    events = SharedEvents(feed, hiding: token)
    origin = ContinuousClock.now
  }

  /// Serves the page while `body` runs, which gets it, and then until the viewers have
  /// what they are told last, or until that takes too long.
  ///
  /// - Throws: `WebServerError`, before `body` is called; what `body` throws.
  package func serve<Result: Sendable>(
    _ body: (_ page: ServedPage) async throws -> Result
  ) async throws -> Result {
    let gate = Mutex<PageGate?>(nil)
    let server = WebServer(at: endpoint) { request in
      // No client connects before the port is known.
      guard let open = gate.withLock({ $0 }) else { return .text("not yet", status: 503) }
      return await self.reply(to: request, open)
    }
    return try await server.serve { listening in
      gate.withLock { $0 = PageGate(token: token, at: listening, names: names) }
      let result: Swift.Result<Result, any Error>
      do {
        result = .success(
          try await body(ServedPage(address: address(listening)) { self.viewerCount }))
      } catch {
        result = .failure(error)
      }
      feed.end()
      await viewersLeave()
      return try result.get()
    }
  }

  /// The address that people are told.
  private func address(_ endpoint: Endpoint) -> String {
    // All addresses are none that a browser can go to.
    let isWildcard = ["0.0.0.0", "::", "*"].contains(endpoint.host)
    let host = isWildcard ? Endpoint(host: machine, port: endpoint.port) : endpoint
    return "http://\(host)/?token=\(token.text)"
  }

  private func viewersLeave() async {
    let deadline = clock.now + grace
    while viewerCount > 0, clock.now < deadline, !Task.isCancelled {
      try? await clock.sleep(for: .milliseconds(20))
    }
  }

  /// How many viewers there are.
  var viewerCount: Int { viewers.withLock { $0 } }

  // MARK: Replies

  private func reply(to request: WebRequest, _ gate: PageGate) async -> WebReply {
    var headers = [
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ]
    switch gate.decide(request) {
    case .closed(let status, let reason): return .text(reason, status: status)
    case .openWithCookie(let cookie): headers["Set-Cookie"] = cookie
    case .redirectWithCookie(let cookie):
      // Relative, as a proxy may have the page below a path of its own.
      return .text("./", status: 303, headers: ["Location": "./", "Set-Cookie": cookie])
    case .open: break
    }
    switch request.path {
    case "/events":
      return WebReply(
        type: "text/event-stream; charset=utf-8",
        headers: headers.merging(["X-Accel-Buffering": "no"]) { $1 },
        body: .stream { write in try await self.show(write) })
    case "/image":
      guard let png = try? await feed.picture?.png() else { break }
      return WebReply(type: "image/png", headers: headers, body: .bytes(png))
    case "/favicon.ico":
      // A page without an icon; that nothing is there would be an error in the browser's log.
      return WebReply(status: 204, type: "image/x-icon", headers: headers, body: .bytes([]))
    case let path where feed.documents.contains(where: { "/" + $0.url == path }):
      let document = feed.documents.first { "/" + $0.url == path }
      guard let reply = await document?.reply(headers) else { break }
      return reply
    default:
      guard let file = PageFile.named(request.path == "/" ? "index.html" : request.path.dropFirst())
      else { break }
      return WebReply(type: file.type, headers: headers, body: .bytes(Array(file.text.utf8)))
    }
    return .text("there is nothing here", status: 404)
  }

  // MARK: Viewers

  /// Tells one viewer everything, until the feed has ended or the viewer is gone. A viewer that does not read
  /// holds up its own `write`, and no other viewer.
  private func show(_ write: ([UInt8]) async throws -> Void) async throws {
    viewers.withLock { $0 += 1 }
    defer { viewers.withLock { $0 -= 1 } }
    try await write(hello)
    var cursor = feed.beginning
    var tick = tickNow
    while true {
      let portion = events.portion(after: cursor, at: tick)
      cursor = portion.cursor
      if !portion.bytes.isEmpty { try await write(portion.bytes) }
      if portion.isLast { return }
      let next = ViewerPace.next(
        after: max(tick, tickNow), cost: portion.cost, atLeast: feed.ticksBetweenMessages)
      // The last words are not to wait.
      while tickNow < next, !feed.isOver { try await wait(until: tickNow + 1) }
      tick = tickNow
    }
  }

  private var tickNow: Int { Int((clock.now - origin) / ViewerPace.tick) }

  private func wait(until tick: Int) async throws {
    try await clock.sleep(until: origin + ViewerPace.tick * tick)
  }

  private var hello: [UInt8] {
    var events = EventBytes()
    events.addHello(kind: feed.kind, name: name, journal: journal, words: feed.words)
    return events.bytes
  }
}
