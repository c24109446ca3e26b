import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("Scans outlive their connections", .timeLimit(.minutes(20)))
struct BrokenConnectionTests {
  /// A second try elsewhere would be done before the first is known to be lost.
  private static let withoutHedges = EngagementSettings(hedgeFactor: nil)

  @Test("a scan that runs when its connection breaks answers a later connection")
  func running() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 2], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 2, settings: Self.withoutHedges)
      try await gate.arrivals(atLeast: 2)
      try await test.breakOff("b", handOuts: 4)
      try await gate.arrivals(atLeast: 4)
      // Twice, as a scan may take longer than one connection and the next.
      try await test.breakOff("b", handOuts: 6)
      try await test.breakOff("b", handOuts: 8)
      gate.open()
      try await outcome.expectComplete()
      // Once more each, as the first time the node could not know that its caller comes back.
      #expect(stage.started.value.map(\.sector).sorted() == [0, 0, 1, 1])
    }
  }

  @Test("a scan that ended while there was no connection answers the next one")
  func ended() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 1, settings: Self.withoutHedges)
      try await gate.arrivals(atLeast: 1)
      try await test.breakOff("b", handOuts: 2)
      try await gate.arrivals(atLeast: 2)
      test.network.refuse("b")
      test.network.breakConnections(of: "b")
      try await test.disconnection(of: "b", 2)
      gate.open()
      try await stage.finished.wait { $0.count == 1 }
      test.network.accept("b")
      try await test.handOuts(3)
      try await outcome.expectComplete()
      #expect(stage.started.value.count == 2)
    }
  }

  @Test("a scan whose caller does not come back ends when the grace period is over")
  func abandoned() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 1, settings: Self.withoutHedges)
      try await gate.arrivals(atLeast: 1)
      try await test.breakOff("b", handOuts: 2)
      try await gate.arrivals(atLeast: 2)
      test.network.refuse("b")
      test.network.breakConnections(of: "b")
      try await test.disconnection(of: "b", 2)
      #expect(stage.cancelled.value.count == 1)
      // The node looks after its caller's silence until then.
      try await test.nodeClock.sleepers(atLeast: 1, within: .seconds(5))
      test.nodeClock.advance(by: .seconds(5))
      try await stage.cancelled.wait { $0.count == 2 }
      test.network.accept("b")
      gate.open()
      try await test.handOuts(3)
      try await outcome.expectComplete()
    }
  }

  @Test("a scan without a caller gives way to another program's call")
  func givesWay() async throws {
    let gate = Gate()
    let stage = Stage { visit in if visit.client == "engage" { try await gate.pass() } }
    try await TestCluster.with(nodes: ["b": 1], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 1, settings: Self.withoutHedges)
      try await gate.arrivals(atLeast: 1)
      try await test.breakOff("b", handOuts: 2)
      try await gate.arrivals(atLeast: 2)
      // The program's time stands still, and so it does not come back yet.
      test.network.breakConnections(of: "b")
      try await test.disconnection(of: "b", 2)
      try await test.engaging(as: "other", clock: ManualClock()) { other in
        try await other.coordinator().waitForSystems(1)
        try await test.engage(other, sectors: 3).expectComplete()
      }
      #expect(stage.cancelled.value.count == 2)
      gate.open()
      // Three of the other program's, and this one's third.
      try await test.handOuts(6)
      try await outcome.expectComplete()
    }
  }
}

extension TestCluster {
  /// Breaks a node's connections, and lets time pass for the program until it is connected again and
  /// has handed out so many attempts.
  fileprivate func breakOff(_ host: String, handOuts count: Int) async throws {
    network.breakConnections(of: host)
    try await handOuts(count)
  }

  /// Waits until the engagement has told so many times that a system is gone.
  fileprivate func disconnection(of name: String, _ times: Int) async throws {
    try await reports.wait { $0.count { $0.disconnected == name } == times }
  }

  /// Lets time pass for the program until it has handed out so many attempts.
  fileprivate func handOuts(_ count: Int) async throws {
    try await pass(.milliseconds(100)) { [reports] in
      _ = try await reports.wait { events in
        events.count { if case .handedOut = $0 { true } else { false } } >= count
      }
    }
  }
}
