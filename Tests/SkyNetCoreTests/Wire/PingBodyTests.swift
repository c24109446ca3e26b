import Foundation
import Testing

@testable import SkyNetCore

@Suite("What pings tell")
struct PingBodyTests {
  private let node = RelayedNode(name: "a", incarnation: Incarnation(), fingerprint: "cead0123")

  @Test("A ping that tells nothing has no body, and others are read back")
  func roundTrip() throws {
    #expect(Message.ping(telling: PingBody()) == Message(.ping))
    #expect(try Message(.ping).decodePing() == PingBody())
    let body = PingBody(relayed: [node])
    #expect(try Message.ping(telling: body).decodePing() == body)
  }

  @Test("A ping tells of 256 nodes at most, in a frame of 64 KiB")
  func limit() throws {
    let name = String(repeating: "\"", count: 63)
    let nodes = (0..<300).map { _ in
      RelayedNode(name: name, incarnation: Incarnation(), fingerprint: "0123456789abcdef")
    }
    let message = Message.ping(telling: PingBody(relayed: nodes))
    #expect(message.body.count < 64 * 1024)
    #expect(try message.decodePing().relayed == Array(nodes.prefix(256)))
  }

  @Test(
    "A node whose name or fingerprint cannot be makes a ping malformed",
    arguments: [
      #"{"name":"","incarnation":"I"}"#, #"{"name":"a\nb","incarnation":"I"}"#,
      #"{"name":"a"}"#, #"{"name":"a","incarnation":"I","fingerprint":"a\nb"}"#,
    ])
  func impossible(json: String) {
    let node = json.replacing("\"I\"", with: "\"\(UUID().uuidString)\"")
    let message = Message(.ping, body: Data("{\"engagements\":[],\"relayed\":[\(node)]}".utf8))
    #expect(throws: WireError.self) { try message.decodePing() }
  }
}
