import Foundation
import SkyNetCore
import SkyNetKeys
import SkyNetTestKit
import SkyNetTransport
import Testing

@testable import SkyNetCluster

/// Engagements over TCP on this machine's loopback, with real sockets and a real clock.
@Suite("A cluster over TCP", .timeLimit(.minutes(20)))
struct LoopbackTests {
  /// Longer than any step takes while hundreds of tests share the few threads of a loaded machine.
  private static let ample = Duration.seconds(300)

  /// Runs `body` with a cluster of two nodes with two slots each, and a program without slots.
  private func cluster(
    stage: Stage = Stage(),
    _ body: @Sendable (Cluster, [Task<Void, any Error>]) async throws -> Void
  ) async throws {
    let discovery = ManualDiscovery()
    let log = LogRecord()
    let transport = TCPTransport(
      try TransportSecurity(key: ClusterKey()),
      unauthenticated: UnauthenticatedLimits(handshakeTimeout: Self.ample))
    let nodes = ["b", "c"].map { name in
      let node = Node(
        NodeSettings(
          name: name, slots: 2, endpoint: Endpoint(host: "127.0.0.1", port: 0), timeout: Self.ample),
        scans: [ProbeScan(host: name, stage: stage), SumScan()], transport: Transport(transport),
        logger: log.logger
      ) { name, endpoint in
        discovery.found(name, at: endpoint)
      }
      return Task { try await node.run() }
    }
    defer { for node in nodes { node.cancel() } }
    try await Cluster.with(
      ClusterSettings(name: "engage", localSlots: 0, timeout: Self.ample),
      scans: [ProbeScan(host: "local", stage: stage), SumScan()], discoveries: [discovery],
      transport: Transport(transport), logger: log.logger
    ) { cluster in
      try await cluster.coordinator().waitForSystems(2, timeout: Self.ample)
      try await body(cluster, nodes)
    }
  }

  @Test("Every sector has one output")
  func everySector() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await cluster(stage: stage) { cluster, _ in
      async let run = cluster.coordinator().run(ProbeJob(sectors: 500))
      // All four slots are in use. The scans are so short that one node may do all that follow.
      try await gate.arrivals(atLeast: 4)
      #expect(Set(stage.started.value.map(\.host)) == ["b", "c"])
      gate.open()
      let (job, tally) = try await run
      #expect(job.outputs == job.expected)
      #expect(tally.completed == 500)
      #expect(tally.retried == 0)
      #expect(stage.started.value.count >= 500, "a hedge or two where the machine is busy")
    }
  }

  @Test("Calls carry bulk bytes of several chunks in both directions at the same time")
  func bulk() async throws {
    try await cluster { cluster, _ in
      let commitments = try await cluster.systems.commit(upTo: 4, for: SumScan.kind)
      #expect(commitments.count == 4)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, commitment) in commitments.enumerated() {
          group.addTask {
            let sector = SumScan.sector(number, bytes: 700_000 + number)
            let task = ScanTask(
              TaskID(sector: number), of: RunID(), for: SumScan.self,
              settings: SumScan.Settings(factor: 1, label: nil), sector: sector)
            let output = try await commitment.system.run(task).output as? SumScan.Output
            #expect(output?.reversed.bytes == Data(sector.pixels.bytes.reversed()))
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("The sectors of a node that is stopped at once are scanned elsewhere")
  func stopped() async throws {
    // Both nodes wait, as one of them might otherwise scan everything before the other begins.
    let (gate, others) = (Gate(), Gate())
    let stage = Stage { visit in try await (visit.host == "b" ? gate : others).pass() }
    try await cluster(stage: stage) { cluster, nodes in
      async let run = cluster.coordinator().run(ProbeJob(sectors: 50))
      try await gate.arrivals(atLeast: 2)
      nodes[0].cancel()
      others.open()
      let (job, tally) = try await run
      #expect(job.outputs == job.expected)
      #expect(tally.failed == 0)
      try await stage.cancelled.wait { $0.count == 2 }
    }
  }

  @Test("Cancelling an engagement cancels its scans on other systems")
  func cancelled() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await cluster(stage: stage) { cluster, _ in
      let run = Task {
        try await cluster.coordinator().run(ProbeJob(sectors: 50)).tally
      }
      try await gate.arrivals(atLeast: 4)
      run.cancel()
      await #expect(throws: CancellationError.self) { try await run.value }
      try await stage.cancelled.wait { $0.count == 4 }
    }
  }

  @Test("A cancelled attempt frees its slot on the node")
  func freesSlots() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await cluster(stage: stage) { cluster, _ in
      // There are five times as many scans as slots, so a later scan begins only if an earlier one has freed
      // its slot.
      for number in 0..<20 {
        let commitment = try await cluster.systems.commitment(for: ProbeScan.kind)
        let attempt = Task { try await commitment.system.run(.probe(number)) }
        try await stage.started.wait { $0.count == number + 1 }
        attempt.cancel()
        try await stage.cancelled.wait { $0.count == number + 1 }
        try await cluster.systems.release(commitment.slot)
      }
    }
  }
}
