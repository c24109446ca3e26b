import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

/// A scan whose values differ, as those of a program and of its nodes may.
private struct Marking: Scan {
  static let kind = ScanKind(name: "marking", version: 1)

  let mark: String
  var gate: Gate?
  var limit: Duration?

  func run(_ sector: Int, settings: NoSettings) async throws -> String {
    try await gate?.pass()
    return "\(mark) \(sector)"
  }

  func timeLimit(_ sector: Int, settings: NoSettings) -> Duration? { limit }
}

/// Another scan of the same kind.
private struct Namesake: Scan {
  static let kind = Marking.kind

  func run(_ sector: Int, settings: NoSettings) -> Int { sector }
}

@Suite("The scan that results are asked of", .timeLimit(.minutes(20)))
struct GivenScanTests {
  private let network = InMemoryNetwork()

  private func withCluster(
    _ scans: [any Scan], slots: Int = 1, clock: ManualClock = ManualClock(),
    discoveries: [any Discovery] = [], _ body: @Sendable (Cluster) async throws -> Void
  ) async throws {
    try await Cluster.with(
      ClusterSettings(name: "test", localSlots: slots), scans: scans, discoveries: discoveries,
      transport: network.transport(host: "test"), clock: clock, body)
  }

  private static func outputs(_ results: SectorResults<String>) async throws -> Set<String> {
    var outputs: Set<String> = []
    for try await (_, output) in results.outputs { outputs.insert(output) }
    return outputs
  }

  @Test("The given value scans on this program's own system, for these sectors alone")
  func ownSystem() async throws {
    try await withCluster([Marking(mark: "joined")], slots: 2) { cluster in
      async let given = Self.outputs(cluster.results(of: Marking(mark: "given"), for: 0..<3))
      async let other = Self.outputs(cluster.results(of: Marking(mark: "other"), for: 0..<2))
      let outputs = try await (given, other)
      #expect(outputs == (["given 0", "given 1", "given 2"], ["other 0", "other 1"]))
    }
  }

  @Test("The given value scans the inputs of a sequence, too")
  func sequence() async throws {
    try await withCluster([Marking(mark: "joined")]) { cluster in
      let (inputs, source) = AsyncStream.makeStream(of: Int.self)
      source.yield(7)
      source.finish()
      let outputs = try await Self.outputs(cluster.results(of: Marking(mark: "given"), for: inputs))
      #expect(outputs == ["given 7"])
    }
  }

  @Test("A node scans with its own value")
  func node() async throws {
    let discovery = ManualDiscovery()
    let node = Node(
      NodeSettings(name: "node", slots: 1, endpoint: Endpoint(host: "node", port: 7000)),
      scans: [Marking(mark: "node")], transport: network.transport(host: "node"),
      clock: ManualClock()
    ) { name, endpoint in
      discovery.found(name, at: endpoint)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await node.run() }
      try await withCluster([Marking(mark: "joined")], slots: 0, discoveries: [discovery]) {
        cluster in
        try await cluster.coordinator().waitForSystems(1)
        let results = cluster.results(of: Marking(mark: "given"), for: 0..<2)
        #expect(try await Self.outputs(results) == ["node 0", "node 1"])
      }
      group.cancelAll()
    }
  }

  @Test("The given value tells the time limit")
  func timeLimit() async throws {
    let (gate, clock) = (Gate(), ManualClock())
    let joined = Marking(mark: "joined", limit: .seconds(1))
    try await withCluster([joined], clock: clock) { cluster in
      let given = Marking(mark: "given", gate: gate, limit: .seconds(100))
      let scanning = Task {
        var outcomes: [SectorOutcome<String>] = []
        let results = cluster.results(
          of: given, for: 0..<1, engagement: EngagementSettings(attempts: 1))
        for try await outcome in results { outcomes.append(outcome) }
        return outcomes
      }
      try await gate.arrivals(atLeast: 1)
      await network.settle()
      // The steps are three looks for stalled attempts, and the limit.
      for step in [30, 30, 30, 10] {
        try await clock.sleepers(atLeast: 1, within: .seconds(step))
        clock.advance(by: .seconds(step))
      }
      let outcomes = try await scanning.value
      guard case .failure(let failure) = outcomes.first?.output else {
        Issue.record("the scan ended at no limit")
        return
      }
      let reason = "the scan took longer than 100.0 s, its kind's limit"
      #expect(failure.failures.map(\.reason) == [reason])
    }
  }

  @Test("A scan that the cluster was joined without is an error at once, with the next step")
  func unknown() async throws {
    let unknown = EngagementError.unknownScan(Marking.kind, joinedWith: [SumScan.kind])
    try await withCluster([SumScan()]) { cluster in
      await #expect(throws: unknown) {
        _ = try await Self.outputs(cluster.results(of: Marking(mark: "given"), for: 0..<1))
      }
      await #expect(throws: unknown) {
        let inputs = AsyncStream { 1 as Int? }
        _ = try await Self.outputs(cluster.results(of: Marking(mark: "given"), for: inputs))
      }
      await #expect(throws: unknown) {
        try await cluster.systems.firstAvailableSystem(for: Marking.self)
      }
      await #expect(throws: EngagementError.unknownScan(ProbeScan.kind, joinedWith: [SumScan.kind]))
      { try await cluster.coordinator().run(ProbeJob(sectors: 1)) }
    }
    #expect("\(unknown)".hasPrefix("the cluster was joined with sum/2, and marking/1 is to run: "))
    let none = EngagementError.unknownScan(Marking.kind, joinedWith: [])
    #expect("\(none)".hasPrefix("the cluster was joined without any scan, and marking/1 is to run"))
  }

  @Test("A scan of another type with the same kind is an error, too")
  func namesake() async throws {
    let unknown = EngagementError.unknownScan(Marking.kind, joinedWith: [Marking.kind])
    try await withCluster([Namesake()]) { cluster in
      await #expect(throws: unknown) {
        _ = try await Self.outputs(cluster.results(of: Marking(mark: "given"), for: 0..<1))
      }
    }
    #expect("\(unknown)".hasPrefix("the cluster was joined with another scan of kind marking/1"))
  }
}
