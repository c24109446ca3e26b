import Foundation
import Testing

@testable import SkyNetCore

extension Frame {
  static func head(_ kind: FrameKind, call: UInt64, bulk: Int = 0, body: String = "") -> Frame {
    Frame(
      header: FrameHeader(
        kind: kind, call: call, bodyCount: UInt32(body.utf8.count), bulkCount: UInt32(bulk)),
      body: utf8(body))
  }

  static func chunk(of kind: FrameKind = .call, _ call: UInt64, _ bytes: String) -> Frame {
    Frame(
      header: FrameHeader(
        kind: .chunk, target: kind.rawValue, call: call, bodyCount: UInt32(bytes.utf8.count)),
      body: utf8(bytes))
  }
}

@Suite("Putting messages together")
struct MessageAssemblerTests {
  var assembler = MessageAssembler()

  /// Takes frames and returns the messages they complete.
  private mutating func receive(_ frames: Frame...) throws -> [Message] {
    try frames.compactMap { try assembler.receive($0) }
  }

  @Test("A frame without bulk bytes is a message by itself", arguments: FrameKind.allCases)
  mutating func plain(kind: FrameKind) throws {
    guard kind != .chunk, kind != .cancel else { return }
    let messages = try receive(.head(kind, call: 3, body: "{}"))
    #expect(messages == [Message(kind, call: 3, body: utf8("{}"))])
  }

  @Test("A message with bulk bytes is complete when the last of them arrives")
  mutating func bulk() throws {
    #expect(try receive(.head(.call, call: 1, bulk: 5, body: "{}"), .chunk(1, "st")) == [])
    let messages = try receive(.chunk(1, "ars"))
    #expect(messages == [Message(.call, call: 1, body: utf8("{}"), bulk: utf8("stars"))])
  }

