import Foundation
import SkyNetCluster
import SkyNetCore
import Testing

@testable import SkyNetHTTP
@testable import SkyNetWeb

@Suite("The page's server", .timeLimit(.minutes(20)))
struct PageServerTests {
  private let run = ViewedRun()
  private let token = AccessToken()

  private func serve(
    _ body: (_ port: Int, _ server: PageServer<RunFeed>) async throws -> Void
  ) async throws {
    let server = PageServer(
      run.feed, at: Endpoint(host: "127.0.0.1", port: 0), name: "ada", machine: "ada-1", names: [],
      journal: "night.sqlite", token: token, grace: .seconds(50))
    try await server.serve { page in
      let address = page.address
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
      let address = request("/?token=\(token.text)")
      // As often as anybody opens it.
      for _ in 0..<2 {
        let redirect = try await answer(to: address, port: port)
        #expect(redirect.hasPrefix("HTTP/1.1 303 "))
        #expect(redirect.contains("Location: ./\r\n"))
        #expect(redirect.contains("Set-Cookie: skynet-\(port)=\(token.text); Path=/; HttpOnly"))
        #expect(redirect.contains("Referrer-Policy: no-referrer\r\n"))
      }
      let cookie = "Cookie: skynet-\(port)=\(token.text)"
      let page = try await answer(to: request("/", cookie), port: port)
      #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(page.contains("Content-Type: text/html; charset=utf-8\r\n"))
      #expect(page.contains("script-src 'self'") && page.contains("frame-ancestors 'none'"))
      #expect(page.contains("Referrer-Policy: no-referrer\r\n"))
      #expect(!page.contains("unsafe"))
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

  @Test("A run that has ended hands out what it wrote, and nothing else of the disk")
  func documents() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skynet-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let catalog = folder.appending(path: "stars.csv").path(percentEncoded: false)
    try Data("x,y\n1,2\n".utf8).write(to: URL(fileURLWithPath: catalog))
    let file = try #require(
      PageDocument(.catalog, file: catalog, number: 0, writtenSince: 0))
    #expect(PageDocument(.catalog, file: catalog, number: 0, writtenSince: 1e11) == nil)
    #expect(PageDocument(.catalog, file: folder.path, number: 0, writtenSince: 0) == nil)
    let report = PageDocument(reportOf: "night.sqlite") { Data("<html>".utf8) }
    try await serve { port, _ in
      let cookie = "Cookie: skynet-\(port)=\(token.text)"
      func get(_ target: String) async throws -> String {
        try await answer(to: request(target, cookie), port: port)
      }
      #expect(try await get("/files/0").contains(" 404 "))
      run.feed.ended(RunEnding(summary: "all done", documents: [file, report]))
      let served = try await get("/files/0")
      #expect(served.contains(" 200 OK") && served.contains("x,y\n1,2\n"))
      #expect(served.contains("Content-Type: text/csv"))
      #expect(served.contains("Content-Disposition: attachment; filename*=UTF-8''stars%2Ecsv"))
      #expect(try await get("/report").contains("<html>"))
      for target in ["/files/1", "/files/", "/files/0/../1", "/files/stars.csv"] {
        #expect(try await get(target).contains(" 404 "), "\(target)")
      }
      let closed = try await answer(to: request("/files/0"), port: port)
      #expect(closed.hasPrefix("HTTP/1.1 403 "))
      // Another file in its place is not the run's.
      try FileManager.default.removeItem(atPath: catalog)
      try FileManager.default.createSymbolicLink(
        atPath: catalog, withDestinationPath: "/etc/passwd")
      #expect(try await get("/files/0").contains(" 404 "))
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
