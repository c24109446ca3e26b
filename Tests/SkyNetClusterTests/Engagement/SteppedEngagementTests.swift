import Foundation
import SkyNetCore
import SkyNetTestKit
import TestSupport
import Testing

@testable import SkyNetCluster

/// An engagement with all that belongs to it on the test's own thread: nothing of it begins a thread, a task on another
/// executor, or a clock of its own. If anything did, nothing would be left to step through before the run has ended.
@Suite("An engagement, step by step", .inTurn)
struct SteppedEngagementTests {
  @Test(
    "Two systems scan every sector on one thread, under a clock that the test moves",
    .timeLimit(.minutes(20)))
  func steps() throws {
    let engagement = SteppedEngagement(sectors: 40)
    let begin = engagement.clock.now
    let tally = try engagement.run()
    #expect(tally.completed == 40 && tally.failed == 0)
    let visits = engagement.visits.value
    #expect(Set(visits.map(\.host)) == ["b", "c"])
    #expect(Set(visits.map(\.sector)) == Set(0..<40))
    #expect(Set(visits.map(\.thread)) == [ObjectIdentifier(Thread.current)])
    #expect(engagement.clock.now > begin, "scans took their time by this clock")
  }

  /// A straggler is hedged, and ends so many steps after the moment at which it straggles: in one of these runs between
  /// the hedge's hand-out and the first step of its child. The other straggler keeps the run until long after a hedge
  /// that went on would have ended.
  @Test(
    "A hedge does not go on once the other attempt has ended", .timeLimit(.minutes(20)))
  func cancelledHedges() throws {
    var hedged = 0
    for steps in 0..<80 {
      let engagement = SteppedEngagement(sectors: 12, straggler: 3, lasting: 7)
      let tally = try engagement.run(endingStragglerAfter: steps)
      #expect(tally.completed == 12)
      let ends = engagement.visits.value.count { $0.sector == 3 }
      #expect(ends == 1, "the straggler ended \(steps) steps after its hedge was due")
      if engagement.begun.value.count(where: { $0.sector == 3 }) == 2 { hedged += 1 }
    }
    #expect(hedged > 0 && hedged < 80, "in some runs the hedge came in time, in others not")
  }
}

/// A cluster of two nodes of two slots, and an engagement over them, whose every step the test makes.
private struct SteppedEngagement {
  let sectors: Int
  /// A sector whose first scan ends when the test says so.
  var straggler: Int?
  /// A sector whose scans take ten seconds.
  var lasting: Int?
  let executor = SteppedExecutor()
  let clock = ManualClock()
  let begun = Watched<[Visit]>([])
  let visits = Watched<[Visit]>([])
  private let stragglerEnds = Watched(false)

  struct Visit: Sendable {
    let sector: Int
    let host: String
    let thread: ObjectIdentifier
    let time: Instant
  }

  /// Runs jobs, and moves the clock on to the next sleeper whenever there is none, until the engagement has ended.
  ///
  /// - Parameter steps: the straggler ends when so many jobs have run since it took long enough to be hedged.
  func run(endingStragglerAfter steps: Int = 0) throws -> Tally {
    let (network, discovery) = (InMemoryNetwork(on: executor), ManualDiscovery())
    let nodes = ["b", "c"].map { host in
      let node = Node(
        NodeSettings(name: host, slots: 2, endpoint: Endpoint(host: host, port: 7000)),
        scans: [scan(on: host)], transport: network.transport(host: host), clock: clock,
        logger: LogRecord().logger
      ) { _, endpoint in
        discovery.found(host, at: endpoint)
      }
      return Task(executorPreference: executor) { try await node.run() }
    }
    let outcome = Watched<Result<Tally, any Error>?>(nil)
    let engagement = Task(executorPreference: executor) {
      let result: Result<Tally, any Error>
      do {
        result = .success(try await engage(network, discovery))
      } catch {
        result = .failure(error)
      }
      outcome.update { $0 = result }
    }
    defer {
      for node in nodes { node.cancel() }
      engagement.cancel()
      while executor.step() {}
    }
    var stepsLeft = steps
    while outcome.value == nil {
      if isHedgeDue {
        if stepsLeft == 0 { stragglerEnds.update { $0 = true } }
        stepsLeft -= 1
      }
      if executor.step() { continue }
      let next = try #require(clock.nextDeadline, "nothing is left to do here, and the run goes on")
      clock.advance(by: clock.now.duration(to: next))
    }
    return try #require(outcome.value).get()
  }

  private var isHedgeDue: Bool {
    begun.value.contains { $0.sector == straggler && $0.time + .milliseconds(100) <= clock.now }
  }

  private func engage(
    _ network: InMemoryNetwork, _ discovery: ManualDiscovery
  ) async throws -> Tally {
    try await Cluster.with(
      ClusterSettings(name: "engage", localSlots: 0), scans: [scan(on: "local")],
      discoveries: [discovery], transport: network.transport(host: "engage"), clock: clock,
      logger: LogRecord().logger
    ) { cluster in
      try await cluster.coordinator().waitForSystems(2)
      return try await cluster.coordinator().run(SteppedJob(sectorCount: sectors)).tally
    }
  }

  private func scan(on host: String) -> SteppedScan {
    SteppedScan { sector in
      begun.update { $0.append(visit(sector, host)) }
      if sector == straggler, begun.value.count(where: { $0.sector == sector }) == 1 {
        try await stragglerEnds.wait { $0 }
      } else {
        let seconds = sector == lasting ? 10 : sector == straggler ? 1 : 0.01
        try await clock.sleep(until: clock.now + .seconds(seconds), tolerance: nil)
      }
      visits.update { $0.append(visit(sector, host)) }
    }
  }

  private func visit(_ sector: Int, _ host: String) -> Visit {
    Visit(sector: sector, host: host, thread: ObjectIdentifier(Self.thread), time: clock.now)
  }

  private static var thread: Thread { Thread.current }
}

/// A brief scan that does what the test says.
private struct SteppedScan: Scan {
  static let kind = ScanKind(name: "stepped", version: 1)

  let work: @Sendable (_ sector: Int) async throws -> Void

  func isBrief(_ sector: Int, settings: String) -> Bool { true }

  func run(_ sector: Int, settings: String) async throws -> Int {
    try await work(sector)
    return sector
  }
}

private struct SteppedJob: Job {
  typealias Work = SteppedScan

  let settings = "stepped"
  let sectorCount: Int

  func sector(for task: TaskID) -> Int { task.sector }

  mutating func receive(_ output: Int, for task: TaskID) -> ReceivedResult {
    ReceivedResult(result: output)
  }
}