  @Test("The chunks of two messages may alternate, with other frames between them")
  mutating func interleaved() throws {
    let messages = try receive(
      .head(.call, call: 1, bulk: 4), .head(.call, call: 2, bulk: 4), .chunk(1, "ab"),
      .chunk(2, "wx"), .head(.ping, call: 0), .chunk(2, "yz"), .chunk(1, "cd"))
    #expect(
      messages == [
        Message(.ping), Message(.call, call: 2, bulk: utf8("wxyz")),
        Message(.call, call: 1, bulk: utf8("abcd")),
      ])
  }

  @Test("Unfinished messages are limited in bytes, and whole or dropped ones do not count")
  func held() throws {
    var assembler = MessageAssembler(limits: WireLimits(body: 4, bulk: 8, held: 10))
    func receive(_ frames: Frame...) throws {
      for frame in frames { _ = try assembler.receive(frame) }
    }
    for id in 1...3 as ClosedRange<UInt64> {
      try receive(.head(.call, call: id, bulk: 4, body: "{}"), .chunk(id, "ab"), .chunk(id, "cd"))
      try receive(.head(.call, call: id, bulk: 8, body: "{}"), .chunk(id, "abcdef"))
      try receive(.head(.cancel, call: id))
    }
    try receive(.head(.call, call: 4, bulk: 8, body: "{}"), .chunk(4, "abcdef"))
    try receive(.head(.call, call: 5, bulk: 8, body: "{}"))
    #expect(throws: WireError.tooMuch("messages under way", 11, limit: 10)) {
      try receive(.chunk(5, "a"))
    }
  }

  @Test("The largest message that the limits allow is accepted")
  func largest() throws {
    var assembler = MessageAssembler(limits: WireLimits(body: 4, bulk: 8))
    #expect(try assembler.receive(.head(.call, call: 1, bulk: 8, body: "body")) == nil)
    let message = try assembler.receive(.chunk(1, "eight by"))
    #expect(message == Message(.call, call: 1, body: utf8("body"), bulk: utf8("eight by")))
  }

  @Test("A message that is announced and not sent counts as 512 bytes")
  mutating func announced() throws {
    for id in 1...1000 as ClosedRange<UInt64> { _ = try receive(.head(.call, call: id, bulk: 8)) }
    #expect(assembler.held == 512 * 1000)
    for id in 1...1000 as ClosedRange<UInt64> { _ = try receive(.head(.cancel, call: id)) }
    #expect(assembler.held == 0)
  }

  @Test("The number of unfinished messages is limited")
  mutating func tooMany() throws {
    let most = UInt64(WireLimits.partialMessages)
    for id in 1...most { _ = try receive(.head(.reply, call: id, bulk: 8)) }
    #expect(throws: WireError.self) { try receive(.head(.reply, call: most + 1, bulk: 8)) }
    assembler.dropAll()
    #expect(assembler.held == 0)
  }

  @Test("A call and a reply with the same id are two messages, as each side numbers its calls")
  mutating func sameID() throws {
    let messages = try receive(
      .head(.call, call: 1, bulk: 2), .head(.reply, call: 1, bulk: 2), .chunk(of: .reply, 1, "re"),
      .chunk(of: .call, 1, "ca"))
    #expect(
      messages == [
        Message(.reply, call: 1, bulk: utf8("re")), Message(.call, call: 1, bulk: utf8("ca")),
      ])
  }

  @Test("A cancel amid its call's chunks drops them, and leaves other messages")
  mutating func cancel() throws {
    let messages = try receive(
      .head(.call, call: 1, bulk: 4), .head(.call, call: 2, bulk: 2),
      .head(.reply, call: 1, bulk: 2), .chunk(1, "ab"), .head(.cancel, call: 1),
      .chunk(2, "wx"), .chunk(of: .reply, 1, "re"))
    #expect(messages.map(\.kind) == [.cancel, .call, .reply])
    #expect(throws: WireError.self) { try receive(.chunk(1, "cd")) }
    #expect(try receive(.head(.call, call: 1)).count == 1)
  }

  @Test("A failure amid its reply's chunks drops them")
  mutating func failure() throws {
    let messages = try receive(
      .head(.reply, call: 1, bulk: 4), .chunk(of: .reply, 1, "ab"), .head(.failure, call: 1))
    #expect(messages.map(\.kind) == [.failure])
    #expect(throws: WireError.self) { try receive(.chunk(of: .reply, 1, "cd")) }
  }

  @Test("A chunk without a message is refused")
  mutating func forNobody() throws {
    let expected = WireError(.unexpected, "a chunk of 9, which awaits none")
    #expect(throws: expected) { try receive(.chunk(9, "ab")) }
    _ = try receive(.head(.call, call: 9, bulk: 2), .chunk(9, "ab"))
    #expect(throws: expected) { try receive(.chunk(9, "c")) }
    _ = try receive(.head(.call, call: 9, bulk: 2))
    #expect(throws: expected) { try receive(.chunk(of: .reply, 9, "ab")) }
  }

  @Test("More bulk bytes than were announced are refused")
  mutating func tooLong() throws {
    _ = try receive(.head(.call, call: 1, bulk: 4), .chunk(1, "abc"))
    #expect(throws: WireError(.malformed, "2 bytes of chunk do not fit message 1")) {
      try receive(.chunk(1, "de"))
    }
  }

  @Test("An empty chunk is refused, as empty chunks could go on for ever")
  mutating func emptyChunk() throws {
    _ = try receive(.head(.call, call: 1, bulk: 4))
    #expect(throws: WireError.self) { try receive(.chunk(1, "")) }
  }

  @Test("A second message of the same id amid the first's chunks is refused")
  mutating func second() throws {
    _ = try receive(.head(.call, call: 1, bulk: 4))
    let error = #expect(throws: WireError.self) { try receive(.head(.call, call: 1, bulk: 4)) }
    #expect(error?.code == .unexpected)
  }
}
