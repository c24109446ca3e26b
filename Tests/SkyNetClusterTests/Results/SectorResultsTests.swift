import ServiceLifecycleTestKit
import SkyNetCluster
import SkyNetCore
import SkyNetTestKit
import Synchronization
import Testing

/// The square of a number; it waits at a gate first, and fails where it is told to.
private struct Squares: Scan {
  struct Unlucky: Error {}

  static let kind = ScanKind(name: "squares", version: 1)

  var gate: Gate?
  var unlucky: Int?

  func run(_ number: Int, settings: NoSettings) async throws -> Int {
    if number == unlucky { throw Unlucky() }
    try await gate?.pass()
    return number * number
  }
}

@Suite("results of a cluster", .timeLimit(.minutes(5)))
struct SectorResultsTests {
  private func withCluster(
    _ scan: Squares, slots: Int = 2, _ body: @Sendable (Cluster) async throws -> Void
  ) async throws {
    try await Cluster.with(
      ClusterSettings(name: "test", localSlots: slots), scans: [scan], discoveries: [],
      transport: InMemoryNetwork().transport(host: "test"), body)
  }

  @Test("each sector has one outcome, with its number and what the scan found")
  func outcomes() async throws {
    try await withCluster(Squares()) { cluster in
      var found: [Int: Int] = [:]
      for try await sector in cluster.results(of: Squares(), for: 10..<20) {
        #expect(found.updateValue(try sector.output.get(), forKey: sector.number) == nil)
        #expect(sector.system == "local" && sector.attempts == 1)
      }
      #expect(
        found == Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, ($0 + 10) * ($0 + 10)) }))
    }
  }

  @Test("a sector that is given up is an outcome, with the story of its attempts")
  func failure() async throws {
    try await withCluster(Squares(unlucky: 3)) { cluster in
      var failures: [SectorFailure] = []
      var count = 0
      let results = cluster.results(
        of: Squares(), for: Array(0..<6), engagement: EngagementSettings(attempts: 2))
      for try await sector in results {
        count += 1
        if case .failure(let failure) = sector.output { failures.append(failure) }
      }
      #expect(count == 6)
      #expect(failures.map(\.sector) == [3])
      #expect(failures.first?.failures.map(\.system) == ["local", "local"])
      #expect(failures.first.map { "\($0)" }?.contains("given up after 2 attempts") == true)
    }
  }

  @Test("outputs throw at the first sector that is given up, and cancel the others")
  func outputs() async throws {
    let gate = Gate()
    try await withCluster(Squares(gate: gate, unlucky: 0)) { cluster in
      let error = await #expect(throws: SectorFailure.self) {
        let results = cluster.results(
          of: Squares(), for: Array(0..<6), engagement: EngagementSettings(attempts: 1))
        for try await (number, output) in results.outputs { print(number, output) }
      }
      #expect(error?.sector == 0)
    }
  }

  @Test("leaving the loop cancels the scans that run")
  func leaving() async throws {
    let gate = Gate()
    gate.letThrough(1)
    try await withCluster(Squares(gate: gate)) { cluster in
      for try await _ in cluster.results(of: Squares(), for: Array(0..<100)) { break }
      // The slots are free again, which they are not before the scans at the gate have ended.
      gate.open()
      var count = 0
      for try await _ in cluster.results(of: Squares(), for: Array(0..<4)) { count += 1 }
      #expect(count == 4)
    }
  }

  @Test("a slow reader holds the engagement up, and nothing piles up")
  func backPressure() async throws {
    let made = Atomic<Int>(0)
    try await withCluster(Squares(), slots: 1) { cluster in
      let results = cluster.results(of: Squares(), count: 200, settings: NoSettings()) { number in
        made.add(1, ordering: .relaxed)
        return number
      }
      var taken = 0
      for try await _ in results {
        taken += 1
        // The one that waits to be taken, and the one that runs.
        #expect(made.load(ordering: .relaxed) <= taken + 3)
      }
      #expect(taken == 200)
    }
  }

  @Test("updates tell what happens, with the counts after it, and end with the engagement")
  func updates() async throws {
    try await withCluster(Squares()) { cluster in
      let results = cluster.results(of: Squares(), for: Array(0..<50))
      let updates = results.updates
      for try await _ in results {}
      var last: Tally?
      var completed = 0
      for await update in updates {
        if case .completed = update.event { completed += 1 }
        last = update.tally
      }
      #expect(completed == 50 && last?.completed == 50)
    }
  }

  @Test("a graceful shutdown lets running scans end, and says how many sectors are left")
  func shutdown() async throws {
    let gate = Gate()
    try await testGracefulShutdown { trigger in
      try await withCluster(Squares(gate: gate)) { cluster in
        let counting = Task { try await Self.count(cluster.results(of: Squares(), for: 0..<10)) }
        try await gate.arrivals(atLeast: 2)
        trigger.triggerGracefulShutdown()
        gate.open()
        let (count, error) = try await counting.value
        #expect(count == 2 && error == .interrupted(left: 8))
      }
    }
  }

  /// How many outcomes there are, and what ends them before there are all.
  private static func count(
    _ results: SectorResults<Int>
  ) async throws -> (count: Int, error: EngagementError?) {
    var count = 0
    do {
      for try await _ in results { count += 1 }
    } catch let error as EngagementError {
      return (count, error)
    }
    return (count, nil)
  }
}
