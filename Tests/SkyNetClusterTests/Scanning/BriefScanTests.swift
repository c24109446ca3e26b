import Foundation
import SkyNetCore
import SkyNetKeys
import SkyNetTestKit
import SkyNetTransport
import Testing

@testable import SkyNetCluster

/// These tests use TCP, where calls arrive on a thread of the transport.
@Suite("Brief scans", .timeLimit(.minutes(20)))
struct BriefScanTests {
  private let clock = ManualClock()
  private let log = LogRecord()
  private let gate = Gate()

  /// Runs `body` with the system of a node, as its peer calls it.
  private func node(_ body: @Sendable (ScanSystem) async throws -> Void) async throws {
    let discovery = ManualDiscovery()
    // A busy machine may take long even over loopback, and must not log a warning for that.
    let patience = Duration.seconds(300)
    let transport = TCPTransport(
      try TransportSecurity(key: ClusterKey()),
      unauthenticated: UnauthenticatedLimits(peerTimeout: patience))
    let scans: [any Scan] = [BriefScan(clock: clock, gate: gate)]
    let node = Node(
      NodeSettings(name: "b", slots: 2, endpoint: Endpoint(host: "127.0.0.1", port: 0)),
      scans: scans, transport: Transport(transport), clock: clock, logger: log.logger
    ) { name, endpoint in
      discovery.found(name, at: endpoint)
    }
    let running = Task { try await node.run() }
    defer { running.cancel() }
    try await Cluster.with(
      ClusterSettings(name: "engage", localSlots: 0, timeout: patience), scans: scans,
      discoveries: [discovery],
      transport: Transport(transport), logger: log.logger
    ) { cluster in
      let commitment = try await cluster.systems.commitment(for: BriefScan.kind)
      try await body(commitment.system)
    }
  }

  /// The thread that a scan ran on.
  private func thread(of task: ScanTask, on system: ScanSystem) async throws -> String? {
    try await system.run(task).output as? String
  }

  @Test("A brief scan runs where its call arrives, and any other scan on a thread of the node")
  func place() async throws {
    try await node { system in
      let receiver = try await thread(of: .brief(true, taking: 0), on: system)
      let own = try await thread(of: .brief(false, taking: 0), on: system)
      #expect(own != receiver)
      let again = try await thread(of: .brief(true, taking: 0), on: system)
      #expect(again == receiver)
    }
  }

  @Test("A brief scan with a timed task runs on a thread of the node, which reports its start")
  func timed() async throws {
    try await node { system in
      let starts = Watched(0)
      let context = CallContext(client: Incarnation(), clientName: "engage") { _ in
        starts.update { $0 += 1 }
      }
      try await CallContext.$current.withValue(context) {
        let receiver = try await thread(of: .brief(true, taking: 0), on: system)
        #expect(starts.value == 0)
        async let place = thread(
          of: .brief(true, taking: BriefScan.held, isTimed: true), on: system)
        try await starts.wait { $0 == 1 }
        gate.open()
        #expect(try await place != receiver)
      }
    }
  }

  @Test("After brief scans have taken a second together, all scans run on threads of the node")
  func tooLong() async throws {
    try await node { system in
      let receiver = try await thread(of: .brief(true, taking: 700), on: system)
      let second = try await thread(of: .brief(true, taking: 700), on: system)
      #expect(second == receiver)
      try await log.warning("scans that call themselves brief take long, the last one 0.7 s")
      #expect(log.warnings.count == 1)
      let next = try await thread(of: .brief(true, taking: 0), on: system)
      #expect(next != receiver)
    }
  }

  @Test("A brief scan that throws late counts too")
  func throwsLate() async throws {
    try await node { system in
      await #expect(throws: CallFailure.self) {
        try await system.run(.brief(true, taking: -1100))
      }
      try await log.warning("scans that call themselves brief take long, the last one 1.1 s")
    }
  }
}

/// A scan that returns the name of its thread. It takes as many milliseconds as its sector says, and throws if
/// the sector is negative.
private struct BriefScan: Scan {
  static let kind = ScanKind(name: "brief", version: 1)

  /// A sector that waits for the gate.
  static let held = 1

  let clock: ManualClock
  let gate: Gate

  func run(_ sector: Int, settings: Bool) async throws -> String {
    if sector == Self.held { try await gate.pass() }
    clock.advance(by: .milliseconds(abs(sector)))
    if sector < 0 { throw ProbeFailure() }
    return Self.thread
  }

  func isBrief(_ sector: Int, settings: Bool) -> Bool { settings }

  private static var thread: String { "\(pthread_self())" }
}

extension ScanTask {
  fileprivate static func brief(
    _ isBrief: Bool, taking milliseconds: Int, isTimed: Bool = false
  ) -> ScanTask {
    ScanTask(
      id: TaskID(sector: abs(milliseconds)), run: RunID(), kind: BriefScan.kind,
      attempt: ScanAttempt(), isTimed: isTimed,
      work: WorkOf<BriefScan>(settings: isBrief, sector: milliseconds))
  }
}
