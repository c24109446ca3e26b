import Foundation
import SkyNetTestKit
import Synchronization
import Testing

@testable import SkyNetMetrics

@Suite("The page of metrics")
struct MetricsPageTests {
  private let registry = PrometheusRegistry()
  private static let secret = "0123456789abcdef"

  private func page(
    _ access: MetricsPage.Access = .loopback, health: Health = .ready
  ) -> MetricsPage {
    registry.collect { [.gauge("a", help: "a", 1)] }
    return MetricsPage(registry, access: access) { health }
  }

  private func request(
    _ path: String, host: String? = "127.0.0.1:9464",
    authorization: String? = nil
  ) -> MetricsPage.Request {
    .init(path: path, host: host, authorization: authorization)
  }

  @Test("Metrics are text of version 0.0.4")
  func metrics() async {
    let reply = await page().reply(to: request("/metrics"))
    #expect(reply.status == 200)
    #expect(reply.contentType == "text/plain; version=0.0.4; charset=utf-8")
    #expect(reply.body.contains("\na 1\n"))
  }

  @Test("The text is made at most once a second, for all that ask")
  func sharedText() async {
    let asked = Mutex(0.0)
    let clock = ManualClock()
    registry.collect {
      let count = asked.withLock { asked in
        asked += 1
        return asked
      }
      return [.gauge("asked", help: "asked", count)]
    }
    let page = MetricsPage(registry, access: .loopback, clock: clock) { .ready }
    func isText(_ number: Int) async -> Bool {
      await page.reply(to: request("/metrics")).body.contains("\nasked \(number)\n")
    }
    #expect(await isText(1))
    #expect(await isText(1))
    clock.advance(by: .milliseconds(999))
    #expect(await isText(1))
    clock.advance(by: .milliseconds(1))
    #expect(await isText(2))
    #expect(await isText(2))
  }

  @Test(
    "Health says whether the process takes work",
    arguments: [
      (Health.ready, 200, "ready"), (.draining, 503, "draining"),
      (Health("starting", takesWork: false), 503, "starting"),
    ])
  func health(health: Health, status: Int, word: String) async {
    let reply = await page(health: health).reply(to: request("/health"))
    #expect(reply.status == status)
    #expect(reply.body == "{\"status\":\"\(word)\"}\n")
    #expect(reply.contentType == "application/json")
  }

  @Test("Health says who has drained the process with the token, else one word")
  func drained() async throws {
    let health = Health("draining", takesWork: false, drainedBy: #"a"da"#)
    let withToken = page(.token(try BearerToken(Self.secret)), health: health)
    #expect(
      await withToken.reply(to: request("/health", authorization: "Bearer \(Self.secret)")).body
        == #"{"status":"draining","drainedBy":"a\"da"}"# + "\n")
    for page in [withToken, page(health: health)] {
      let reply = await page.reply(to: request("/health", authorization: "Bearer \(Self.secret)0"))
      #expect(reply.status == 503 && reply.body == "{\"status\":\"draining\"}\n")
    }
  }

  @Test("On loopback another host's name is refused, as a page of another site may use one")
  func foreignHosts() async {
    for host in ["127.0.0.1", "127.9.8.7:1", "localhost:80", "LOCALHOST", "[::1]:9464", "::1"] {
      #expect(await page().reply(to: request("/metrics", host: host)).status == 200, "\(host)")
    }
    for host in [
      "evil.example", "127.0.0.1.evil.example", "10.0.0.1:9464", "[fe80::1]", "", "1270.0.0.1",
    ] {
      #expect(await page().reply(to: request("/metrics", host: host)).status == 403, "\(host)")
      #expect(await page().reply(to: request("/health", host: host)).status == 403, "\(host)")
    }
  }

  @Test("With a token, metrics need it, and health does not")
  func token() async throws {
    let page = page(.token(try BearerToken(Self.secret)))
    for wrong in [
      nil, "", "Bearer", "Bearer 0123456789abcdeF", "Bearer \(Self.secret)0", Self.secret,
    ] {
      let reply = await page.reply(
        to: request("/metrics", host: "node.example", authorization: wrong))
      #expect(reply.status == 401 && reply.headers["WWW-Authenticate"] != nil)
      #expect(!reply.body.contains("a 1"))
    }
    for right in ["Bearer \(Self.secret)", "bearer \(Self.secret)"] {
      let reply = await page.reply(
        to: request("/metrics", host: "node.example", authorization: right))
      #expect(reply.status == 200)
    }
    #expect(await page.reply(to: request("/health", host: "node.example")).status == 200)
  }

  @Test("Other paths are refused, and / says which there are")
  func others() async {
    #expect(await page().reply(to: request("/nothing")).status == 404)
    #expect(await page().reply(to: request("/")).status == 200)
  }

  @Test("A token file holds one token, with space around it at most")
  func tokenFiles() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func token(_ text: String) throws -> BearerToken {
      let file = folder.appending(path: "token")
      try text.write(to: file, atomically: true, encoding: .utf8)
      return try BearerToken(file: file.path)
    }
    #expect(try token(" \(Self.secret)\n").matches(authorization: "Bearer \(Self.secret)"))
    for wrong in [
      "", "short", "two words of sixteen", "ümlaut-in-a-token", String(repeating: "a", count: 5000),
    ] {
      #expect(throws: TokenError.self) { try token(wrong) }
    }
    #expect(throws: TokenError.self) { try BearerToken(file: folder.path + "/none") }
  }
}
