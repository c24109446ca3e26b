import Foundation
import Testing

extension Endurance {
  /// A node crashes soon after each start and is started again at once, as long as the run takes.
  /// The tests measure what that costs the other systems.
  @Suite("Churn", .timeLimit(.ample))
  struct ChurnTests {
    private static let localSlots = 4
    /// The ratio of a run's time to the least time without the node.
    private static let target = 1.15

    @Test(
      "A node in a crash loop takes no sector down with it and delays nothing",
      arguments: [1, 12])
    func aNodeInACrashLoop(ports: Int) async throws {
      // No scan on the crashing node ever ends.
      let (total, scan, life) = isThorough ? (60, 3.0, 2.0) : (32, 1.0, 0.9)
      try await Stage.with { stage in
        let supervisor = Supervisor(
          stage: stage, ports: try (0..<ports).map { _ in try freePort() }, life: .seconds(life))
        let outcome = try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await supervisor.run() }
          defer { group.cancelAll() }
          return try await run(stage, peers: supervisor.ports, total, scan)
        }
        let place = ports == 1 ? "the same port" : "another port each time"
        try expect(outcome, total, scan, "a node of \(life) s, on \(place)")
        // Attempts lost before the coordinator knew the node, and single ones that tried it since.
        let lost = outcome.results.reduce(0) { $0 + $1.attempts - 1 }
        #expect(lost <= 3 * Supervisor.slots, "\(lost) attempts were lost")
        #expect(outcome.results.allSatisfy { $0.attempts <= 4 })
      }
    }

    @Test("A link that is cut each second leaves no slot idle elsewhere")
    func aLinkThatIsCut() async throws {
      let (total, scan) = isThorough ? (60, 2.0) : (24, 2.0)
      try await Stage.with { stage in
        let node = try await stage.node("cut", "--slots", "\(Supervisor.slots)")
        let wire = try await FaultyWire.open(to: "127.0.0.1", port: node.port)
        defer { wire.stop() }
        let outcome = try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            while true {
              try await Endurance.pass(.seconds(1))
              wire.breakConnections()
            }
          }
          defer { group.cancelAll() }
          return try await run(stage, peers: [wire.port], total, scan)
        }
        try expect(outcome, total, scan, "a link of a second")
      }
    }

    private func run(
      _ stage: Stage, peers: [Int], _ total: Int, _ scan: Double
    ) async throws -> Outcome {
      let engaging = try stage.engage(
        peers: peers, "--total", "\(total)", "--scan-seconds", "\(scan)", "--failing-every", "0",
        "--slots", "\(Self.localSlots)")
      _ = try await engaging.process.end(within: .seconds(300))
      return try await engaging.outcome()
    }

    /// Expects a result for every sector, and in a thorough run a bounded time: only a time far
    /// beyond the target cannot be explained by luck or load.
    private func expect(
      _ outcome: Outcome, _ total: Int, _ scan: Double, _ trouble: String
    ) throws {
      try outcome.expectEverySectorOnce(of: total)
      let seconds = try outcome.summary.seconds
      let ideal = (Double(total) / Double(Self.localSlots)).rounded(.up) * scan
      let ratio = seconds / ideal
      Endurance.report(
        "churn: \(trouble), beside \(Self.localSlots) local slots",
        [
          "\(seconds.digits(1)) s, \(ratio.digits(3)) of the \(ideal.digits(1)) s without it; "
            + "\(ratio <= Self.target ? "within" : "BEYOND") the target of \(Self.target)",
          outcome.errors.last ?? "",
        ])
      #expect(!isThorough || ratio <= 2 * Self.target)
    }
  }
}
