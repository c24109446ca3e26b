import SkyNetCore
import SkyNetHTTP
import Testing

@Suite("The web server", .timeLimit(.minutes(20)))
struct WebServerTests {
  private let loopback = Endpoint(host: "127.0.0.1", port: 0)
  private static let request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

  /// Serves a page that says what was asked for.
  private func serve(_ body: (Endpoint) async throws -> Void) async throws {
    try await WebServer(at: loopback) { .text("\($0.path) of \($0.host ?? "nobody")") }.serve(body)
  }

  @Test("A page is answered with headers that keep it to itself")
  func page() async throws {
    try await serve { endpoint in
      let answer = try await answer(
        to: "GET /a?b=c HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\n\r\n",
        port: endpoint.port)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n/a of localhost:1\n"))
      for header in [
        "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
        "X-Frame-Options: DENY", "Cross-Origin-Resource-Policy: same-origin",
        "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'", "Content-Length: 18",
      ] {
        #expect(answer.contains("\(header)\r\n"), "\(header)")
      }
    }
  }

  @Test("A client that ends its side after its request gets all of the reply")
  func endOfInput() async throws {
    let size = 8_000_000
    try await WebServer(at: loopback) { _ in
      WebReply(type: "text/plain", body: .bytes([UInt8](repeating: 65, count: size)))
    }.serve { endpoint in
      let connection = try Connection(port: endpoint.port)
      connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      connection.endInput()
      let answer = await connection.rest()
      #expect(answer.count { $0 == "A" } >= size, "\(answer.count) bytes")
    }
  }

  @Test("What is no request is refused after the reply to the request before it")
  func garbageAfterRequest() async throws {
    try await serve { endpoint in
      let answer = try await answer(
        to: "GET /first HTTP/1.1\r\nHost: a\r\n\r\nhello\r\n\r\n", port: endpoint.port)
      let replies = answer.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
      #expect(replies == ["200", "400"], "\(answer)")
      #expect(answer.contains("/first of a\n"))
    }
  }

  @Test("A target may name the server, as a proxy gets it")
  func absoluteTarget() async throws {
    try await serve { endpoint in
      for (target, path) in [("http://a:1/b?c", "/b"), ("http://a", "/"), ("http://a?c", "/")] {
        let answer = try await answer(
          to: "GET \(target) HTTP/1.1\r\nHost: a:1\r\nConnection: close\r\n\r\n",
          port: endpoint.port)
        #expect(answer.hasSuffix("\r\n\r\n\(path) of a:1\n"), "\(answer)")
      }
    }
  }

  @Test(
    "Of a stream, HEAD has no chunk, and a client of HTTP/1.0 gets its bytes alone",
    arguments: [("HEAD / HTTP/1.1", ""), ("GET / HTTP/1.0", "streamed")])
  func unframedStreams(request: String, body: String) async throws {
    try await WebServer(at: loopback) { _ in
      WebReply(type: "text/plain", body: .stream { try await $0(Array("streamed".utf8)) })
    }.serve { endpoint in
      let answer = try await answer(to: "\(request)\r\nHost: a\r\n\r\n", port: endpoint.port)
      #expect(answer.hasSuffix("\r\n\r\n\(body)"), "\(answer)")
      #expect(!answer.lowercased().contains("chunked"))
    }
  }

