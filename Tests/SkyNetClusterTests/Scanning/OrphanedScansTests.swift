import SkyNetCore
import SkyNetTestKit
import Testing

import struct Foundation.Data

@testable import SkyNetCluster

@Suite("Scans that are kept for a caller that may come back")
struct OrphanedScansTests {
  private let client = Incarnation()
  private let scans = OrphanedScans(slots: 1)
  /// The numbers of those whose messages are not kept any more.
  private let forgotten = Watched<[UInt8]>([])
  private let cancelled = Watched<[UInt8]>([])

  private func message(_ number: UInt8) -> Message { Message(.call, body: Data([number])) }

  /// A scan that runs, and is kept.
  private func kept(_ number: UInt8) throws -> ScanCall {
    let call = ScanCall(for: message(number))
    #expect(call.begin { _ in })
    call.started(Task {})
    call.waits(with: SlotGate.Ticket(number)) { [cancelled] _ in
      cancelled.update { $0.append(number) }
    }
    let orphan = scans.adopt(call, of: client) { [forgotten] in
      forgotten.update { $0.append(number) }
    }
    #expect(orphan != nil)
    return call
  }

  private func end(_ call: ScanCall) {
    call.finish(
      .success(ScanResult(kind: ProbeScan.kind, output: "1", seconds: 0, queuedSeconds: 0)))
  }

  @Test("When there are too many the oldest that ended is forgotten, and none that runs")
  func limit() throws {
    _ = try kept(1)
    end(try kept(2))
    _ = try kept(3)
    #expect(forgotten.value == [2])
    #expect(scans.claim(message(2), by: client) == nil)
    #expect(scans.claim(message(1), by: Incarnation()) == nil, "it is another's")
    #expect(scans.claim(message(1), by: client) != nil)
    #expect(forgotten.value == [2, 1], "it is the new call's from now on")
    #expect(cancelled.value == [])
  }

  @Test("One that fails is forgotten, as it is to be tried anew")
  func failed() throws {
    try kept(1).finish(.failure(ProbeFailure()))
    #expect(scans.isEmpty && forgotten.value == [1])
  }

  @Test("One that gives way is cancelled and forgotten once, and never for its own client")
  func givesWay() throws {
    _ = try kept(1)
    scans.giveWay(to: client)
    #expect(forgotten.value == [])
    scans.giveWay(to: Incarnation())
    #expect(forgotten.value == [1] && cancelled.value == [1])
    scans.giveWay(to: Incarnation())
    #expect(forgotten.value == [1] && cancelled.value == [1])
  }

  @Test("A system that stops ends all of them, and keeps none from then on")
  func closed() throws {
    _ = try kept(1)
    scans.close()
    #expect(forgotten.value == [1] && cancelled.value == [1])
    _ = try kept(2)
    #expect(scans.isEmpty && forgotten.value == [1, 2] && cancelled.value == [1, 2])
  }
}
