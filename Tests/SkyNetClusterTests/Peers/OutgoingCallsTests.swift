import SkyNetCore
import SkyNetTestKit
import Testing

import struct Foundation.Data

@testable import SkyNetCluster

@Suite("A call leaves the table once", .timeLimit(.minutes(20)))
struct OutgoingCallsTests {
  private let calls = OutgoingCalls()
  private let sent = Watched<[Message]>([])

  private func call(at second: Double = 0) -> Task<Message, any Error> {
    Task { [calls, sent] in
      let now = Instant(sinceOrigin: .seconds(second))
      return try await calls.call(CallRequest(Message(.call, target: 1)), at: now) { message in
        sent.update { $0.append(message) }
      }
    }
  }

  @Test("by its answer; a second one is nobody's")
  func answered() async throws {
    let call = call()
    let id = try await sent.take { $0.first?.call }
    calls.answered(Message(.reply, call: id, body: Data([1])))
    calls.answered(Message(.reply, call: id, body: Data([2])))
    #expect(try await call.value.body == Data([1]))
  }

  @Test("by a failure that cannot be read")
  func badFailure() async throws {
    let call = call()
    let id = try await sent.take { $0.first?.call }
    calls.answered(Message(.failure, call: id, body: Data([1])))
    await #expect(throws: WireError.self) { try await call.value }
  }

  @Test("by its caller's cancelling, of which the peer is told")
  func cancelled() async throws {
    let call = call()
    let id = try await sent.take { $0.first?.call }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(sent.value.first?.kind == .call)
    // Told twice does no harm.
    #expect(Set(sent.value.dropFirst().map(\.kind)) == [.cancel])
    calls.answered(Message(.reply, call: id))
  }

  @Test("by the connection's end, after which none can be made")
  func ended() async throws {
    let call = call()
    try await sent.wait { !$0.isEmpty }
    let lost = ConnectionLost(reason: "gone")
    calls.end("gone")
    await #expect(throws: lost) { try await call.value }
    await #expect(throws: lost) { try await self.call().value }
    #expect(sent.value.count == 1)
  }

  @Test("by the peer's death, for which those it was at, or may have been, may be to blame")
  func died() async throws {
    var all: [Task<Message, any Error>] = []
    for number in 1...4 {
      all.append(call())
      try await sent.wait { $0.count == number }
    }
    let last = try #require(sent.value.last?.call)
    calls.started(last)
    calls.end("gone", death: PeerDeath(slots: 2, lastAlive: Instant()))
    var blamed: [Bool] = []
    for call in all {
      let lost = await #expect(throws: ConnectionLost.self) { try await call.value }
      blamed.append(lost?.mayBeToBlame ?? false)
    }
    #expect(blamed == [true, true, false, true])
  }

  @Test("by the silence of its peer, for which those sent into it are not to blame")
  func sentIntoSilence() async throws {
    let early = call(at: 1)
    try await sent.wait { $0.count == 1 }
    let late = call(at: 3)
    try await sent.wait { $0.count == 2 }
    calls.end(
      "gone", death: PeerDeath(slots: 4, lastAlive: Instant(sinceOrigin: .seconds(2))))
    for (call, isToBlame) in [(early, true), (late, false)] {
      let lost = await #expect(throws: ConnectionLost.self) { try await call.value }
      #expect(lost?.mayBeToBlame == isToBlame)
    }
  }

  @Test("one that is cancelled before it is made is not sent")
  func cancelledBefore() async throws {
    let gate = Gate()
    let call = Task { [calls, sent] in
      try? await gate.pass()
      return try await calls.call(CallRequest(Message(.call, target: 1)), at: Instant()) {
        message in
        sent.update { $0.append(message) }
      }
    }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(sent.value.isEmpty)
  }

  @Test("a cancel never goes before its call alone, which would then run for nobody")
  func cancelledWhileSent() async throws {
    let caller = Watched<Task<Message, any Error>?>(nil)
    let call = Task { [calls, sent] in
      let itself = try await caller.take { $0 }
      return try await calls.call(CallRequest(Message(.call, target: 1)), at: Instant()) {
        message in
        // Cancelled at the worst moment: in the table, and on its way to the connection.
        if message.kind == .call { itself.cancel() }
        sent.update { $0.append(message) }
      }
    }
    caller.update { $0 = call }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(sent.value.map(\.kind).last == .cancel)
  }
}
