import Foundation
import Testing

@testable import SkyNetCore

@Suite("The outbound queue")
struct OutboundQueueTests {
  var queue = OutboundQueue()

  private func bulky(
    _ call: UInt64, of kind: FrameKind = .call, chunks: Int
  ) -> Message {
    let bytes = (0..<chunks).map { Data(repeating: UInt8($0), count: WireLimits.chunk) }
    return Message(kind, call: call, body: utf8("{}"), bulk: Data(bytes.joined()))
  }

  /// The kinds and ids of all frames that leave, for example `chunk 1`.
  private mutating func drain(chunks: Bool = true) -> [String] {
    var left: [String] = []
    while let frame = queue.next(chunks: chunks) {
      left.append("\(frame.header.kind) \(frame.header.call)")
    }
    return left
  }

  @Test("An empty queue has no frame to write")
  mutating func empty() {
    #expect(queue.isEmpty)
    #expect(queue.next() == nil)
  }

  @Test("Messages leave in the order in which they were queued")
  mutating func inOrder() {
    for call in UInt64(1)...3 { queue.enqueue(Message(.call, call: call, body: utf8("{}"))) }
    #expect(!queue.isEmpty)
    #expect(
      queue.next()
        == Frame(header: FrameHeader(kind: .call, call: 1, bodyCount: 2), body: utf8("{}")))
    #expect(drain() == ["call 2", "call 3"])
    #expect(queue.isEmpty)
  }

  @Test("Bulk bytes follow in chunks of at most the limit")
  mutating func chunkSizes() {
    let bulk = Data((0..<WireLimits.chunk * 2 + 100).map { UInt8(truncatingIfNeeded: $0 / 1000) })
    queue.enqueue(Message(.reply, call: 7, bulk: bulk))
    let head = queue.next()
    #expect(head?.header == FrameHeader(kind: .reply, call: 7, bulkCount: UInt32(bulk.count)))
    var sent: [Frame] = []
    while let frame = queue.next() { sent.append(frame) }
    #expect(sent.map(\.body.count) == [WireLimits.chunk, WireLimits.chunk, 100])
    #expect(sent.allSatisfy { Int($0.header.bodyCount) == $0.body.count })
    #expect(sent.allSatisfy { $0.header.target == FrameKind.reply.rawValue })
    #expect(Data(sent.map(\.body).joined()) == bulk)
  }

  @Test("An answer takes the place of the `started` of its call")
  mutating func startedAndEnded() {
    for call in UInt64(1)...3 { queue.enqueue(Message(.started, call: call)) }
    queue.enqueue(Message(.reply, call: 2, body: utf8("{}")))
    queue.enqueue(Message(.failure, call: 3))
    #expect(queue.byteCount == 2)
    #expect(drain() == ["started 1", "reply 2", "failure 3"])
    queue.enqueue(Message(.reply, call: 1))
    #expect(drain() == ["reply 1"])
  }

  @Test("A ping overtakes bulk bytes")
  mutating func pingOvertakes() {
    queue.enqueue(bulky(1, chunks: 3))
    _ = queue.next()
    _ = queue.next()
    queue.enqueue(Message(.ping))
    #expect(drain() == ["ping 0", "chunk 1", "chunk 1"])
  }

  @Test("The bulk bytes of several messages leave by turns")
  mutating func byTurns() {
    queue.enqueue(bulky(1, chunks: 3))
    queue.enqueue(bulky(2, chunks: 1))
    queue.enqueue(bulky(3, chunks: 2))
    #expect(
      drain() == [
        "call 1", "call 2", "call 3", "chunk 1", "chunk 2", "chunk 3", "chunk 1", "chunk 3",
        "chunk 1",
      ])
  }

  @Test("The bulk bytes of at most four messages take turns")
  mutating func fewAtATime() {
    for call in 1...6 { queue.enqueue(bulky(UInt64(call), chunks: 2)) }
    for _ in 1...6 { _ = queue.next() }
    #expect(
      drain() == [1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 5, 6].map { "chunk \($0)" })
  }

  @Test("Many small messages do not hold up a large one")
  mutating func noneStarves() {
    queue.enqueue(bulky(1, chunks: 3))
    for call in 2...12 { queue.enqueue(bulky(UInt64(call), chunks: 1)) }
    for _ in 1...12 { _ = queue.next() }
    #expect(
      drain() == [1, 2, 3, 4, 1, 5, 6, 7, 1, 8, 9, 10, 11, 12].map { "chunk \($0)" })
  }

  @Test("While the socket is full, no chunk leaves")
  mutating func withoutChunks() {
    queue.enqueue(bulky(1, chunks: 1))
    queue.enqueue(Message(.pong))
    #expect(drain(chunks: false) == ["call 1", "pong 0"])
    #expect(!queue.isEmpty)
    #expect(drain() == ["chunk 1"])
  }

  @Test("After a cancel, no chunk of its call leaves, and the others do")
  mutating func cancel() {
    queue.enqueue(bulky(1, chunks: 3))
    queue.enqueue(bulky(2, chunks: 1))
    queue.enqueue(bulky(1, of: .reply, chunks: 1))
    for _ in 1...4 { _ = queue.next() }
    queue.enqueue(Message(.cancel, call: 1))
    #expect(drain() == ["cancel 1", "chunk 2", "chunk 1"])
  }

  @Test("After a cancel no chunk of its call leaves, even if the call had not left yet")
  mutating func cancelAtOnce() {
    queue.enqueue(bulky(1, chunks: 3))
    queue.enqueue(Message(.cancel, call: 1))
    let left = drain()
    #expect(!left.contains("chunk 1"))
  }

  @Test("After a failure no chunk of its reply leaves", arguments: [true, false])
  mutating func failure(hasBegun: Bool) {
    queue.enqueue(bulky(1, of: .reply, chunks: 3))
    if hasBegun { for _ in 1...2 { _ = queue.next() } }
    queue.enqueue(Message(.failure, call: 1))
    let left = drain()
    #expect(!left.contains("chunk 1"))
  }

  @Test("The assembler puts together every message that leaves the queue")
  mutating func assembled() throws {
    let sent = [
      bulky(1, chunks: 3), Message(.ping), bulky(1, of: .reply, chunks: 2),
      Message(.started, call: 9), bulky(2, chunks: 1), Message(.cancel, call: 2),
    ]
    for message in sent { queue.enqueue(message) }
    var assembler = MessageAssembler()
    var received: [Message] = []
    while let frame = queue.next() {
      if let message = try assembler.receive(frame) { received.append(message) }
    }
    #expect(Set(received) == Set(sent).subtracting([bulky(2, chunks: 1)]))
  }
}
