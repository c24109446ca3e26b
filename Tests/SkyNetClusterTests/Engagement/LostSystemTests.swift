import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("Lost systems", .timeLimit(.minutes(20)))
struct LostSystemTests {
  /// A hedge on another system would end before the engagement knows that the first attempt is lost.
  private static let withoutHedges = EngagementSettings(hedgeFactor: nil)

  @Test("The sectors in flight on a node that crashes are scanned elsewhere")
  func crash() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.host == "b" { try await gate.pass() } }
    try await TestCluster.with(local: 1, nodes: ["b": 2, "c": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 30)
      try await gate.arrivals(atLeast: 2)
      try test.node("b").crash()
      let end = try await outcome
      end.expectComplete()
      #expect(end.share(of: "b") == 0)
      #expect(end.tally.retried == 2)
    }
  }

  @Test("A node that is cut off counts as gone after five seconds of silence")
  func cut() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.host == "b" { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 2, "c": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 10, settings: Self.withoutHedges)
      try await gate.arrivals(atLeast: 2)
      try await stage.finished.wait { $0.count == 8 }
      try test.node("b").cut()
      try await test.silence(of: "b", in: cluster, heartbeats: 2)
      // The first heartbeat may count the node's hello as a sign of life, and the report comes a little later.
      let silence = Instant().duration(to: test.clock.now)
      #expect(silence >= .seconds(5) && silence <= .seconds(10), "\(silence)")
      let end = try await outcome
      end.expectComplete()
      #expect(end.share(of: "c") == 10)
      #expect(await cluster.systems.connected.map(\.name) == ["c"])
    }
  }

  @Test("The answer of a node that was taken for gone is ignored")
  func lateAnswer() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.host == "b" { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 1, "c": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 5, settings: Self.withoutHedges)
      try await gate.arrivals(atLeast: 1)
      try test.node("b").cut()
      gate.open()
      try await test.silence(of: "b", in: cluster, heartbeats: 2)
      try await outcome.expectComplete()
      try test.node("b").heal()
      try await test.engage(cluster, sectors: 5).expectComplete()
    }
  }

  @Test("A sector that runs on three systems when they die is given up as a poison task")
  func poison() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.sector == 0 { try await gate.pass() } }
    let hosts: KeyValuePairs = ["b": 1, "c": 1, "d": 1, "e": 1]
    try await TestCluster.with(nodes: hosts, stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 12)
      for death in 1...3 {
        let visits = try await stage.started.wait { visits in
          visits.count { $0.sector == 0 } == death
        }
        let host = try #require(visits.last { $0.sector == 0 }?.host)
        try test.node(host).crash()
      }
      let end = try await outcome
      #expect(end.completed.map(\.sector).sorted() == Array(1..<12))
      let failure = try #require(end.failed.first)
      #expect(failure.sector == 0)
      #expect(Set(failure.failures.map(\.system)).count == 3)
      #expect(failure.failures.allSatisfy { $0.reason.contains("crashed") })
    }
  }

  @Test("When all systems are gone for a minute, each remaining sector fails with its reasons")
  func allLost() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.sector > 0 { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      let outcome = Task { try await test.engage(cluster, sectors: 4) }
      try await gate.arrivals(atLeast: 1)
      try test.node("b").crash()
      try await test.disconnection(of: "b")
      let end = try await test.clock.advance(by: .seconds(60)) { try await outcome.value }
      #expect(end.completed.map(\.sector) == [0])
      let failures = end.failed.sorted { $0.sector < $1.sector }
      #expect(failures.map(\.sector) == [1, 2, 3])
      let none = "no system was left to scan it"
      #expect(
        failures.map { $0.failures.map(\.reason) } == [
          [
            "the connection broke: b crashed; it ran sector 1 (probe/1), which may be the cause",
            none,
          ],
          [none], [none],
        ])
      #expect(end.tally.failed == 3)
    }
  }

  @Test("A node that comes back within the minute scans the remaining sectors")
  func backInTime() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 4)
      try await gate.arrivals(atLeast: 1)
      try test.node("b").crash()
      try await test.disconnection(of: "b")
      gate.open()
      test.start("b", slots: 2)
      try await outcome.expectComplete()
    }
  }
}
