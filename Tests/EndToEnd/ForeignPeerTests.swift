import Foundation
import Testing

/// Peers that are no SkyNet nodes disturb neither a run nor a node, even without encryption.
@Suite("Peers that are no nodes", .timeLimit(.ample))
struct ForeignPeerTests {
  @Test("A peer that is no node gets a warning, and the run goes on without it")
  func aPeerThatIsNoNode() async throws {
    try await Stage.with { stage in
      let server = try ForeignServer(answering: Data("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
      defer { server.stop() }
      let a = try await stage.node("a", "--insecure")
      let run = try stage.engage(
        peers: [server.port, a.port], "--insecure", "--wait-for", "1", "--scan-seconds", "0.2",
        "--total", "100000")
      let line = try await run.process.line("not a SkyNet peer")
      #expect(line.contains("warning") && line.contains("HTTP/1.1 400"), "\(line)")
      #expect(line.contains("127.0.0.1:\(server.port)"), "\(line)")
      let outcome = try await run.stopUndisturbed()
      // The run tries the peer again and again, and warns once.
      #expect(outcome.errors.count { $0.contains("not a SkyNet peer") } == 1)
    }
  }

  @Test("An absent peer gets a warning, and the run goes on without it")
  func anAbsentPeer() async throws {
    try await Stage.with { stage in
      let gone = try await stage.node("gone")
      gone.process.send(SIGKILL)
      _ = try await gone.process.end()
      let run = try stage.engage(peers: [gone.port], "--scan-seconds", "0.1", "--total", "100000")
      let line = try await run.process.line("127.0.0.1:\(gone.port)")
      #expect(line.contains("warning"), "\(line)")
      try await run.stopUndisturbed()
    }
  }

  @Test("A node with another protocol version gets a warning")
  func aNodeOfAnotherVersion() async throws {
    try await Stage.with { stage in
      let server = try ForeignServer(answering: Self.helloOfVersion99)
      defer { server.stop() }
      let run = try stage.engage(
        peers: [server.port], "--insecure", "--scan-seconds", "0.1", "--total", "100000")
      let line = try await run.process.line("protocol version")
      #expect(line.contains("version 99") && line.contains("version 1"), "\(line)")
      try await run.stopUndisturbed()
    }
  }

  @Test("A node tells a peer with another version both versions")
  func aNodeTellsAnotherVersionBothVersions() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--insecure")
      let answer = try await RawConnection.answer(to: Self.helloOfVersion99, port: a.port)
      let text = String(decoding: answer, as: UTF8.self)
      #expect(text.contains("version 99") && text.contains("version 1"), "\(text)")
    }
  }

  @Test("Bytes that are no frame do not disturb a node")
  func bytesThatAreNoFrame() async throws {
    try await Stage.with { stage in
      let a = try await stage.node("a", "--insecure")
      let hello = Self.helloOfVersion99
      _ = try await RawConnection.answer(
        to: Data("GET / HTTP/1.1\r\n\r\n......".utf8), port: a.port)
      _ = try await RawConnection.answer(
        to: Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 37) }), port: a.port)
      _ = try await RawConnection.answer(to: hello.prefix(10), port: a.port, isAll: true)
      _ = try await RawConnection.answer(to: hello.prefix(40), port: a.port, isAll: true)
      let tooLong = Self.frame(kind: 1, bodyCount: .max, body: Data())
      let answer = try await RawConnection.answer(to: tooLong, port: a.port)
      #expect(String(decoding: answer, as: UTF8.self).contains("too large"))

      let run = try stage.engage(
        peers: [a.port], "--insecure", "--no-local", "--scan-seconds", "0.05", "--total", "20")
      try await run.outcome().expectEverySectorOnce(of: 20)
    }
  }

  /// A hello in which a node of this version can read only the version.
  private static var helloOfVersion99: Data {
    let body = Data(#"{"protocolVersion":99,"greeting":"new"}"#.utf8)
    return frame(kind: 1, bodyCount: UInt32(body.count), body: body)
  }

  /// A frame, made by hand. (The tests of the wire use the code that also reads it.)
  private static func frame(kind: UInt8, bodyCount: UInt32, body: Data) -> Data {
    var bytes = Data("SK".utf8)
    bytes += [kind, 0] + [UInt8](repeating: 0, count: 8)
    bytes += withUnsafeBytes(of: bodyCount.bigEndian) { Data($0) }
    return bytes + [0, 0, 0, 0] + body
  }
}