  @Test(
    "After a request for another protocol nothing is read, and the connection ends with the reply")
  func upgrade() async throws {
    try await serve { endpoint in
      let answer = try await answer(
        to: "GET /a HTTP/1.1\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
        port: endpoint.port)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("/a of b\n"), "\(answer)")
    }
  }

  @Test("HEAD has the headers alone")
  func head() async throws {
    try await serve { endpoint in
      let answer = try await answer(
        to: "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: endpoint.port)
      #expect(answer.contains("Content-Length: 7\r\n") && answer.hasSuffix("\r\n\r\n"))
    }
  }

  @Test(
    "Requests that could change something are refused, and their connection is closed",
    arguments: [
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", 405),
      ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", 405),
      ("DELETE / HTTP/1.1\r\nHost: a\r\n\r\n", 405), ("OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n", 405),
      ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", 413),
      ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", 413),
    ])
  func methods(request: String, status: Int) async throws {
    try await serve { endpoint in
      let answer = try await answer(to: request, port: endpoint.port)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
    }
  }

  @Test("What is no request, or too large for one, gets no page, and its connection is closed")
  func limits() async throws {
    let requests = [
      "hello\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 70))\r\n",
      "GET /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
    ]
    try await serve { endpoint in
      for request in requests {
        let answer = try await answer(to: request, port: endpoint.port)
        #expect(!answer.contains("200 OK"), "\(request.prefix(40))")
      }
    }
  }

  /// Before, a request waited until connections that asked nothing had timed out.
  @Test("Connections that ask nothing keep nobody out: the oldest makes room")
  func idleConnections() async throws {
    try await serve { endpoint in
      let begin = ContinuousClock.now
      let idle = try (0...WebServer.connectionLimit).map { number in
        let connection = try Connection(port: endpoint.port)
        // Some have begun a request.
        if number.isMultiple(of: 2) { connection.send("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ") }
        return connection
      }
      let answer = try await answer(to: Self.request, port: endpoint.port)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      // The two oldest were closed, and the next one is still there.
      for connection in idle[..<2] { #expect(await connection.rest() == "") }
      idle[2].send("\r\nConnection: close\r\n\r\n")
      let third = await idle[2].rest()
      // A busy machine may have let it wait for longer than the server does.
      if begin.duration(to: .now) < .seconds(WebServer.idleSeconds) {
        #expect(third.hasPrefix("HTTP/1.1 200 OK\r\n"))
      }
      for connection in idle[3...] { connection.close() }
    }
  }

  @Test("Replies that do not come to an end keep nobody out, and streams keep their places")
  func busyConnections() async throws {
    let (begun, begins) = AsyncStream<Void>.makeStream()
    try await WebServer(at: loopback) { request in
      switch request.path {
      // No test is as long as these replies: they end when the server cancels them.
      case "/stream":
        return WebReply(
          type: "text/plain",
          body: .stream { write in
            try await write(Array("begun".utf8))
            begins.yield()
            try await Task.sleep(for: .seconds(3600))
          })
      case "/slow":
        begins.yield()
        try? await Task.sleep(for: .seconds(3600))
      default: break
      }
      return .text("done")
    }.serve { endpoint in
      var starts = begun.makeAsyncIterator()
      func ask(_ path: String) async throws -> Connection {
        let connection = try Connection(port: endpoint.port)
        connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        await starts.next()
        return connection
      }
      let stream = try await ask("/stream")
      var others: [Connection] = []
      for _ in 1..<WebServer.connectionLimit { others.append(try await ask("/slow")) }
      #expect(try await answer(to: Self.request, port: endpoint.port).hasSuffix("done\n"))
      #expect(await others[0].rest() == "")
      // As soon as all are streams, a further connection is closed.
      for _ in 1..<WebServer.connectionLimit { others.append(try await ask("/stream")) }
      #expect(try await answer(to: Self.request, port: endpoint.port) == "")
      for connection in others[1...] + [stream] { connection.close() }
    }
  }

  @Test("A port that is in use is told, with what to do")
  func portInUse() async throws {
    try await serve { endpoint in
      let error = await #expect(throws: WebServerError.self) {
        try await WebServer(at: Endpoint(host: "127.0.0.1", port: endpoint.port)) { _ in
          .text("second")
        }.serve { _ in }
      }
      #expect(
        error?.description
          == "cannot listen at \(endpoint): the port is in use: give another one, or 0 for any free one"
      )
    }
  }

  @Test("An address of another machine, and a name that there is not, are told")
  func foreignAddresses() async throws {
    for (host, fault) in [("192.0.2.1", "no address of this machine"), ("no.invalid", "looked up")]
    {
      let error = await #expect(throws: WebServerError.self) {
        try await WebServer(at: Endpoint(host: host, port: 0)) { _ in .text("x") }.serve { _ in }
      }
      #expect(error?.description.contains(fault) == true, "\(error?.description ?? "")")
    }
  }

  @Test("The end closes connections whose client takes nothing")
  func endWithStalledClient() async throws {
    let (writes, wrote) = AsyncStream<Int>.makeStream()
    let connections = try await WebServer(at: loopback) { _ in
      WebReply(
        type: "text/plain",
        body: .stream { write in
          let block = [UInt8](repeating: 1, count: 1 << 16)
          for count in 1... {
            try await write(block)
            wrote.yield(count)
          }
        })
    }.serve { endpoint in
      let connection = try Connection(port: endpoint.port)
      connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      for await count in writes where count >= 2 { break }
      return connection
    }
    // That it returned at all is the point.
    connections.close()
  }
}
