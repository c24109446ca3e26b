import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Testing

@Suite("Scans whose connections break", .timeLimit(.minutes(20)))
struct BrokenConnectionTests {
  /// A hedge on another system would end before the engagement knows that the first attempt is lost.
  private static let withoutHedges = EngagementSettings(hedgeFactor: nil)

  /// Runs one sector on node `b`, whose connection has broken once, so that the node keeps the scan when the
  /// connection breaks again.
  ///
  /// - Parameter client: the program whose scans wait at the gate; `nil` for all programs.
  private func withConnectionBrokenOnce(
    slots: Int = 1, limit: Duration? = nil, holding client: String? = nil,
    _ body:
      @Sendable (TestCluster, Gate, _ engagement: Task<Outcome, any Error>) async throws -> Void
  ) async throws {
    let gate = Gate()
    let stage = Stage(limit: limit) { visit in
      if visit.client == client ?? visit.client { try await gate.pass() }
    }
    try await TestCluster.with(nodes: ["b": slots], stage: stage) { test, cluster in
      let engagement = Task {
        try await test.engage(cluster, sectors: 1, settings: Self.withoutHedges)
      }
      try await gate.arrivals(atLeast: 1)
      try await test.breakConnections(of: "b", handOuts: 2)
      try await gate.arrivals(atLeast: 2)
      await test.network.settle()
      try await body(test, gate, engagement)
    }
  }

  @Test("A scan that runs when its connection breaks answers a later connection")
  func running() async throws {
    let gate = Gate()
    let stage = Stage { _ in try await gate.pass() }
    try await TestCluster.with(nodes: ["b": 2], stage: stage) { test, cluster in
      async let outcome = test.engage(cluster, sectors: 2, settings: Self.withoutHedges)
      try await gate.arrivals(atLeast: 2)
      try await test.breakConnections(of: "b", handOuts: 4)
      try await gate.arrivals(atLeast: 4)
      // The connection breaks twice more, as a scan may outlive more than one connection.
      try await test.breakConnections(of: "b", handOuts: 6)
      try await test.breakConnections(of: "b", handOuts: 8)
      gate.open()
      try await outcome.expectComplete()
      // Each sector was started twice: at the first break, the node could not know that its caller comes back.
      #expect(stage.started.value.map(\.sector).sorted() == [0, 0, 1, 1])
    }
  }

  @Test("A scan that ended while there was no connection answers the next connection")
  func ended() async throws {
    try await withConnectionBrokenOnce { test, gate, engagement in
      try await test.cutOff("b")
      gate.open()
      try await test.stage.finished.wait { $0.count == 1 }
      test.network.accept("b")
      try await test.handOuts(3)
      try await engagement.value.expectComplete()
      #expect(test.stage.started.value.count == 2)
    }
  }

  @Test("A scan whose caller does not come back ends when the grace period is over")
  func abandoned() async throws {
    try await withConnectionBrokenOnce { test, gate, engagement in
      try await test.cutOff("b")
      #expect(test.stage.cancelled.value.count == 1)
      // The grace period is five seconds. What sleeps first may be the heartbeat of the broken connection.
      try await test.nodeClock.advance(by: .seconds(5)) {
        try await test.stage.cancelled.wait { $0.count == 2 }
      }
      test.network.accept("b")
      gate.open()
      try await test.handOuts(3)
      try await engagement.value.expectComplete()
    }
  }

  @Test("A scan without a caller gives way to another program's call")
  func givesWay() async throws {
    try await withConnectionBrokenOnce(holding: "engage") { test, gate, engagement in
      // The program's clock stands still, so the program does not connect again yet.
      try await test.breakConnections(of: "b")
      try await test.disconnection(of: "b", 2)
      try await test.engaging(as: "other", clock: ManualClock()) { other in
        try await other.coordinator().waitForSystems(1)
        try await test.engage(other, sectors: 3).expectComplete()
      }
      #expect(test.stage.cancelled.value.count == 2)
      gate.open()
      // The other program had three hand-outs, and this is the third one of this program.
      try await test.handOuts(6)
      try await engagement.value.expectComplete()
    }
  }

  @Test("A scan that a new call has claimed does not give way")
  func claimed() async throws {
    try await withConnectionBrokenOnce(holding: "engage") { test, gate, engagement in
      try await test.breakConnections(of: "b", handOuts: 3)
      try await test.engaging(as: "other", clock: ManualClock()) { other in
        try await other.coordinator().waitForSystems(1)
        let system = try await other.systems.commitment(for: ProbeScan.kind).system
        let waiting = Task { try await system.run(.probe(7)) }
        try await until { try await system.count == 2 }
        #expect(test.stage.started.value.count == 2 && test.stage.cancelled.value.count == 1)
        gate.open()
        #expect(try await waiting.value.output as? String == "probed 7")
      }
      try await engagement.value.expectComplete()
    }
  }

