import ArgumentParser
import SkyNetCore
import Testing

@testable import SkyNetCommand

@Suite("Where an engagement listens for nodes")
struct NodeListenOptionTests {
  @Test("A port alone is every address, and port 0 any free port")
  func places() throws {
    #expect(try NodeListenOption("7979").endpoint == .everywhere(port: 7979))
    #expect(try NodeListenOption("0").endpoint == .everywhere(port: 0))
    #expect(try NodeListenOption("a:7979").endpoint == Endpoint(host: "a", port: 7979))
    #expect(try NodeListenOption("[::1]:0").endpoint == Endpoint(host: "::1", port: 0))
  }

  @Test("What is no address is refused", arguments: ["", "a", "a:b", "65536", "-1", "+1", "::1:7"])
  func faults(text: String) {
    #expect(throws: ValidationError.self) { try NodeListenOption(text) }
  }
}
