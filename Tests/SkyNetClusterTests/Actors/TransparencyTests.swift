import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

import struct Foundation.Data

/// Every test here runs on a local system and on a remote one, and must not see a difference.
@Suite("A caller cannot tell a local system from a remote one", .timeLimit(.minutes(20)))
struct TransparencyTests {
  /// Where the system is that a test calls.
  enum Place: CaseIterable {
    case local, remote

    func system(
      stage: Stage = Stage(),
      _ body: @Sendable (TestCluster, ScanSystem) async throws -> Void
    ) async throws {
      let nodes: KeyValuePairs<String, Int> = self == .local ? [:] : ["b": 1]
      try await TestCluster.with(local: self == .local ? 1 : 0, nodes: nodes, stage: stage) {
        test, cluster in
        let commitment = try await cluster.systems.firstAvailableSystem(for: SumScan.kind)
        #expect(commitment.slot.name == (self == .local ? "local" : "b"))
        try await body(test, commitment.system)
      }
    }
  }

  private static func sumTask(bytes: Int, factor: Int = 3) -> ScanTask {
    ScanTask(
      TaskID(pass: 1, sector: 4), for: SumScan.self,
      settings: SumScan.Settings(factor: factor, label: "ä\"b"),
      sector: SumScan.sector(4, bytes: bytes))
  }

  @Test("a scan of a user's own gives its output, bulk bytes and all", arguments: Place.allCases)
  func output(place: Place) async throws {
    try await place.system { _, system in
      // More than one chunk of them.
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

  @Test("a scan that throws fails at once, with what it threw", arguments: Place.allCases)
  func failure(place: Place) async throws {
    try await place.system { _, system in
      await #expect(throws: CallFailure(.task, "sector 4 has no pixels")) {
        try await system.run(Self.sumTask(bytes: 0))
      }
    }
  }

  @Test("a scan that the system does not know is the system's fault", arguments: Place.allCases)
  func unknown(place: Place) async throws {
    try await place.system { _, system in
      let task = ScanTask(TaskID(sector: 0), for: OtherScan.self, settings: 0, sector: 0)
      let failure = await #expect(throws: CallFailure.self) { try await system.run(task) }
      #expect(failure?.fault == .system)
      #expect(failure?.message == "this system does not know scans of kind other/1")
    }
  }

  @Test("the scan knows for whom it works", arguments: Place.allCases)
  func context(place: Place) async throws {
    try await place.system { test, system in
      let context = CallContext(client: Incarnation(), clientName: "engage")
      _ = try await CallContext.$current.withValue(context) { try await system.run(.probe(1)) }
      #expect(test.stage.started.value.map(\.client) == ["engage"])
    }
  }

  @Test("the caller is told when the scan starts", arguments: Place.allCases)
  func started(place: Place) async throws {
    let gate = Gate()
    try await place.system(stage: Stage { _ in try await gate.pass() }) { _, system in
      let starts = Watched(0)
      let context = CallContext(client: Incarnation(), clientName: "engage") {
        starts.update { $0 += 1 }
      }
      let run = Task {
        try await CallContext.$current.withValue(context) { try await system.run(.probe(1)) }
      }
      // The scan waits at the gate: no reply can have come yet.
      try await starts.wait { $0 == 1 }
      gate.open()
      _ = try await run.value
      #expect(starts.value == 1)
    }
  }

  @Test("it says how many tasks it has", arguments: Place.allCases)
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

  @Test("cancelling a call cancels its scan, and returns at once", arguments: Place.allCases)
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
