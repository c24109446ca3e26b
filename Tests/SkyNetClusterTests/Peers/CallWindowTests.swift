import Foundation
import SkyNetCore
import SkyNetTestKit
import TestSupport
import Testing

@testable import SkyNetCluster

/// Flow control between a program that engages and a node whose hello says how many bytes it holds.
@Suite("The window for calls to a node", .timeLimit(.minutes(20)), .inTurn)
struct CallWindowTests {
  private static let bytes = 10_000

  @Test("A call that does not fit waits on this side until another one is answered")
  func calls() async throws {
    try await TestCluster.with { test, cluster in
      let node = Watched<RawPeer?>(nil)
      try await test.rawListener("raw") { peer in
        // The node has eight slots, but room for three calls.
        peer.sayHello(slots: 8, heldBytes: 7 * Self.bytes / 2, scans: [SumScan.kind])
        node.update { $0 = peer }
      }
      test.discovery.found("raw", at: Endpoint(host: "raw", port: 7000))
      try await cluster.coordinator().waitForSystems(1)
      let job = BytesJob(sectorCount: 12, bytes: Self.bytes)
      async let run = cluster.coordinator().run(job)
      let peer = try await node.take { $0 }
      var most = 0
      for answered in 0..<job.sectorCount {
        let wanted = min(answered + 3, job.sectorCount)
        try await peer.received.wait { $0.count { $0.kind == .call } >= wanted }
        let calls = peer.received.value.filter { $0.kind == .call }
        most = max(most, calls.count - answered)
        #expect(calls.count - answered <= 3)
        #expect(job.made.value <= calls.count + 8 && calls[answered].bulk.count == Self.bytes)
        peer.send(try Self.answer(to: calls[answered]))
      }
      #expect(most == 3)
      #expect(try await run.tally.completed == job.sectorCount)
      peer.close()
    }
  }

  @Test("A call that is larger than its reservation waits for room, unless it is cancelled")
  func larger() async throws {
    let window = CallWindow(limit: 800)
    let first = try await window.reserve()
    try await first.resize(to: 100, isUnsent: false)
    let second = try await window.reserve()
    let resized = Watched(false)
    let waiting = Task {
      try await second.resize(to: 750, isUnsent: false)
      resized.update { $0 = true }
    }
    let third = Task { try await window.reserve() }
    third.cancel()
    await #expect(throws: CancellationError.self) { _ = try await third.value }
    #expect(!resized.value)
    first.release()
    try await waiting.value
    second.release()
    second.release()
    try await window.reserve().release()
  }

  @Test("No call waits for room after the connection has ended")
  func ended() async throws {
    let window = CallWindow(limit: 800)
    let first = try await window.reserve()
    try await first.resize(to: 800, isUnsent: false)
    let waiting = Task { try await window.reserve() }
    window.end()
    _ = try await (waiting.value, window.reserve())
  }

  @Test("A task's sector leaves memory before its call is answered")
  func forgotten() async throws {
    try await TestCluster.with { test, cluster in
      try await test.rawListener("raw") { $0.sayHello(slots: 1, scans: [WitnessedScan.kind]) }
      test.discovery.found("raw", at: Endpoint(host: "raw", port: 7000))
      try await cluster.coordinator().waitForSystems(1)
      let forgotten = Watched(0)
      async let _ = cluster.coordinator().run(WitnessedJob(forgotten: forgotten))
      // The peer never answers.
      try await forgotten.wait { $0 == 1 }
    }
  }

  private static func answer(to call: Message) throws -> Message {
    let coder = BodyCoder(registry: ScanRegistry([SumScan()]))
    let output = SumScan.Output(sum: 1, label: "none", reversed: BulkBytes(Data()))
    let (body, bulk) = try coder.encode(
      ScanResult(kind: SumScan.kind, output: output, seconds: 0, queuedSeconds: 0))
    return Message(.reply, call: call.call, body: body, bulk: bulk)
  }
}

/// A job with sectors of this many bytes, which counts them as it makes them.
private struct BytesJob: Job {
  typealias Work = SumScan

  let settings = SumScan.Settings(factor: 1, label: nil)
  let sectorCount: Int
  let bytes: Int
  let made = Watched(0)

  func sector(for task: TaskID) -> SumScan.Sector {
    made.update { $0 += 1 }
    return SumScan.sector(task.sector, bytes: bytes / 2)
  }

  mutating func receive(_ output: SumScan.Output, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output.sum)
  }
}

/// A job of one sector, which counts up when the sector is no longer in memory.
private struct WitnessedJob: Job {
  typealias Work = WitnessedScan

  let settings = 0
  let sectorCount = 1
  let forgotten: Watched<Int>

  func sector(for task: TaskID) -> WitnessedScan.Sector {
    WitnessedScan.Sector(witness: WitnessedScan.Witness(forgotten))
  }

  mutating func receive(_ output: Int, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output)
  }
}

private struct WitnessedScan: Scan {
  final class Witness: Sendable {
    private let forgotten: Watched<Int>

    init(_ forgotten: Watched<Int>) {
      self.forgotten = forgotten
    }

    deinit { forgotten.update { $0 += 1 } }
  }

  struct Sector: Codable, Sendable {
    var number = 0
    var witness: Witness?

    private enum CodingKeys: CodingKey { case number }
  }

  static let kind = ScanKind(name: "witnessed", version: 1)

  func run(_ sector: Sector, settings: Int) -> Int { sector.number }
}
