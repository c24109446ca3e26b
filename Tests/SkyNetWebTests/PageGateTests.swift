import SkyNetCore
import SkyNetHTTP
import Testing

@testable import SkyNetWeb

@Suite("Who sees the page")
struct PageGateTests {
  private let token = AccessToken()
  private let gate: PageGate

  init() {
    gate = PageGate(
      token: token, at: Endpoint(host: "sky.example", port: 8080),
      names: ["Ada-1", "ada-1.local", "proxy.example"])
  }

  private func decide(
    _ target: String, host: String? = "127.0.0.1:8080", _ headers: [String: String] = [:]
  ) -> PageGate.Decision {
    gate.decide(WebRequest(target: target, host: host, headers: headers))
  }

  private func isClosed(_ decision: PageGate.Decision) -> Bool {
    if case .closed(403, _) = decision { true } else { false }
  }

  @Test("The token becomes a cookie that no script sends, and leaves the page's address")
  func withToken() {
    let cookie = "skynet-8080=\(token.text); Path=/; HttpOnly; SameSite=Lax"
    #expect(decide("/?token=\(token.text)") == .redirectWithCookie(cookie))
    #expect(decide("/events?token=\(token.text)") == .openWithCookie(cookie))
    #expect(decide("/events", ["Cookie": "skynet-8080=\(token.text)"]) == .open)
  }

  @Test("Without the token, with a part of it or another one, the page is closed")
  func withoutToken() {
    for target in [
      "/", "/?token=", "/?token=\(token.text.dropLast())", "/?token=\(token.text)0",
      "/?token=\(AccessToken().text)", "/?Token=\(token.text)", "/\(token.text)",
    ] {
      #expect(isClosed(decide(target)), "\(target)")
    }
    #expect(isClosed(decide("/", ["Cookie": "skynet-8081=\(token.text)"])))
    #expect(isClosed(decide("/", ["Cookie": "skynet-8080=\(AccessToken().text)"])))
  }

  @Test(
    "The page is served under addresses and the names that it was given",
    arguments: [
      "127.0.0.1:8080", "127.0.0.1", "localhost:9000", "LOCALHOST", "[::1]:8080", "[fe80::1]",
      "10.0.0.7:8080", "sky.example:8080", "Sky.Example", "ada-1:8080", "ada-1.local:8080",
      "Proxy.example", "proxy.example:443",
    ])
  func ownNames(host: String) {
    #expect(!isClosed(decide("/?token=\(token.text)", host: host)))
  }

  @Test(
    "Under any other name it is closed, even with the token",
    arguments: [
      "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.1.",
      "256.0.0.1", "1.2.3", "", ":8080", "127.0.0.1:99999", "127.0.0.1:x", "[::1", "[evil]",
      "ada-1.local.", "127.0.0.1:8080@evil.example", nil,
    ] as [String?])
  func foreignNames(host: String?) {
    #expect(isClosed(decide("/?token=\(token.text)", host: host)))
  }

  @Test("A page of another site, or of another port, cannot use the cookie")
  func otherSites() {
    let cookie = ["Cookie": "skynet-8080=\(token.text)"]
    for site in ["cross-site", "same-site"] {
      var headers = cookie.merging(["Sec-Fetch-Site": site]) { $1 }
      #expect(isClosed(decide("/events", headers)), "\(site)")
      #expect(isClosed(decide("/", headers)), "\(site)")
      #expect(!isClosed(decide("/?token=\(token.text)", headers)), "a link with the token")
      headers["Sec-Fetch-Dest"] = "iframe"
      #expect(isClosed(decide("/", headers)), "\(site)")
      headers["Sec-Fetch-Dest"] = "document"
      #expect(decide("/", headers) == .open, "a link, to where the token's has led")
      #expect(isClosed(decide("/files/0", headers)), "\(site)")
    }
    for site in ["same-origin", "none"] {
      #expect(decide("/events", cookie.merging(["Sec-Fetch-Site": site]) { $1 }) == .open)
    }
  }

  @Test("Tokens have 128 random bits")
  func randomTokens() {
    let tokens = (0..<100).map { _ in AccessToken().text }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
    #expect(AccessToken(text: "0a").matches("0a"))
    #expect(!AccessToken(text: "0a").matches("0b") && !AccessToken(text: "0a").matches(nil))
  }
}
