import Foundation
import SkyNetCore
import SkyNetTestKit
import Testing

@testable import SkyNetCluster

/// An engagement with all that belongs to it on the test's own thread: nothing of it begins a thread, a task on another
/// executor, or a clock of its own. If anything did, nothing would be left to step through before the run has ended.
@Suite("An engagement, step by step")
struct SteppedEngagementTests {
  private static let sectors = 40

  @Test(
    "Two systems scan every sector on one thread, under a clock that the test moves",
    .timeLimit(.minutes(20)))
  func steps() throws {
    let executor = SteppedExecutor()
    let (clock, network, discovery) = (
      ManualClock(), InMemoryNetwork(on: executor), ManualDiscovery()
    )
    let visits = Watched<[SteppedScan.Visit]>([])
    let nodes = ["b", "c"].map { host in
      let node = Node(
        NodeSettings(name: host, slots: 2, endpoint: Endpoint(host: host, port: 7000)),
        scans: [SteppedScan(host: host, clock: clock, visits: visits)],
        transport: network.transport(host: host), clock: clock, logger: LogRecord().logger
      ) { _, endpoint in
        discovery.found(host, at: endpoint)
      }
      return Task(executorPreference: executor) { try await node.run() }
    }
    let outcome = Watched<Result<Tally, any Error>?>(nil)
    let engagement = Task(executorPreference: executor) {
      let result: Result<Tally, any Error>
      do {
        result = .success(try await engage(network, discovery, clock, visits))
      } catch {
        result = .failure(error)
      }
      outcome.update { $0 = result }
    }
    let begin = clock.now
    try step(executor, clock) { outcome.value != nil }
    let tally = try #require(outcome.value).get()
    #expect(tally.completed == Self.sectors && tally.failed == 0)
    #expect(Set(visits.value.map(\.host)) == ["b", "c"])
    #expect(Set(visits.value.map(\.sector)) == Set(0..<Self.sectors))
    #expect(Set(visits.value.map(\.thread)) == [ObjectIdentifier(Thread.current)])
    #expect(clock.now > begin, "scans took their time by this clock")
    for node in nodes { node.cancel() }
    engagement.cancel()
    while executor.step() {}
  }

  /// Runs jobs, and moves the clock on to the next sleeper whenever there is none, until the condition holds.
  private func step(
    _ executor: SteppedExecutor, _ clock: ManualClock, until isOver: () -> Bool
  ) throws {
    while !isOver() {
      if executor.step() { continue }
      let next = try #require(clock.nextDeadline, "nothing is left to do here, and the run goes on")
      clock.advance(by: clock.now.duration(to: next))
    }
  }

  private func engage(
    _ network: InMemoryNetwork, _ discovery: ManualDiscovery, _ clock: ManualClock,
    _ visits: Watched<[SteppedScan.Visit]>
  ) async throws -> Tally {
    try await Cluster.with(
      ClusterSettings(name: "engage", localSlots: 0),
      scans: [SteppedScan(host: "local", clock: clock, visits: visits)], discoveries: [discovery],
      transport: network.transport(host: "engage"), clock: clock, logger: LogRecord().logger
    ) { cluster in
      try await cluster.coordinator().waitForSystems(2)
      return try await cluster.coordinator().run(SteppedJob(sectorCount: Self.sectors)).tally
    }
  }
}

/// A brief scan that takes ten milliseconds by the test's clock.
private struct SteppedScan: Scan {
  struct Visit: Sendable {
    let sector: Int
    let host: String
    let thread: ObjectIdentifier
  }

  static let kind = ScanKind(name: "stepped", version: 1)

  let host: String
  let clock: ManualClock
  let visits: Watched<[Visit]>

  func isBrief(_ sector: Int, settings: String) -> Bool { true }

  func run(_ sector: Int, settings: String) async throws -> Int {
    try await clock.sleep(until: clock.now + .milliseconds(10), tolerance: nil)
    visits.update {
      $0.append(
        Visit(sector: sector, host: host, thread: ObjectIdentifier(Self.thread)))
    }
    return sector
  }

  private static var thread: Thread { Thread.current }
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
