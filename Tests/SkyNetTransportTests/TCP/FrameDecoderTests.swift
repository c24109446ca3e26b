import Foundation
import NIOCore
import NIOEmbedded
import NIOTestUtils
import SkyNetCore
import Testing

@testable import SkyNetTransport

@Suite("Cutting bytes into frames")
struct FrameDecoderTests {
  private func channel(limits: WireLimits = WireLimits()) -> EmbeddedChannel {
    EmbeddedChannel(handler: ByteToMessageHandler(FrameDecoder(limits: limits)))
  }

  @Test("The same frames come out however the bytes are cut")
  func anyCut() throws {
    let bodies = ["", "{}", String(repeating: "star ", count: 1000)]
    let pairs = bodies.map { body in
      let header = FrameHeader(kind: .call, target: 1, call: 9, bodyCount: UInt32(body.utf8.count))
      let frame = Frame(header: header, body: Data(body.utf8))
      return (ByteBuffer(bytes: [UInt8](header, body: body)), [frame])
    }
    try ByteToMessageDecoderVerifier.verifyDecoder(inputOutputPairs: pairs) {
      FrameDecoder(limits: WireLimits())
    }
  }

  @Test("A frame comes out with its last byte, and not before")
  func lastByte() throws {
    let channel = channel()
    let bytes = [UInt8](FrameHeader(kind: .call), body: "{}")
    for byte in bytes.dropLast() {
      #expect(try channel.writeInbound(ByteBuffer(bytes: [byte])).isEmpty)
    }
    #expect(try channel.writeInbound(ByteBuffer(bytes: [bytes[bytes.count - 1]])).isFull)
    #expect(try channel.readInbound(as: Frame.self)?.body == Data("{}".utf8))
    #expect(try channel.finish().isClean)
  }

  @Test("Bytes that are no frame are damage once a frame has come")
  func damage() throws {
    let channel = channel()
    try channel.writeInbound(ByteBuffer(bytes: [UInt8](FrameHeader(kind: .ping))))
    var damaged = [UInt8](FrameHeader(kind: .ping))
    damaged[0] ^= 1
    let error = #expect(throws: WireError.self) {
      try channel.writeInbound(ByteBuffer(bytes: damaged))
    }
    #expect(error?.code == .notSkyNet)
    #expect(error?.message.hasPrefix("the connection broke: what arrived is not what was") == true)
    _ = try? channel.finish()
  }

  @Test("A chunk comes out in parts as it arrives, and no byte is missing")
  func chunks() throws {
    let channel = channel()
    let text = String(repeating: "star ", count: 1000)
    let header = FrameHeader(kind: .chunk, target: 2, call: 9, bodyCount: 5000)
    let bytes = [UInt8](header, body: text) + [UInt8](FrameHeader(kind: .ping))
    var received = Data()
    for start in stride(from: 0, to: bytes.count, by: 7) {
      let piece = bytes[start..<min(start + 7, bytes.count)]
      try channel.writeInbound(ByteBuffer(bytes: piece))
      while let frame = try channel.readInbound(as: Frame.self), frame.header.kind == .chunk {
        #expect(frame.header.call == 9)
        #expect(frame.header.target == 2)
        #expect(Int(frame.header.bodyCount) == frame.body.count)
        #expect(!frame.body.isEmpty && frame.body.count <= 7)
        received += frame.body
      }
    }
    #expect(received == Data(text.utf8))
    #expect(try channel.finish().isClean)
  }

  @Test("An end within a chunk is an error, though its first bytes were passed on")
  func endWithinChunk() throws {
    let channel = channel()
    let head = [UInt8](FrameHeader(kind: .chunk, target: 2, call: 9, bodyCount: 5), body: "star")
    try channel.writeInbound(ByteBuffer(bytes: head))
    #expect(try channel.readInbound(as: Frame.self)?.body == Data("star".utf8))
    #expect(throws: WireError(.truncated, "the connection ended within a frame")) {
      try channel.finish()
    }
  }

  @Test("A frame over the limit is refused by its head")
  func overLimit() throws {
    let channel = channel(limits: WireLimits(body: 10))
    let head = [UInt8](FrameHeader(kind: .reply, bodyCount: 11))
    let expected = WireError(
      .tooLarge, "a reply frame is too large (11 bytes), at most 10 is allowed")
    #expect(throws: expected) { try channel.writeInbound(ByteBuffer(bytes: head)) }
    _ = try? channel.finish()
  }

  @Test("Nothing comes out after an error")
  func afterError() throws {
    let channel = channel()
    #expect(throws: WireError.self) {
      try channel.writeInbound(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n"))
    }
    _ = try? channel.writeInbound(ByteBuffer(bytes: [UInt8](FrameHeader(kind: .ping))))
    #expect(try channel.readInbound(as: Frame.self) == nil)
    _ = try? channel.finish()
  }

  @Test("An end within a frame is an error, and one between frames is not")
  func end() throws {
    let whole = channel()
    try whole.writeInbound(ByteBuffer(bytes: [UInt8](FrameHeader(kind: .ping))))
    _ = try whole.finish()
    let half = channel()
    try half.writeInbound(ByteBuffer(bytes: [UInt8](FrameHeader(kind: .ping)).dropLast()))
    #expect(throws: WireError(.truncated, "the connection ended within a frame")) {
      try half.finish()
    }
  }
}
