import SkyNetCore
import SkyNetTestKit
import Testing

import struct Foundation.Data

@testable import SkyNetCluster

/// Every test here runs on a local system and on a remote one, and must see no difference.
@Suite("Local and remote systems", .timeLimit(.minutes(20)))
struct TransparencyTests {
  /// The place of the system that a test calls.
  enum Place: CaseIterable {
    case local, remote

    func system(
      stage: Stage = Stage(),
      _ body: @Sendable (TestCluster, ScanSystem) async throws -> Void
    ) async throws {
      let nodes: KeyValuePairs<String, Int> = self == .local ? [:] : ["b": 1]
      try await TestCluster.with(local: self == .local ? 1 : 0, nodes: nodes, stage: stage) {
        test, cluster in
        let commitment = try await cluster.systems.commitment(for: SumScan.kind)
        #expect(commitment.slot.name == (self == .local ? "local" : "b"))
        try await body(test, commitment.system)
      }
    }
  }

  private static func sumTask(bytes: Int, factor: Int = 3) -> ScanTask {
    ScanTask(
      TaskID(pass: 1, sector: 4), of: RunID(), for: SumScan.self,
      settings: SumScan.Settings(factor: factor, label: "ä\"b"),
      sector: SumScan.sector(4, bytes: bytes))
  }

  @Test("A user's own scan returns its output with all bulk bytes", arguments: Place.allCases)
  func output(place: Place) async throws {
    try await place.system { _, system in
      // The bytes take more than one chunk.
      let bytes = WireLimits.chunk * 2 + 17
      let result = try await system.run(Self.sumTask(bytes: bytes))
      #expect(result.kind == SumScan.kind)
      #expect(result.seconds == 0)
      let sent = SumScan.sector(4, bytes: bytes)
      let output = try #require(result.output as? SumScan.Output)
      #expect(output.sum == sent.pixels.bytes.reduce(0) { $0 + Int($1 & 0x0F) } * 3)
      #expect(output.label == "ä\"b")
      #expect(output.reversed.bytes == Data(sent.pixels.bytes.reversed()))
    }
  }

  @Test("A call whose scan throws fails with the scan's error", arguments: Place.allCases)
  func failure(place: Place) async throws {
    try await place.system { _, system in
      await #expect(throws: CallFailure(.task, "sector 4 has no pixels")) {
        try await system.run(Self.sumTask(bytes: 0))
      }
    }
  }

  @Test("A scan of an unknown kind fails as the system's fault", arguments: Place.allCases)
  func unknown(place: Place) async throws {
    try await place.system { _, system in
      let task = ScanTask(
        TaskID(sector: 0), of: RunID(), for: OtherScan.self, settings: 0, sector: 0)
      let failure = await #expect(throws: CallFailure.self) { try await system.run(task) }
      #expect(failure?.fault == .system)
      #expect(failure?.message == "this system does not know scans of kind other/1")
    }
  }

  @Test("A scan knows the name of its client", arguments: Place.allCases)
  func context(place: Place) async throws {
    try await place.system { test, system in
      let context = CallContext(client: Incarnation(), clientName: "engage")
      _ = try await CallContext.$current.withValue(context) { try await system.run(.probe(1)) }
      #expect(test.stage.started.value.map(\.client) == ["engage"])
    }
  }

  @Test("The caller hears once that the scan has started", arguments: Place.allCases)
  func started(place: Place) async throws {
    let gate = Gate()
    try await place.system(stage: Stage { _ in try await gate.pass() }) { _, system in
      let starts = Watched(0)
      let context = CallContext(client: Incarnation(), clientName: "engage") { _ in
        starts.update { $0 += 1 }
      }
      let run = Task {
        try await CallContext.$current.withValue(context) { try await system.run(.probe(1)) }
      }
      // The scan waits at the gate, so no reply can have come yet.
      try await starts.wait { $0 == 1 }
      gate.open()
      _ = try await run.value
      #expect(starts.value == 1)
    }
  }

  @Test("A system says how many tasks it has", arguments: Place.allCases)
  func count(place: Place) async throws {
    let gate = Gate()
    try await place.system(stage: Stage { _ in try await gate.pass() }) { _, system in
      #expect(try await system.count == 0)
      async let run = system.run(.probe(1))
      try await gate.arrivals(atLeast: 1)
      #expect(try await system.count == 1)
      gate.open()
      _ = try await run
      #expect(try await system.count == 0)
    }
  }

  @Test("A cancelled call returns at once, and its scan is cancelled", arguments: Place.allCases)
  func cancelling(place: Place) async throws {
    let gate = Gate()
    try await place.system(stage: Stage { _ in try await gate.pass() }) { test, system in
      let run = Task { try await system.run(.probe(1)) }
      try await gate.arrivals(atLeast: 1)
      run.cancel()
      await #expect(throws: CancellationError.self) { try await run.value }
      try await test.stage.cancelled.wait { $0.count == 1 }
    }
  }
}
