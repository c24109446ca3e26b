import SkyNetCore
import SkyNetTestKit
import Testing

import struct Foundation.Data

@testable import SkyNetCluster

@Suite("Orphaned scans")
struct OrphanedScansTests {
  private let client = Incarnation()
  private var scans = OrphanedScans(slots: 1)
  /// The memory that messages count against. Message number n has 10 to the power of n bytes.
  private let memory = MemoryBudget()
  private let account: MemoryBudget.Account

  init() {
    account = memory.account {}
  }

  private func message(_ number: UInt8) -> Message {
    Message(.call, body: Data(repeating: number, count: bytes(Int(number))))
  }

  private func bytes(_ numbers: Int...) -> Int {
    numbers.reduce(0) { sum, number in
      sum + (0..<number).reduce(1) { power, _ in power * 10 }
    }
  }

  /// A scan that is kept.
  private mutating func kept(_ number: UInt8) -> ScanCall {
    let call = ScanCall(UInt64(number), .probe(Int(number)), from: context(number))
    call.awaited(by: call.number, from: call.context) { _ in }
    let (kept, excess) = scans.adopt(call)
    #expect(kept != nil)
    _ = excess?.cancel()
    return call
  }

  /// That of a call with the message of this number.
  private func context(_ number: UInt8) -> CallContext {
    let arrival = CallArrival(
      message: message(number), connection: ObjectIdentifier(memory), address: "a:1",
      memory: account)
    return CallContext(client: client, clientName: "a", arrival: arrival, scope: nil)
  }

  private func end(_ call: ScanCall) {
    call.finish(
      .success(ScanResult(kind: ProbeScan.kind, output: "1", seconds: 0, queuedSeconds: 0)))
  }

  @Test("Above the limit, the oldest orphaned scan that has ended is dropped, and none that runs")
  mutating func limit() throws {
    let (first, second) = (kept(1), kept(2))
    end(second)
    let third = kept(3)
    #expect(memory.heldBytes == bytes(1, 3))
    #expect(scans.claim(message(2), by: client) == nil)
    #expect(scans.claim(message(1), by: Incarnation()) == nil, "the scan belongs to another client")
    #expect(scans.claim(message(1), by: client) === first)
    #expect(memory.heldBytes == bytes(3), "its bytes count for the new call from now on")
    #expect(!first.isCancelled && !third.isCancelled)
  }

  @Test("A claimed scan answers its new caller, whether it runs or has ended")
  mutating func claimed() throws {
    let (running, ended) = (kept(1), kept(2))
    end(ended)
    let answers = Watched(0)
    for number in [1, 2] as [UInt8] {
      let answer = scans.claim(message(number), by: client)
      let claimed = try #require(answer)
      claimed.awaited(by: 10 + UInt64(number), from: context(number)) { outcome in
        if case .success = outcome { answers.update { $0 += 1 } }
      }
    }
    #expect(answers.value == 1)
    end(running)
    #expect(answers.value == 2)
  }

  @Test("An orphaned scan that fails is dropped, so that it is tried anew")
  mutating func failed() throws {
    kept(1).finish(.failure(ProbeFailure()))
    scans.forgetFailed()
    #expect(scans.isEmpty && memory.heldBytes == 0)
  }

  @Test("An orphaned scan gives way once to another client, and never to its own")
  mutating func givesWay() throws {
    let call = kept(1)
    #expect(scans.giveWay(to: client) == nil && memory.heldBytes == bytes(1))
    #expect(scans.giveWay(to: Incarnation()) === call && memory.heldBytes == 0)
    #expect(scans.giveWay(to: Incarnation()) == nil && memory.heldBytes == 0)
  }

  @Test("A system that stops ends all orphaned scans, and keeps none from then on")
  mutating func closed() throws {
    let first = kept(1)
    #expect(scans.close().map(\.number) == [first.number] && memory.heldBytes == 0)
    let second = kept(2)
    #expect(scans.isEmpty && memory.heldBytes == 0 && second.isCancelled)
  }

  @Test(
    "The caller whose connection broke is answered, and a late cancellation of it has no effect")
  mutating func formerCaller() throws {
    let call = ScanCall(1, .probe(1), from: context(1))
    let answers = Watched<[Bool]>([])
    call.awaited(by: 1, from: call.context) { outcome in
      answers.update { $0.append((try? outcome.get()) != nil) }
    }
    #expect(call.isAwaited(by: 1))
    _ = scans.adopt(call)
    #expect(answers.value == [false] && !call.isCancelled && !call.isAwaited(by: 1))
    call.awaited(by: 2, from: context(1)) { _ in }
    #expect(call.isAwaited(by: 2) && !call.isAwaited(by: 1))
  }

  @Test("A scan that was claimed and is kept again is not given up for its former connection")
  mutating func keptAgain() throws {
    let call = ScanCall(1, .probe(1), from: context(1))
    call.awaited(by: 1, from: call.context) { _ in }
    let first = try #require(scans.adopt(call).kept)
    let claimed = scans.claim(message(1), by: client)
    try #require(claimed === call)
    call.awaited(by: 2, from: context(1)) { _ in }
    let second = try #require(scans.adopt(call).kept)
    #expect(scans.abandon(first) == nil && memory.heldBytes == bytes(1))
    #expect(scans.abandon(second) === call && memory.heldBytes == 0)
  }
}
