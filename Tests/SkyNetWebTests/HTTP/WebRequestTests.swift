import SkyNetHTTP
import Testing

@Suite("Requests")
struct WebRequestTests {
  @Test("A target is a path and a query")
  func target() {
    let request = WebRequest(target: "/events?a=1&token=ab=c&empty=", host: "localhost")
    #expect(request.path == "/events")
    #expect(request.query("a") == "1")
    #expect(request.query("token") == "ab=c")
    #expect(request.query("empty") == "")
    #expect(request.query("b") == nil)
    let plain = WebRequest(target: "/", host: nil)
    #expect(plain.path == "/" && plain.query("a") == nil && plain.host == nil)
  }

  @Test("Cookies are told apart by their whole names")
  func cookies() {
    let request = WebRequest(
      target: "/", host: nil, headers: ["Cookie": "xskynet-1=a; skynet-10=b; skynet-1=c"])
    #expect(request.cookie("skynet-1") == "c")
    #expect(request.cookie("skynet") == nil)
  }
}
