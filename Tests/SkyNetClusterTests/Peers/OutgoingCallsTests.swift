import SkyNetCore
import SkyNetTestKit
import Testing

import struct Foundation.Data

@testable import SkyNetCluster

@Suite("The table of outgoing calls", .timeLimit(.minutes(20)))
struct OutgoingCallsTests {
  /// The owner of the table, as a link is.
  private actor Owner {
    var calls = OutgoingCalls()
    let sent: Watched<[Message]>

    init(_ sent: Watched<[Message]>) { self.sent = sent }

    func call(at now: Instant) async throws -> Message {
      let number = calls.number()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { answer in
          guard calls.add(number, at: now, onStart: nil, answer: answer) else { return }
          sent.update { $0.append(Message(.call, target: 1, call: number)) }
        }
      } onCancel: {
        Task { await cancel(number) }
      }
    }

    private func cancel(_ number: UInt64) {
      guard calls.cancel(number) else { return }
      sent.update { $0.append(Message(.cancel, call: number)) }
    }

    func answered(_ message: Message) { calls.answered(message) }
    func started(_ number: UInt64) { _ = calls.started(number) }
    func end(_ reason: String, death: PeerDeath? = nil) { calls.end(reason, death: death) }
  }

  private let calls: Owner
  private let sent = Watched<[Message]>([])

  init() { calls = Owner(sent) }

  private func call(at second: Double = 0) -> Task<Message, any Error> {
    Task { [calls] in try await calls.call(at: Instant(sinceOrigin: .seconds(second))) }
  }

  @Test("A call leaves by its answer, and a second answer is ignored")
  func answered() async throws {
    let call = call()
    let id = try await sent.take { $0.first?.call }
    await calls.answered(Message(.reply, call: id, body: Data([1])))
    await calls.answered(Message(.reply, call: id, body: Data([2])))
    #expect(try await call.value.body == Data([1]))
  }

  @Test("A call leaves by a failure that cannot be decoded")
  func badFailure() async throws {
    let call = call()
    let id = try await sent.take { $0.first?.call }
    await calls.answered(Message(.failure, call: id, body: Data([1])))
    await #expect(throws: WireError.self) { try await call.value }
  }

  @Test("A call leaves when its caller is cancelled, and the peer is told")
  func cancelled() async throws {
    let call = call()
    let id = try await sent.take { $0.first?.call }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(sent.value.first?.kind == .call)
    try await sent.wait { $0.count == 2 }
    #expect(sent.value.last?.kind == .cancel)
    await calls.answered(Message(.reply, call: id))
  }

  @Test("A call leaves when the connection ends, and no later call can be made")
  func ended() async throws {
    let call = call()
    try await sent.wait { !$0.isEmpty }
    let lost = ConnectionLost(reason: "gone")
    await calls.end("gone")
    await #expect(throws: lost) { try await call.value }
    await #expect(throws: lost) { try await self.call().value }
    #expect(sent.value.count == 1)
  }

  @Test("The calls that a peer ran or may have run at its death may be to blame for it")
  func died() async throws {
    var all: [Task<Message, any Error>] = []
    for number in 1...4 {
      all.append(call())
      try await sent.wait { $0.count == number }
    }
    let last = try #require(sent.value.last?.call)
    await calls.started(last)
    await calls.end("gone", death: PeerDeath(slots: 2, lastAlive: Instant()))
    var blamed: [Bool] = []
    for call in all {
      let lost = await #expect(throws: ConnectionLost.self) { try await call.value }
      blamed.append(lost?.mayBeToBlame ?? false)
    }
    #expect(blamed == [true, true, false, true])
  }

  @Test("A call that was sent into the peer's silence is not to blame for it")
  func sentIntoSilence() async throws {
    let early = call(at: 1)
    try await sent.wait { $0.count == 1 }
    let late = call(at: 3)
    try await sent.wait { $0.count == 2 }
    await calls.end(
      "gone", death: PeerDeath(slots: 4, lastAlive: Instant(sinceOrigin: .seconds(2))))
    for (call, isToBlame) in [(early, true), (late, false)] {
      let lost = await #expect(throws: ConnectionLost.self) { try await call.value }
      #expect(lost?.mayBeToBlame == isToBlame)
    }
  }

  @Test("A call that is cancelled before it is made is not sent")
  func cancelledBefore() async throws {
    let gate = Gate()
    let call = Task { [calls] in
      try? await gate.pass()
      return try await calls.call(at: Instant())
    }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(sent.value.isEmpty)
  }
}
