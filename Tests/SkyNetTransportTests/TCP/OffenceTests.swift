import Foundation
import SkyNetCluster
import SkyNetCore
import SkyNetTransport
import Testing

@Suite("Peers that break the protocol", .timeLimit(.minutes(20)))
struct OffenceTests {
  struct Offence: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let error: WireError
  }

  static let offences = [
    Offence(
      testDescription: "it speaks HTTP", bytes: Array("GET / HTTP/1.1\r\nHost: orion\r\n".utf8),
      error: WireError(.notSkyNet, "not a SkyNet peer: it sent \"GET / HTTP/1.1..Host\"")),
    Offence(
      testDescription: "it sends a megabyte of garbage",
      bytes: [UInt8](repeating: 0, count: 1 << 20),
      error: WireError(
        .notSkyNet, "not a SkyNet peer: it sent \"\(String(repeating: ".", count: 20))\"")),
    Offence(
      testDescription: "it announces four gigabytes",
      bytes: [UInt8](FrameHeader(kind: .reply, bodyCount: .max)),
      error: WireError(
        .tooLarge, "a reply frame is too large (4294967295 bytes), at most 16777216 is allowed")),
    Offence(
      testDescription: "it announces bulk bytes where there are none",
      bytes: [UInt8](FrameHeader(kind: .pong, bulkCount: 1)),
      error: WireError(.malformed, "a pong frame has no bulk bytes")),
    Offence(
      testDescription: "it sends a chunk of no message",
      bytes: [UInt8](FrameHeader(kind: .chunk, call: 5), body: "stars"),
      error: WireError(.unexpected, "a chunk of 5, which awaits none")),
    Offence(
      testDescription: "it sends a frame of an unknown kind",
      bytes: {
        var bytes = [UInt8](FrameHeader(kind: .ping))
        bytes[2] = 99
        return bytes
      }(),
      error: WireError(.unknownKind, "unknown kind of frame: 99")),
  ]

  @Test(
    "A peer is told what it did wrong, and disconnected, and other peers go on", arguments: offences
  )
  func isTold(offence: Offence) async throws {
    let transport = TCPTransport(.insecure)
    let listener = try await transport.listen(on: .loopback)
    defer { listener.close() }
    let good = try await transport.connect(to: listener.endpoint, timeout: .ample)
    let goodServer = try #require(await listener.nextConnection())

    async let answer = RawPeer.exchange(offence.bytes, with: listener.endpoint)
    let server = try #require(await listener.nextConnection())
    await #expect(throws: offence.error) { try await server.receive { _ in } }
    #expect(try await answer.goodbye() == Goodbye(offence.error))

    good.send(.call(1))
    good.close(saying: .last)
    try await goodServer.expect([.call(1), .last])
  }

  @Test("Messages before the offence are delivered")
  func rightBefore() async throws {
    let listener = try await TCPTransport(.insecure).listen(on: .loopback)
    defer { listener.close() }
    let bytes = [UInt8](FrameHeader(kind: .ping)) + Array("nonsense, and more of it".utf8)
    async let answer = RawPeer.exchange(bytes, with: listener.endpoint)
    let server = try #require(await listener.nextConnection())
    let inbox = Inbox()
    let error = await #expect(throws: WireError.self) {
      try await server.receive { inbox.add($0) }
    }
    #expect(error?.code == .notSkyNet)
    #expect(inbox.messages == [Message(.ping)])
    #expect(try await answer.goodbye().code == .notSkyNet)
  }

  @Test(
    "A connection that ends within a frame is truncated",
    arguments: [
      [UInt8](FrameHeader(kind: .ping).bytes.prefix(7)),
      [UInt8](FrameHeader(kind: .call, bodyCount: 100), body: "only this"),
    ])
  func halfFrame(bytes: [UInt8]) async throws {
    let listener = try await TCPTransport(.insecure).listen(on: .loopback)
    defer { listener.close() }
    try await RawPeer.sendAndClose(bytes, to: listener.endpoint)
    let server = try #require(await listener.nextConnection())
    await #expect(throws: WireError(.truncated, "the connection ended within a frame")) {
      try await server.receive { _ in }
    }
  }
}
