import SkyNetCluster
import SkyNetCore
import TestSupport
import Testing

@testable import SkyNetHTTP
@testable import SkyNetWeb

@Suite("The page's server", .timeLimit(.minutes(20)), .inTurn)
struct PageServerTests {
  private let run = ViewedRun()
  private let token = AccessToken()

  private func serve(
    _ body: (_ port: Int, _ server: PageServer<RunFeed>) async throws -> Void
  ) async throws {
    let server = PageServer(
      run.feed, at: Endpoint(host: "127.0.0.1", port: 0), name: "ada", machine: "ada-1", names: [],
      journal: "night.sqlite", token: token, grace: .seconds(50))
    try await server.serve { address in
      let parts = address.split(separator: "/")[1].split(separator: ":")
      #expect(address == "http://127.0.0.1:\(parts[1])/?token=\(token.text)")
      try await body(try #require(Int(parts[1])), server)
    }
  }

  private func request(_ target: String, _ headers: String...) -> String {
    (["GET \(target) HTTP/1.1", "Host: localhost", "Connection: close"] + headers)
      .joined(separator: "\r\n") + "\r\n\r\n"
  }

  @Test("The page has its policy, and its cookie opens the rest")
  func page() async throws {
    try await serve { port, _ in
      let page = try await answer(to: request("/?token=\(token.text)"), port: port)
      #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(page.contains("Content-Type: text/html; charset=utf-8\r\n"))
      #expect(page.contains("Set-Cookie: skynet-\(port)=\(token.text); Path=/; HttpOnly"))
      #expect(page.contains("script-src 'self'") && page.contains("frame-ancestors 'none'"))
      #expect(!page.contains("unsafe"))
      let cookie = "Cookie: skynet-\(port)=\(token.text)"
      #expect(try await answer(to: request("/index.html", cookie), port: port).contains(" 200 OK"))
      #expect(try await answer(to: request("/none", cookie), port: port).contains(" 404 "))
      #expect(try await answer(to: request("/../x", cookie), port: port).contains(" 404 "))
      #expect(try await answer(to: request("/image", cookie), port: port).contains(" 404 "))
      for target in ["/", "/index.html", "/events", "/image", "/none"] {
        let answer = try await answer(to: request(target), port: port)
        #expect(answer.hasPrefix("HTTP/1.1 403 "), "\(target)")
        #expect(!answer.contains(token.text))
      }
    }
  }

  @Test("A viewer is told everything until the end, and its stream ends")
  func stream() async throws {
    let run = run
    run.begin(sectors: 100)
    let stream = try await withThrowingTaskGroup(of: String.self) { group in
      try await serve { port, server in
        let asking = request("/events?token=\(token.text)")
        group.addTask { try await answer(to: asking, port: port) }
        while server.viewerCount == 0 { await Task.yield() }
        run.complete(0..<100)
        run.apply(.finished(reason: nil))
      }
      return try await group.next() ?? ""
    }
    #expect(stream.contains("Content-Type: text/event-stream"))
    // The chunks' sizes stand between lines.
    let bytes = stream.split(separator: "\r\n", omittingEmptySubsequences: true)
      .filter { $0.hasPrefix("event: ") }.joined().utf8
    let events = try Told.events(in: bytes)
    #expect(events.first?.name == "hello")
    #expect(events.first?.data["journal"] as? String == "night.sqlite")
    var told = Told()
    told.take(events)
    #expect(told.cells.count == 100 && told.state["end"] as? String == "done")
  }
}
