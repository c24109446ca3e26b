import SkyNetCore
import SkyNetTestKit
import TestSupport
import Testing

import struct Foundation.Data

@testable import SkyNetCluster

@Suite("Orphaned scans", .inTurn)
struct OrphanedScansTests {
  private let client = Incarnation()
  private let scans = OrphanedScans(slots: 1)
  /// The memory that messages count against. Message number n counts as 10 to the power of n bytes.
  private let memory = MemoryBudget()
  private let account: MemoryBudget.Account
  private let system = ScanSystem(
    slots: 1,
    actorSystem: ClusterActorSystem(
      name: "a", slots: 1, timeout: .seconds(5), registry: ScanRegistry([])))

  init() {
    account = memory.account {}
  }

  private func message(_ number: UInt8) -> Message { Message(.call, body: Data([number])) }

  private func bytes(_ numbers: Int...) -> Int {
    numbers.reduce(0) { sum, number in
      sum + (0..<number).reduce(1) { power, _ in power * 10 }
    }
  }

  /// A scan that is kept while it runs, or before its task is known.
  private func kept(_ number: UInt8, hasTask: Bool = true) throws -> ScanCall {
    let call = ScanCall(
      .probe(Int(number)), from: CallContext(client: client, clientName: "a"),
      message: message(number), on: system)
    #expect(call.setCaller { _ in })
    if hasTask { #expect(!call.started(Task {})) }
    let held = HeldBytes(count: bytes(Int(number)), memory: account)
    account.changeWhole(by: held.count)
    #expect(scans.adopt(call, holding: held) != nil)
    return call
  }

  private func end(_ call: ScanCall) {
    call.finish(
      .success(ScanResult(kind: ProbeScan.kind, output: "1", seconds: 0, queuedSeconds: 0)))
  }

  @Test("Above the limit, the oldest orphaned scan that has ended is dropped, and none that runs")
  func limit() throws {
    let (first, second) = (try kept(1), try kept(2))
    end(second)
    let third = try kept(3)
    #expect(memory.heldBytes == bytes(1, 3))
    #expect(scans.claim(message(2), by: client) == nil)
    #expect(scans.claim(message(1), by: Incarnation()) == nil, "the scan belongs to another client")
    #expect(scans.claim(message(1), by: client) === first)
    #expect(memory.heldBytes == bytes(3), "its bytes count for the new call from now on")
    #expect(!first.isCancelled && !third.isCancelled)
  }

  @Test("A scan is kept even if its connection breaks while the scan's task is being made")
  func beingMade() throws {
    let call = try kept(1, hasTask: false)
    #expect(!call.started(Task {}), "nothing has cancelled it")
    #expect(scans.claim(message(1), by: client) === call)
  }

  @Test("A claimed scan answers its new caller, whether it runs or has ended")
  func claimed() throws {
    let (running, ended) = (try kept(1), try kept(2))
    end(ended)
    let answers = Watched(0)
    for number in [1, 2] as [UInt8] {
      let claimed = try #require(scans.claim(message(number), by: client))
      claimed.regainCaller { outcome in
        if case .success = outcome { answers.update { $0 += 1 } }
      }
    }
    #expect(answers.value == 1)
    end(running)
    #expect(answers.value == 2)
  }

  @Test("An orphaned scan that fails is dropped, so that it is tried anew")
  func failed() throws {
    try kept(1).finish(.failure(ProbeFailure()))
    scans.forgetFailed()
    #expect(scans.isEmpty && memory.heldBytes == 0)
  }

  @Test("An orphaned scan gives way once to another client, and never to its own")
  func givesWay() throws {
    let call = try kept(1)
    scans.giveWay(to: client)
    #expect(memory.heldBytes == bytes(1) && !call.isCancelled)
    scans.giveWay(to: Incarnation())
    #expect(memory.heldBytes == 0 && call.isCancelled)
    scans.giveWay(to: Incarnation())
    #expect(memory.heldBytes == 0)
  }

  @Test("A system that stops ends all orphaned scans, and keeps none from then on")
  func closed() throws {
    let first = try kept(1)
    scans.close()
    #expect(memory.heldBytes == 0 && first.isCancelled)
    let second = try kept(2)
    #expect(scans.isEmpty && memory.heldBytes == 0 && second.isCancelled)
  }
}
