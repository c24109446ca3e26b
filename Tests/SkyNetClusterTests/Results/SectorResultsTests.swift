import Foundation
import ServiceLifecycleTestKit
import SkyNetCore
import SkyNetTestKit
import Synchronization
import Testing

@testable import SkyNetCluster

/// A scan that returns the square of a number. It first waits at the gate, and throws for one number.
private struct Squares: Scan {
  struct Unlucky: Error {}

  static let kind = ScanKind(name: "squares", version: 1)

  var gate: Gate?
  var unlucky: Int?
  /// How many scans were cancelled at the gate.
  var cancelled: Watched<Int>?

  func run(_ number: Int, settings: NoSettings) async throws -> Int {
    if number == unlucky { throw Unlucky() }
    do {
      try await gate?.pass()
    } catch {
      cancelled?.update { $0 += 1 }
      throw error
    }
    return number * number
  }
}

@Suite("The sequence of a cluster's results", .timeLimit(.minutes(20)))
struct SectorResultsTests {
  private func withCluster(
    _ scan: Squares, slots: Int = 2, _ body: @Sendable (Cluster) async throws -> Void
  ) async throws {
    try await Cluster.with(
      ClusterSettings(name: "test", localSlots: slots), scans: [scan], discoveries: [],
      transport: InMemoryNetwork().transport(host: "test"), body)
  }

  @Test("Each sector has one outcome, with its number and the scan's output")
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

  @Test("A sector that is given up is an outcome with the reasons of its attempts")
  func failure() async throws {
    let scan = Squares(unlucky: 3)
    try await withCluster(scan) { cluster in
      var failures: [SectorFailure] = []
      var count = 0
      let results = cluster.results(
        of: scan, for: Array(0..<6), engagement: EngagementSettings(attempts: 2))
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

  @Test("The outputs throw at the first sector that is given up")
  func outputs() async throws {
    let gate = Gate()
    let scan = Squares(gate: gate, unlucky: 0)
    try await withCluster(scan) { cluster in
      let error = await #expect(throws: SectorFailure.self) {
        let results = cluster.results(
          of: scan, for: Array(0..<6), engagement: EngagementSettings(attempts: 1))
        for try await (number, output) in results.outputs { print(number, output) }
      }
      #expect(error?.sector == 0)
    }
  }

  @Test("Leaving the loop cancels the running scans")
  func leaving() async throws {
    let (gate, cancelled) = (Gate(), Watched(0))
    gate.letThrough(1)
    let scan = Squares(gate: gate, cancelled: cancelled)
    try await withCluster(scan) { cluster in
      for try await _ in cluster.results(of: scan, for: Array(0..<100)) {
        // At least one of the two slots has a scan at the gate.
        try await gate.arrivals(atLeast: 2)
        break
      }
      try await cancelled.wait { $0 >= 1 }
    }
  }

  @Test("A loop whose task is cancelled throws a cancellation if sectors are left")
  func cancelled() async throws {
    let gate = Gate()
    gate.letThrough(3)
    let scan = Squares(gate: gate)
    try await withCluster(scan) { cluster in
      let taken = Watched(0)
      let loop = Task {
        for try await _ in cluster.results(of: scan, for: Array(0..<100)) {
          taken.update { $0 += 1 }
        }
      }
      try await taken.wait { $0 == 3 }
      loop.cancel()
      await #expect(throws: CancellationError.self) { try await loop.value }
      #expect(taken.value == 3)
    }
  }

  @Test("A loop whose task is cancelled after the last outcome ends as if it were not")
  func cancelledAtTheEnd() async throws {
    try await withCluster(Squares()) { cluster in
      for count in [0, 5] {
        let loop = Task {
          var taken = 0
          if count == 0 { withUnsafeCurrentTask { $0?.cancel() } }
          for try await _ in cluster.results(of: Squares(), for: Array(0..<count)) {
            taken += 1
            if taken == count { withUnsafeCurrentTask { $0?.cancel() } }
          }
          return taken
        }
        let taken = try await loop.value
        #expect(taken == count)
      }
    }
  }

  @Test("A loop that a cancelled task begins throws a cancellation")
  func cancelledBefore() async throws {
    let gate = Gate()
    let scan = Squares(gate: gate)
    try await withCluster(scan) { cluster in
      let loop = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        for try await _ in cluster.results(of: scan, for: 0..<2) {}
      }
      await #expect(throws: CancellationError.self) { try await loop.value }
    }
  }

  @Test("A loop over the results of a cluster that has ended throws a cancellation")
  func late() async throws {
    let results = Watched<SectorResults<Int>?>(nil)
    try await withCluster(Squares()) { cluster in
      results.update { $0 = cluster.results(of: Squares(), for: 0..<4) }
    }
    let late = try #require(results.value)
    await #expect(throws: CancellationError.self) { for try await _ in late {} }
  }

  @Test("A report returns when its outcome is taken, so a slow reader holds the engagement up")
  func backPressure() async throws {
    let queue = EngagementQueue()
    let reported = Atomic<Int>(0)
    let results = SectorResults<Int>(engagements: queue, count: 200) { _, report in
      for number in 0..<200 {
        let result = SectorResult(
          sector: number, result: number, system: "local", attempts: 1, seconds: 0)
        await report(
          EngagementUpdate(
            run: RunID(), time: .now, event: .completed(result), tally: Tally(total: 0)))
        reported.add(1, ordering: .relaxed)
      }
      return Tally(total: 0)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await queue.serve() }
      var taken = 0
      for try await _ in results {
        taken += 1
        #expect(reported.load(ordering: .relaxed) <= taken)
      }
      #expect(taken == 200)
      group.cancelAll()
    }
  }

  @Test("Updates have each event with the counts after it, and end with the engagement")
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

  @Test("A graceful shutdown lets running scans end, and its error says how many sectors are left")
  func shutdown() async throws {
    let gate = Gate()
    try await testGracefulShutdown { trigger in
      let scan = Squares(gate: gate)
      try await withCluster(scan) { cluster in
        let counting = Task { try await Self.count(cluster.results(of: scan, for: 0..<10)) }
        try await gate.arrivals(atLeast: 2)
        trigger.triggerGracefulShutdown()
        gate.open()
        let (count, error) = try await counting.value
        #expect(count == 2 && error == .interrupted(left: 8))
      }
    }
  }

  /// How many outcomes the results yield, and the error that ends them early.
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