  @Test("A scan that hangs is cancelled at its limit, however often its connection breaks")
  func limited() async throws {
    try await withConnectionBrokenOnce(limit: .seconds(6)) { test, gate, engagement in
      for handOuts in 3...4 {
        // Four seconds are less than the grace period, and less than the limit.
        test.nodeClock.advance(by: .seconds(4))
        try await test.breakConnections(of: "b", handOuts: handOuts)
      }
      // The first scan ended with its connection, the second one at its limit.
      try await test.nodeClock.advance(by: .seconds(4)) {
        try await test.stage.cancelled.wait { $0.count == 2 }
      }
      gate.open()
      // The node's clock may have gone so far that it took the program for gone.
      try await test.clock.advance(by: .milliseconds(100)) { try await engagement.value }
        .expectComplete()
      let reasons = test.reports.value.compactMap { event in
        if case .retried(_, let failure) = event { failure.reason } else { nil }
      }
      // After it, the connection may break once more, as the node's clock has gone on.
      #expect(reasons.count { $0 == "the scan took longer than 6.0 s, its kind's limit" } == 1)
    }
  }

  @Test("A claimed scan that is cancelled frees its slot")
  func cancelled() async throws {
    try await withConnectionBrokenOnce { test, gate, engagement in
      try await test.breakConnections(of: "b", handOuts: 3)
      engagement.cancel()
      await #expect(throws: CancellationError.self) { try await engagement.value }
      try await test.stage.cancelled.wait { $0.count == 2 }
      try await test.engaging(as: "other", clock: ManualClock()) { other in
        try await other.coordinator().waitForSystems(1)
        gate.open()
        try await test.engage(other, sectors: 1).expectComplete()
      }
    }
  }

  @Test("A node that drains ends the scans without a caller, and finishes the others")
  func draining() async throws {
    try await withConnectionBrokenOnce(slots: 2) { test, gate, engagement in
      // The program's clock stands still, so the program does not connect again.
      try await test.breakConnections(of: "b")
      try await test.disconnection(of: "b", 2)
      try await test.engaging(as: "other", clock: ManualClock()) { other in
        try await other.coordinator().waitForSystems(1)
        let system = try await other.systems.commitment(for: ProbeScan.kind).system
        let running = Task { try await system.run(.probe(7)) }
        try await gate.arrivals(atLeast: 3)
        try await test.node("b").beginShutdown()
        try await test.stage.cancelled.wait { $0.count == 2 }
        gate.open()
        #expect(try await running.value.output as? String == "probed 7")
        try await test.node("b").ended()
      }
      engagement.cancel()
      _ = await engagement.result
    }
  }
}

extension TestCluster {
  /// Breaks a node's connections, and lets time pass for the program until it has connected again and has
  /// handed out this many attempts in all.
  fileprivate func breakConnections(of host: String, handOuts count: Int) async throws {
    // The start of a scan that the program has not heard of yet would be lost with the connection.
    let before = reports.value.count { if case .handedOut = $0 { true } else { false } }
    try await starts(before)
    try await breakConnections(of: host)
    try await handOuts(count)
  }

  /// Breaks a node's connections, and waits until it has noticed: a program that came back before would be a
  /// second one for the node.
  fileprivate func breakConnections(of host: String) async throws {
    let entries = log.entries
    let before = entries.value.count
    network.breakConnections(of: host)
    try await entries.wait { all in
      all.dropFirst(before).contains { $0.text.hasPrefix("disconnected client=engage") }
    }
  }

  /// Breaks a node's connections for the second time, and refuses new ones until the test accepts them.
  fileprivate func cutOff(_ host: String) async throws {
    network.refuse(host)
    try await breakConnections(of: host)
    try await disconnection(of: host, 2)
  }

  /// Waits until the engagement has reported this many disconnections of a system.
  fileprivate func disconnection(of name: String, _ times: Int) async throws {
    try await reports.wait { $0.count { $0.disconnected == name } == times }
  }

  /// Lets time pass for the program until it has handed out this many attempts in all.
  fileprivate func handOuts(_ count: Int) async throws {
    try await clock.advance(by: .milliseconds(100)) { [reports] in
      _ = try await reports.wait { events in
        events.count { if case .handedOut = $0 { true } else { false } } >= count
      }
    }
    // The nodes have the calls, and run or have claimed their scans.
    try await starts(count)
  }

  /// Waits until the program has heard of the start of this many attempts in all.
  private func starts(_ count: Int) async throws {
    try await network.arrived.wait { $0[.started, default: 0] >= count }
  }
}
