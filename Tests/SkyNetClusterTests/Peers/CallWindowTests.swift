import Foundation
import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

/// Flow control between a program that engages and a node whose hello says how many bytes it holds.
@Suite("The window for calls to a node", .timeLimit(.minutes(20)))
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

  /// The owner of a window, as a link is.
  private actor Owner {
    var window = CallWindow(limit: 800)

    func reserve() async throws -> CallRoom.CallID {
      let (call, hasRoom) = window.want()
      if !hasRoom { try await wait(for: call) }
      return call
    }

    func resize(_ call: CallRoom.CallID, to bytes: Int) async throws {
      if !window.resize(call, to: bytes, isUnsent: false) { try await wait(for: call) }
    }

    private func wait(for call: CallRoom.CallID) async throws {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { window.wait(for: call, with: $0) }
      } onCancel: {
        Task { await cancel(call) }
      }
    }

    private func cancel(_ call: CallRoom.CallID) { window.cancel(call) }
    func release(_ call: CallRoom.CallID) { window.release(call) }
    func end() { window.end() }
  }

  @Test("A call that is larger than its reservation waits for room, unless it is cancelled")
  func larger() async throws {
    let owner = Owner()
    let first = try await owner.reserve()
    try await owner.resize(first, to: 100)
    let second = try await owner.reserve()
    let resized = Watched(false)
    let waiting = Task {
      try await owner.resize(second, to: 750)
      resized.update { $0 = true }
    }
    let third = Task { try await owner.reserve() }
    third.cancel()
    await #expect(throws: CancellationError.self) { _ = try await third.value }
    #expect(!resized.value)
    await owner.release(first)
    try await waiting.value
    await owner.release(second)
    await owner.release(second)
    await owner.release(try await owner.reserve())
  }

  @Test("No call waits for room after the connection has ended")
  func ended() async throws {
    let owner = Owner()
    try await owner.resize(try await owner.reserve(), to: 800)
    let waiting = Task { try await owner.reserve() }
    await owner.end()
    _ = try await (waiting.value, owner.reserve())
  }

  @Test("A task's sector leaves memory before its call is answered")
  func forgotten() async throws {
    try await TestCluster.with(scans: [WitnessedScan()]) { test, cluster in
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
    var answer = try coder.encode(
      ScanResult(kind: SumScan.kind, output: output, seconds: 0, queuedSeconds: 0), as: .reply)
    answer.call = call.call
    return answer
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
